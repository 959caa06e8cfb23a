"""The runs of one load ladder are found by the id that their plans name."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates the index; runs outside of ladders are not in it."""
    op.create_index(
        "ix_run_organisation_id_ladder_id",
        "run",
        ["organisation_id", sa.text("((plan -> 'ladder') ->> 'id')")],
        postgresql_where=sa.text("((plan -> 'ladder') ->> 'id') IS NOT NULL"),
    )


def downgrade() -> None:
    """Takes it away."""
    op.drop_index("ix_run_organisation_id_ladder_id", "run")
