"""Which names others read of a published run. What was public before was published with all of them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the columns; whoever published a run until now was told that its names become visible."""
    op.add_column(
        "run", sa.Column("shown_names", ARRAY(sa.Text()), nullable=False, server_default=sa.text("'{}'"))
    )
    op.add_column("run", sa.Column("public_title", sa.Text(), nullable=True))
    op.execute("UPDATE run SET shown_names = '{devices,hosts,notes,paths}' WHERE visibility = 'public'")


def downgrade() -> None:
    """Drops the columns; others read every name of what is public again."""
    op.drop_column("run", "public_title")
    op.drop_column("run", "shown_names")
