"""The worst verdict of a run as a column, so that lists are sorted without reading verdicts."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0019"
branch_labels = None
depends_on = None

_BUILT_IN = (
    "act-limits",
    "act-performance",
    "act-stress",
    "fraud-250-sequential",
    "fraud-250-parallel",
    "m2g2",
)
_WORST = """
UPDATE run SET {column} = worst.place FROM (
  SELECT run_id, max(CASE verdict WHEN 'PASS' THEN 0 WHEN 'INDETERMINATE' THEN 1 ELSE 2 END) AS place
  FROM (
    SELECT DISTINCT ON (run_id, budget_name) run_id, verdict FROM verdict {of}
    ORDER BY run_id, budget_name, budget_version DESC, method_version DESC
  ) AS newest GROUP BY run_id
) AS worst WHERE run.run_id = worst.run_id
"""


def upgrade() -> None:
    """Add both columns and fill them from the existing verdicts."""
    for column in ("worst_verdict", "worst_built_in_verdict"):
        op.add_column("run", sa.Column(column, sa.SmallInteger(), nullable=True))
    op.execute(_WORST.format(column="worst_verdict", of=""))
    names = ", ".join(f"'{name}'" for name in _BUILT_IN)
    op.execute(_WORST.format(column="worst_built_in_verdict", of=f"WHERE budget_name IN ({names})"))


def downgrade() -> None:
    """Drop the columns."""
    op.drop_column("run", "worst_built_in_verdict")
    op.drop_column("run", "worst_verdict")
