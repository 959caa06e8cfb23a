"""The number of runs of an organisation with the plan and drive of a published test."""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; tests of runs are created again and fill it."""
    op.add_column("drive_test", sa.Column("tries", sa.Integer()))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("drive_test", "tries")
