"""Everybody may read that a run which was public has been deleted."""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the policy. No row is changed."""
    op.execute("CREATE POLICY shown ON tombstone FOR SELECT TO tailroom_member USING (was_public)")


def downgrade() -> None:
    """Takes it away."""
    op.execute("DROP POLICY shown ON tombstone")
