"""Strength, words and method version of the verdict on a watched run."""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, null for existing results."""
    op.add_column("watch_result", sa.Column("strength", sa.Text(), nullable=True))
    op.add_column("watch_result", sa.Column("words", sa.Text(), nullable=True))
    op.add_column("watch_result", sa.Column("method_version", sa.Integer(), nullable=True))
    op.create_check_constraint(
        op.f("ck_watch_result_strength_known"), "watch_result", "strength IN ('proven', 'observed')"
    )


def downgrade() -> None:
    """Drop the columns."""
    for column in ("strength", "words", "method_version"):
        op.drop_column("watch_result", column)
