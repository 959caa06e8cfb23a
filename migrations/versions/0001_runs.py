"""Organisations, access tokens, runs, series and intervals."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _instant(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _number(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _json(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, postgresql.JSONB(), nullable=nullable)


def upgrade() -> None:
    """Create the tables, one statement per execute."""
    op.create_table(
        "organisation",
        sa.Column("id", sa.Uuid(), nullable=False),
        _text("name"),
        _instant("created_at"),
        sa.PrimaryKeyConstraint("id", name="pk_organisation"),
        sa.UniqueConstraint("name", name="uq_organisation_name"),
    )
    op.create_table(
        "access_token",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        _text("name"),
        _text("scope"),
        sa.Column("token_sha256", sa.LargeBinary(), nullable=False),
        _instant("created_at"),
        _instant("last_used_at", nullable=True),
        _instant("revoked_at", nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_access_token"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_access_token_organisation_id_organisation"
        ),
        sa.UniqueConstraint("token_sha256", name="uq_access_token_token_sha256"),
        sa.CheckConstraint("scope IN ('agent', 'viewer')", name=op.f("ck_access_token_scope_known")),
        sa.CheckConstraint(
            "octet_length(token_sha256) = 32", name=op.f("ck_access_token_token_sha256_length")
        ),
    )
    op.create_index("ix_access_token_organisation_id", "access_token", ["organisation_id"])
    op.create_table(
        "run",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        _text("title"),
        _text("workload"),
        _text("state"),
        _text("outcome", nullable=True),
        _text("outcome_reason", nullable=True),
        _instant("started_at"),
        _number("started_at_unix_ns"),
        _number("planned_duration_ns"),
        _number("measured_duration_ns", nullable=True),
        _json("agent"),
        _json("host"),
        _json("plan"),
        sa.Column("content_sha256", sa.LargeBinary(), nullable=False),
        _json("finish", nullable=True),
        _instant("stop_requested_at", nullable=True),
        _instant("last_data_at", nullable=True),
        _number("data_through_ns"),
        _instant("created_at"),
        sa.PrimaryKeyConstraint("run_id", name="pk_run"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_run_organisation_id_organisation"
        ),
        sa.CheckConstraint("state IN ('running', 'finishing', 'finished')", name=op.f("ck_run_state_known")),
        sa.CheckConstraint(
            "outcome IN ('completed', 'stopped', 'failed', 'interrupted')", name=op.f("ck_run_outcome_known")
        ),
    )
    op.create_index(
        "ix_run_organisation_id_started_at_run_id", "run", ["organisation_id", "started_at", "run_id"]
    )
    op.create_index("ix_run_state", "run", ["state"], postgresql_where=sa.text("state <> 'finished'"))
    op.create_table(
        "series",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("series_no", sa.Integer(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        _text("operation"),
        _text("clock"),
        _text("kind"),
        _text("phase"),
        _text("host"),
        _text("device", nullable=True),
        _json("layout", nullable=True),
        sa.Column("pin_thresholds_ns", postgresql.ARRAY(sa.BigInteger()), nullable=False),
        sa.Column("target_rate_per_s", sa.Double(), nullable=True),
        _number("contiguous_seq"),
        _number("max_seq"),
        _number("received"),
        sa.PrimaryKeyConstraint("run_id", "series_no", name="pk_series"),
        sa.ForeignKeyConstraint(["run_id"], ["run.run_id"], name="fk_series_run_id_run", ondelete="CASCADE"),
        sa.CheckConstraint("kind IN ('tick', 'histogram')", name=op.f("ck_series_kind_known")),
        sa.CheckConstraint(
            "clock IN ('response', 'service', 'queue', 'operation')", name=op.f("ck_series_clock_known")
        ),
    )
    op.create_table(
        "interval",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("series_no", sa.Integer(), nullable=False),
        _number("seq"),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        _number("start_ns"),
        _number("duration_ns"),
        _number("count"),
        _number("errors"),
        _number("timeouts"),
        _number("unfinished"),
        _number("sum_ns"),
        _number("min_ns", nullable=True),
        _number("max_ns", nullable=True),
        _number("target_count", nullable=True),
        _number("lateness_max_ns"),
        sa.Column("pins", sa.LargeBinary(), nullable=False),
        sa.Column("histogram", sa.LargeBinary(), nullable=True),
        _instant("received_at"),
        sa.PrimaryKeyConstraint("run_id", "series_no", "seq", name="pk_interval"),
        postgresql_partition_by="RANGE (run_id)",
    )
    # Histograms are deflated already: compressing them again would only cost time.
    op.execute("ALTER TABLE interval ALTER COLUMN histogram SET STORAGE EXTERNAL")
    op.execute("CREATE TABLE interval_default PARTITION OF interval DEFAULT")
