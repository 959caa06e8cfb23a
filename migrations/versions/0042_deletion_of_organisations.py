"""When an organisation is deleted: a column that is empty until an owner asks for it."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column."""
    op.add_column("organisation", sa.Column("deletion_due_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    """Drops the column; nothing is deleted that was to be."""
    op.drop_column("organisation", "deletion_due_at")
