"""Figures from the drives' own counters about a tested load.

Revision ID: 0059
Revises: 0058
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0059"
down_revision = "0058"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; workers fill it when they rate the runs again."""
    op.add_column("drive_test", sa.Column("counters", postgresql.JSONB(), nullable=True))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("drive_test", "counters")
