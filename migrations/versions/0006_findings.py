"""What the plausibility checks found in publications and runs."""

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Filled in by the change that needs it."""


def downgrade() -> None:
    """Filled in by the change that needs it."""
