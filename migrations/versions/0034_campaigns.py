"""Enrolled agents and campaigns."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"
OWN = "organisation_id = current_setting('tailroom.organisation_id')::uuid"
MOMENT = sa.DateTime(timezone=True)
TABLES = ("enrolment_code", "command_key", "serving_agent", "campaign", "campaign_member")
LIST, OBJECT = sa.text("'[]'::jsonb"), sa.text("'{}'::jsonb")


def _of_organisation(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["organisation_id"], ["organisation.id"], name=f"fk_{table}_organisation_id_organisation"
    )


def upgrade() -> None:
    """Create the tables and their policies."""
    op.create_table(
        "enrolment_code",
        sa.Column("code_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("used_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("code_sha256", name="pk_enrolment_code"),
        _of_organisation("enrolment_code"),
        sa.CheckConstraint(
            "octet_length(code_sha256) = 32", name=op.f("ck_enrolment_code_code_sha256_length")
        ),
    )
    op.create_index("ix_enrolment_code_organisation_id", "enrolment_code", ["organisation_id"])
    op.create_table(
        "command_key",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("private_key", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("organisation_id", name="pk_command_key"),
        _of_organisation("command_key"),
        sa.CheckConstraint("octet_length(private_key) = 32", name=op.f("ck_command_key_private_key_length")),
    )
    op.create_table(
        "serving_agent",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("agent_id", sa.Uuid(), nullable=False),
        sa.Column("token_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", postgresql.JSONB(), nullable=False),
        sa.Column("inventory", postgresql.JSONB(), nullable=False),
        sa.Column("enrolled_at", MOMENT, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.Column("clock_error_ns", sa.BigInteger(), nullable=True),
        sa.Column("wall_clock_ahead_ns", sa.BigInteger(), nullable=True),
        sa.Column("last_command", sa.BigInteger(), nullable=False),
        sa.Column("refusals", postgresql.JSONB(), nullable=False, server_default=LIST),
        sa.Column("removed_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("organisation_id", "agent_id", name="pk_serving_agent"),
        _of_organisation("serving_agent"),
    )
    op.create_index("ix_serving_agent_token_id", "serving_agent", ["token_id"])
    op.create_table(
        "campaign",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("on_lost", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("stop_requested_at", MOMENT, nullable=True),
        sa.Column("repeat_of", sa.Uuid(), nullable=True),
        sa.Column("phases", postgresql.JSONB(), nullable=False, server_default=LIST),
        sa.PrimaryKeyConstraint("organisation_id", "campaign_id", name="pk_campaign"),
        _of_organisation("campaign"),
        sa.CheckConstraint(
            "state IN ('preparing', 'loading', 'running', 'ended')", name=op.f("ck_campaign_state_known")
        ),
        sa.CheckConstraint(
            "outcome IN ('completed', 'stopped', 'failed')", name=op.f("ck_campaign_outcome_known")
        ),
        sa.CheckConstraint("on_lost IN ('end', 'degrade')", name=op.f("ck_campaign_on_lost_known")),
    )
    op.create_index("ix_campaign_organisation_id_created_at", "campaign", ["organisation_id", "created_at"])
    op.create_index(
        "ix_campaign_active", "campaign", ["campaign_id"], postgresql_where=sa.text("state <> 'ended'")
    )
    op.create_table(
        "campaign_member",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("campaign_id", sa.Uuid(), nullable=False),
        sa.Column("agent_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("step", sa.Text(), nullable=True),
        sa.Column("phase", sa.Integer(), nullable=True),
        sa.Column("explained", postgresql.JSONB(none_as_null=True), nullable=True),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("runs", postgresql.JSONB(), nullable=False, server_default=OBJECT),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.Column("clock_error_ns", sa.BigInteger(), nullable=True),
        sa.Column("lost_at", MOMENT, nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("organisation_id", "campaign_id", "agent_id", name="pk_campaign_member"),
        _of_organisation("campaign_member"),
        sa.CheckConstraint(
            "state IN ('offered', 'active', 'lost', 'done')", name=op.f("ck_campaign_member_state_known")
        ),
    )
    op.create_index(
        "ix_campaign_member_active",
        "campaign_member",
        ["agent_id"],
        postgresql_where=sa.text("state IN ('offered', 'active')"),
    )
    for table in TABLES:
        op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {ROLE}")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"CREATE POLICY own ON {table} TO {ROLE} USING ({OWN})")


def downgrade() -> None:
    """Drop the tables; agents must enrol again, and campaigns are lost; their runs remain."""
    for table in reversed(TABLES):
        op.drop_table(table)
