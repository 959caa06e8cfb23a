"""Latencies as printed by a series' tool, to show beside the bounds of its buckets."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for existing runs."""
    op.add_column(
        "series",
        sa.Column("printed", postgresql.JSONB(), nullable=False, server_default=sa.text("'[]'::jsonb")),
    )


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("series", "printed")
