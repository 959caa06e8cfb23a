"""How far a stored verdict carries: proven for the next run, or observed in this one."""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None

_WORST = ("worst_verdict", "worst_built_in_verdict")
"""Places of the worst verdict among PASS, undecided, FAIL; from now on among these with their strength."""


def upgrade() -> None:
    """Adds the column; verdicts by earlier versions of the method have no strength and rank as observed."""
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
    """Drops the column."""
    for column in _WORST:
        op.execute(
            f"UPDATE run SET {column} = CASE WHEN {column} < 2 THEN 0 WHEN {column} = 2 THEN 1 ELSE 2 END "  # noqa: S608 - names of columns above
            f"WHERE {column} IS NOT NULL"
        )
    op.drop_column("verdict", "strength")
