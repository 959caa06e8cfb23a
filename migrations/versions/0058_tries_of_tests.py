"""How many runs of the same plan and drive an organisation made, beside its published tests."""

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column; tests of runs are made again and fill it."""
    op.add_column("drive_test", sa.Column("tries", sa.Integer()))


def downgrade() -> None:
    """Drops the column."""
    op.drop_column("drive_test", "tries")
