"""Retention periods of an organisation that are shorter than the installation's."""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

DAYS = tuple(f"{name}_retention_days" for name in ("tick", "interval", "minute", "raw_file"))


def upgrade() -> None:
    """Add the columns, null until an owner sets them."""
    for name in DAYS:
        op.add_column("organisation", sa.Column(name, sa.BigInteger(), nullable=True))
    op.create_check_constraint(
        op.f("ck_organisation_retention_days_count"), "organisation", f"least({', '.join(DAYS)}) >= 1"
    )


def downgrade() -> None:
    """Drop the columns; the installation's retention applies to all organisations."""
    op.drop_constraint(op.f("ck_organisation_retention_days_count"), "organisation")
    for name in DAYS:
        op.drop_column("organisation", name)
