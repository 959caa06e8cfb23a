"""Counters of the measured drives of a run.

Revision ID: 0057
Revises: 0056
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, null for existing runs, whose agents sent no counters."""
    op.add_column("run", sa.Column("drive_counters", postgresql.JSONB(), nullable=True))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("run", "drive_counters")
