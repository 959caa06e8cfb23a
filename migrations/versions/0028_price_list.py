"""Price lists: a new table, visible only to the owning organisation."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"


def upgrade() -> None:
    """Create the table and its policy."""
    op.create_table(
        "price_list",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("drive_slug", sa.Text(), nullable=False),
        sa.Column("capacity_bytes", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("price", sa.Double(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("power_w", sa.Double(), nullable=True),
        sa.Column("dwpd", sa.Double(), nullable=True),
        sa.Column("stated_on", sa.Date(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("organisation_id", "drive_slug", "capacity_bytes", name="pk_price_list"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_price_list_organisation_id_organisation"
        ),
        sa.CheckConstraint("price > 0", name=op.f("ck_price_list_price_is_positive")),
    )
    op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON price_list TO {ROLE}")
    op.execute("ALTER TABLE price_list ENABLE ROW LEVEL SECURITY")
    op.execute(
        f"CREATE POLICY own ON price_list TO {ROLE}"
        " USING (organisation_id = current_setting('tailroom.organisation_id')::uuid)"
    )


def downgrade() -> None:
    """Drop the table with its rows."""
    op.drop_table("price_list")
