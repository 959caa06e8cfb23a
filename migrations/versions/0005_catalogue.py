"""Drives, servers, networks, databases and workloads with their facts; publications and their claims."""

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Filled in by the change that needs it."""


def downgrade() -> None:
    """Filled in by the change that needs it."""
