"""An index that finds the runs of a load ladder by the ID in their plans."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the index; it contains only runs of ladders."""
    op.create_index(
        "ix_run_organisation_id_ladder_id",
        "run",
        ["organisation_id", sa.text("((plan -> 'ladder') ->> 'id')")],
        postgresql_where=sa.text("((plan -> 'ladder') ->> 'id') IS NOT NULL"),
    )


def downgrade() -> None:
    """Drop the index."""
    op.drop_index("ix_run_organisation_id_ladder_id", "run")
