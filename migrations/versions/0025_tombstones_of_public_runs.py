"""Every organisation may read the tombstones of public runs."""

from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the policy; no row changes."""
    op.execute("CREATE POLICY shown ON tombstone FOR SELECT TO tailroom_member USING (was_public)")


def downgrade() -> None:
    """Drop the policy."""
    op.execute("DROP POLICY shown ON tombstone")
