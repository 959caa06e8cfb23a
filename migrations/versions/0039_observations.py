"""Observed figures of machines: new tables, visible only to the owning organisation."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"
OWN = "organisation_id = current_setting('tailroom.organisation_id')::uuid"
MOMENT = sa.DateTime(timezone=True)
TABLES = ("observation", "observation_part")
LIST = sa.text("'[]'::jsonb")


def _of_organisation(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["organisation_id"], ["organisation.id"], name=f"fk_{table}_organisation_id_organisation"
    )


def upgrade() -> None:
    """Create the tables and their policies."""
    op.create_table(
        "observation",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("observation_id", sa.Uuid(), nullable=False),
        sa.Column("host_name", sa.Text(), nullable=False),
        sa.Column("servers", postgresql.JSONB(), nullable=False, server_default=LIST),
        sa.Column("started_at_unix_ns", sa.BigInteger(), nullable=False),
        sa.Column("clock_error_ns", sa.BigInteger(), nullable=True),
        sa.Column("gauges", postgresql.JSONB(), nullable=False),
        sa.Column("unknown", postgresql.JSONB(), nullable=False, server_default=LIST),
        sa.Column("agent", postgresql.JSONB(), nullable=False),
        sa.Column("samples", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
        sa.Column("ended_at_sample", sa.BigInteger(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("last_data_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("organisation_id", "observation_id", name="pk_observation"),
        _of_organisation("observation"),
        sa.CheckConstraint("samples >= 0", name=op.f("ck_observation_samples_counted")),
    )
    op.create_index(
        "ix_observation_organisation_id_started_at_unix_ns",
        "observation",
        ["organisation_id", "started_at_unix_ns"],
    )
    op.create_table(
        "observation_part",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("observation_id", sa.Uuid(), nullable=False),
        sa.Column("gauge_group", sa.Text(), nullable=False),
        sa.Column("first_sample", sa.BigInteger(), nullable=False),
        sa.Column("samples", sa.Integer(), nullable=False),
        sa.Column("numbers", postgresql.JSONB(), nullable=False),
        sa.PrimaryKeyConstraint(
            "organisation_id",
            "observation_id",
            "gauge_group",
            "first_sample",
            name="pk_observation_part",
        ),
        _of_organisation("observation_part"),
    )
    for table in TABLES:
        op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {ROLE}")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"CREATE POLICY own ON {table} TO {ROLE} USING ({OWN})")


def downgrade() -> None:
    """Drop the tables; observations are lost."""
    for table in reversed(TABLES):
        op.drop_table(table)
