"""How long an organisation's data are stored, where its owners want less than the installation stores."""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

DAYS = tuple(f"{name}_retention_days" for name in ("tick", "interval", "minute", "raw_file"))


def upgrade() -> None:
    """Adds the columns, which are empty until an owner sets them."""
    for name in DAYS:
        op.add_column("organisation", sa.Column(name, sa.BigInteger(), nullable=True))
    op.create_check_constraint(
        op.f("ck_organisation_retention_days_count"), "organisation", f"least({', '.join(DAYS)}) >= 1"
    )


def downgrade() -> None:
    """Drops the columns; everything is stored as long as the installation stores."""
    op.drop_constraint(op.f("ck_organisation_retention_days_count"), "organisation")
    for name in DAYS:
        op.drop_column("organisation", name)
