"""Latency objectives for the phases of a campaign."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for existing campaigns."""
    op.add_column(
        "campaign",
        sa.Column("objectives", postgresql.JSONB(), nullable=False, server_default=sa.text("'[]'::jsonb")),
    )


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("campaign", "objectives")
