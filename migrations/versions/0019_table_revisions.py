"""Revisions of tables that seldom change; a table without a row has not changed since this migration."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "table_revision",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_table_revision"),
    )
    op.execute(f"GRANT SELECT, INSERT, UPDATE ON table_revision TO {ROLE}")


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("table_revision")
