"""Load generator's state per slice: lateness, processor time, and the number of unreliable intervals."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_NUMBERS = ("late_intervals", "busy_intervals", "doubtful_intervals")
_EXTREMES = ("lateness_p99_ns", "busy_ppm")


def upgrade() -> None:
    """Create the columns; existing slices get no lateness and no unreliable intervals."""
    for name in _EXTREMES:
        op.add_column("slice", sa.Column(name, sa.BigInteger(), nullable=True))
    for name in _NUMBERS:
        op.add_column("slice", sa.Column(name, sa.BigInteger(), nullable=False, server_default=sa.text("0")))


def downgrade() -> None:
    """Drop the columns."""
    for name in reversed((*_EXTREMES, *_NUMBERS)):
        op.drop_column("slice", name)
