"""The strength of a stored verdict: proven for the next run, or observed in this run."""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None

_WORST = ("worst_verdict", "worst_built_in_verdict")
"""Ranks of the worst verdict: PASS, undecided, FAIL; from now on, strength refines the rank."""


def upgrade() -> None:
    """Add the column; verdicts of earlier method versions have no strength and rank as observed."""
    op.add_column("verdict", sa.Column("strength", sa.Text(), nullable=True))
    op.create_check_constraint(
        op.f("ck_verdict_strength_known"), "verdict", "strength IN ('proven', 'observed')"
    )
    for column in _WORST:
        op.execute(
            f"UPDATE run SET {column} = CASE {column} WHEN 0 THEN 1 WHEN 1 THEN 2 ELSE 3 END "  # noqa: S608 - names of columns above
            f"WHERE {column} IS NOT NULL"
        )


def downgrade() -> None:
    """Restore the earlier ranks and drop the column."""
    for column in _WORST:
        op.execute(
            f"UPDATE run SET {column} = CASE WHEN {column} < 2 THEN 0 WHEN {column} = 2 THEN 1 ELSE 2 END "  # noqa: S608 - names of columns above
            f"WHERE {column} IS NOT NULL"
        )
    op.drop_column("verdict", "strength")
