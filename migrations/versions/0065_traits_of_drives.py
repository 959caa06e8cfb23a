"""Traits that the drives of a tested load report about themselves.

Revision ID: 0065
Revises: 0064
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0065"
down_revision = "0064"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; workers fill it when they rate the runs again."""
    op.add_column("drive_test", sa.Column("traits", postgresql.JSONB(), nullable=True))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("drive_test", "traits")
