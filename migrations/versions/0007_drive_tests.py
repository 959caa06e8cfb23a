"""Tested loads of drives, whatever the evidence."""

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Filled in by the change that needs it."""


def downgrade() -> None:
    """Filled in by the change that needs it."""
