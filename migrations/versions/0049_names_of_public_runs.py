"""Visible names of published runs; runs that are already public show all names."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; until now, publishing a run announced that all its names become visible."""
    op.add_column(
        "run", sa.Column("shown_names", ARRAY(sa.Text()), nullable=False, server_default=sa.text("'{}'"))
    )
    op.add_column("run", sa.Column("public_title", sa.Text(), nullable=True))
    op.execute("UPDATE run SET shown_names = '{devices,hosts,notes,paths}' WHERE visibility = 'public'")


def downgrade() -> None:
    """Drop the columns; public runs show all names again."""
    op.drop_column("run", "public_title")
    op.drop_column("run", "shown_names")
