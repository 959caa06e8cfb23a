"""The date on which an organisation will be deleted, null unless an owner requests deletion."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("organisation", sa.Column("deletion_due_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Drop the column; requested deletions are cancelled."""
    op.drop_column("organisation", "deletion_due_at")
