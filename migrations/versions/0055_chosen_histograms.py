"""Which histograms of a file with many a run was read from."""

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column; of earlier files everything was read."""
    op.add_column("run_source", sa.Column("chosen", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """Drops the column."""
    op.drop_column("run_source", "chosen")
