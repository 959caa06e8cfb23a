"""Figures over time from the logs of a machine, beside runs.

Revision ID: 0041
Revises: 0040
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for existing runs until their files are sent again."""
    op.add_column(
        "run", sa.Column("courses", postgresql.JSONB(), nullable=False, server_default=sa.text("'[]'::jsonb"))
    )


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("run", "courses")
