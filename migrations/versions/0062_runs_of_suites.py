"""The runs of a qualification suite are found by the id that their plans name.

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
    """Creates the index; other runs are not in it."""
    op.create_index(
        "ix_run_suite_id",
        "run",
        [sa.text("((plan -> 'qualify') ->> 'id')")],
        postgresql_where=sa.text("((plan -> 'qualify') ->> 'id') IS NOT NULL"),
    )


def downgrade() -> None:
    """Drops the index."""
    op.drop_index("ix_run_suite_id", "run")
