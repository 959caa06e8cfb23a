"""Campaigns that search for the highest load instead of measuring the phases of their plan.

Revision ID: 0063
Revises: 0062
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0063"
down_revision = "0062"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both columns, null for existing campaigns, which measure phases."""
    op.add_column("campaign", sa.Column("search", postgresql.JSONB(none_as_null=True)))
    op.add_column("campaign_member", sa.Column("probe", postgresql.JSONB(none_as_null=True)))


def downgrade() -> None:
    """Drop both columns."""
    op.drop_column("campaign_member", "probe")
    op.drop_column("campaign", "search")
