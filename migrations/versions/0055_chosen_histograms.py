"""The histograms that were selected from a file of many when a run was read."""

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, empty for existing files, of which all histograms were read."""
    op.add_column("run_source", sa.Column("chosen", sa.Text(), nullable=False, server_default=""))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("run_source", "chosen")
