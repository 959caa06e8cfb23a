"""Quotas of organisations: a new table that an organisation may read but not write."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"
LIMITS = ("runs", "stored_bytes", "uploads_per_day", "agents", "requests_per_minute")


def upgrade() -> None:
    """Create the table and its policy."""
    op.create_table(
        "quota",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=True) for name in LIMITS),
        sa.PrimaryKeyConstraint("organisation_id", name="pk_quota"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_quota_organisation_id_organisation"
        ),
        sa.CheckConstraint(f"least({', '.join(LIMITS)}) >= 0", name=op.f("ck_quota_limits_count")),
    )
    op.execute(f"GRANT SELECT ON quota TO {ROLE}")
    op.execute("ALTER TABLE quota ENABLE ROW LEVEL SECURITY")
    op.execute(
        f"CREATE POLICY own ON quota TO {ROLE}"
        " USING (organisation_id = current_setting('tailroom.organisation_id')::uuid)"
    )


def downgrade() -> None:
    """Drop the table; quotas end."""
    op.drop_table("quota")
