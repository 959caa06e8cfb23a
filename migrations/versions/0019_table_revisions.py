"""Revisions of tables that seldom change; empty, which says that none has changed since."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"


def upgrade() -> None:
    """Makes the table."""
    op.create_table(
        "table_revision",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_table_revision"),
    )
    op.execute(f"GRANT SELECT, INSERT, UPDATE ON table_revision TO {ROLE}")


def downgrade() -> None:
    """Drops it."""
    op.drop_table("table_revision")
