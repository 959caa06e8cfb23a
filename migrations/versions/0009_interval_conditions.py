"""Conditions of an interval: lateness, processor time, operations in flight, and temperature."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_COLUMNS = ("lateness_p99_ns", "busy_ns", "in_flight", "oldest_in_flight_ns", "temperature_millicelsius")


def upgrade() -> None:
    """Create the columns in the table and all its partitions; without a default, no row is rewritten."""
    for name in _COLUMNS:
        op.add_column("interval", sa.Column(name, sa.BigInteger(), nullable=True))


def downgrade() -> None:
    """Drop the columns."""
    for name in reversed(_COLUMNS):
        op.drop_column("interval", name)
