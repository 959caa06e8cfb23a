"""The drives of a test, by firmware and hashes of serial numbers."""

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; tests of runs are created again and fill them."""
    op.add_column("drive_test", sa.Column("firmware", sa.Text()))
    op.add_column("drive_test", sa.Column("serials_sha256", sa.Text()))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("drive_test", "serials_sha256")
    op.drop_column("drive_test", "firmware")
