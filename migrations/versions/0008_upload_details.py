"""What uploads carry beyond their intervals."""

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Filled in by the change that needs it."""


def downgrade() -> None:
    """Filled in by the change that needs it."""
