"""An index that finds the runs of a qualification suite by the ID in their plans.

Revision ID: 0062
Revises: 0061
"""

import sqlalchemy as sa
from alembic import op

revision = "0062"
down_revision = "0061"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the index; it contains only runs of suites."""
    op.create_index(
        "ix_run_suite_id",
        "run",
        [sa.text("((plan -> 'qualify') ->> 'id')")],
        postgresql_where=sa.text("((plan -> 'qualify') ->> 'id') IS NOT NULL"),
    )


def downgrade() -> None:
    """Drop the index."""
    op.drop_index("ix_run_suite_id", "run")
