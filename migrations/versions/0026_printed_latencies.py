"""Series keep the latencies that their tool prints, to be shown beside what they support."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column, empty for runs that were read before."""
    op.add_column(
        "series",
        sa.Column("printed", postgresql.JSONB(), nullable=False, server_default=sa.text("'[]'::jsonb")),
    )


def downgrade() -> None:
    """Takes it away."""
    op.drop_column("series", "printed")
