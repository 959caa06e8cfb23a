"""Searching campaigns wait for a lost agent and then repeat the unfinished probe.

Revision ID: 0064
Revises: 0063
"""

import sqlalchemy as sa
from alembic import op

revision = "0064"
down_revision = "0063"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both columns; no existing campaign waits."""
    op.add_column("campaign", sa.Column("interrupted_at", sa.DateTime(timezone=True)))
    op.add_column("campaign", sa.Column("interruptions", sa.Integer(), server_default="0", nullable=False))


def downgrade() -> None:
    """Drop both columns."""
    op.drop_column("campaign", "interruptions")
    op.drop_column("campaign", "interrupted_at")
