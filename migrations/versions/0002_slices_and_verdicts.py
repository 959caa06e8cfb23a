"""Slices, the last interval rolled up into them, and verdicts."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def _number(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def _integer(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _text(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _bytes(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.LargeBinary(), nullable=nullable)


def _id(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.Uuid(), nullable=False)


def _of_run(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["run_id"], ["run.run_id"], name=f"fk_{table}_run_id_run", ondelete="CASCADE"
    )


def upgrade() -> None:
    """Create the tables, one statement per execute."""
    op.create_table(
        "slice",
        _id("run_id"),
        _integer("series_no"),
        _text("width"),
        _number("slice_no"),
        _id("organisation_id"),
        _number("start_ns"),
        _number("duration_ns"),
        _number("interval_count"),
        _number("count"),
        _number("errors"),
        _number("timeouts"),
        _number("unfinished"),
        _number("sum_ns"),
        _number("min_ns", nullable=True),
        _number("max_ns", nullable=True),
        _number("target_count", nullable=True),
        _number("lateness_max_ns"),
        _bytes("pins"),
        _bytes("histogram", nullable=True),
        sa.PrimaryKeyConstraint("run_id", "series_no", "width", "slice_no", name="pk_slice"),
        _of_run("slice"),
        sa.CheckConstraint("width IN ('minute', 'hour', 'run')", name=op.f("ck_slice_width_known")),
    )
    op.execute("ALTER TABLE slice ALTER COLUMN histogram SET STORAGE EXTERNAL")
    op.create_table(
        "rollup_state",
        _id("run_id"),
        _integer("series_no"),
        _id("organisation_id"),
        _number("through_seq"),
        sa.PrimaryKeyConstraint("run_id", "series_no", name="pk_rollup_state"),
        _of_run("rollup_state"),
    )
    op.create_table(
        "analysis_state",
        _id("run_id"),
        _id("organisation_id"),
        _integer("method_version"),
        _number("judged_intervals"),
        _text("judged_state", nullable=True),
        sa.Column("is_final", sa.Boolean(), nullable=False),
        sa.Column("computed_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("run_id", name="pk_analysis_state"),
        _of_run("analysis_state"),
    )
    op.create_index(
        "ix_analysis_state_run_id_unfinished",
        "analysis_state",
        ["run_id"],
        postgresql_where=sa.text("NOT is_final"),
    )
    op.create_table(
        "verdict",
        _id("run_id"),
        _id("verdict_id"),
        _id("organisation_id"),
        _text("budget_name"),
        _integer("budget_version"),
        _integer("method_version"),
        _text("kind"),
        _text("verdict"),
        _text("reason", nullable=True),
        sa.Column("provisional", sa.Boolean(), nullable=False),
        _number("data_through_ns"),
        _bytes("fingerprint"),
        sa.Column("result", postgresql.JSONB(), nullable=False),
        sa.Column("computed_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "verdict_id", name="pk_verdict"),
        sa.UniqueConstraint(
            "run_id",
            "budget_name",
            "budget_version",
            "method_version",
            name="uq_verdict_run_id_budget_name_budget_version_method_version",
        ),
        _of_run("verdict"),
        sa.CheckConstraint(
            "verdict IN ('PASS', 'FAIL', 'INDETERMINATE')", name=op.f("ck_verdict_verdict_known")
        ),
        sa.CheckConstraint(
            "(verdict = 'INDETERMINATE') = (reason IS NOT NULL)",
            name=op.f("ck_verdict_reason_where_undecided"),
        ),
    )
