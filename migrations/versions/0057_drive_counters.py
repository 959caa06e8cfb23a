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
    """Adds the column; agents sent no counters before."""
    op.add_column("run", sa.Column("drive_counters", postgresql.JSONB(), nullable=True))


def downgrade() -> None:
    """Drops the column."""
    op.drop_column("run", "drive_counters")
