"""Latency objectives that the phases of a campaign are judged by."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column; earlier campaigns have no objectives."""
    op.add_column(
        "campaign",
        sa.Column("objectives", postgresql.JSONB(), nullable=False, server_default=sa.text("'[]'::jsonb")),
    )


def downgrade() -> None:
    """Drops the column."""
    op.drop_column("campaign", "objectives")
