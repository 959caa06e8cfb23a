"""Chains of linked runs: new tables, visible only to the owning organisation."""

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"
TABLES = ("chain", "chain_hop")


def upgrade() -> None:
    """Create the tables and their policies."""
    op.create_table(
        "chain",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("chain_id", sa.Uuid(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("confirmed_by", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("organisation_id", "chain_id", name="pk_chain"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_chain_organisation_id_organisation"
        ),
        sa.CheckConstraint(
            "confirmed_by IN ('person', 'campaign')", name=op.f("ck_chain_confirmed_by_known")
        ),
    )
    op.create_table(
        "chain_hop",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("chain_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("layer", sa.Text(), nullable=False),
        sa.Column("operation", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("run_id", "chain_id", name="pk_chain_hop"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.run_id"], name="fk_chain_hop_run_id_run", ondelete="CASCADE"
        ),
        sa.CheckConstraint(
            "layer IN ('device', 'server', 'database', 'network')", name=op.f("ck_chain_hop_layer_known")
        ),
    )
    op.create_index("ix_chain_hop_organisation_id_chain_id", "chain_hop", ["organisation_id", "chain_id"])
    for table in TABLES:
        op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {ROLE}")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(
            f"CREATE POLICY own ON {table} TO {ROLE}"
            " USING (organisation_id = current_setting('tailroom.organisation_id')::uuid)"
        )


def downgrade() -> None:
    """Drop the tables; the runs remain."""
    for table in reversed(TABLES):
        op.drop_table(table)
