"""Tested loads of drives, from runs and from publications."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_EMPTY = sa.text("'{}'")
_KNOWN = {
    "visibility": ("private", "public", "retracted"),
    "metric_class": ("total", "device", "unstated"),
    "op_class": ("none", "over_provisioned", "unstated"),
    "generation": ("before-2.0", "2-5", "6+", "unstated"),
    "evidence": ("measured_24h", "measured", "uploaded", "third_party", "vendor"),
}


def _check(rule: str, name: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(rule, name=op.f(f"ck_drive_test_{name}"))


def _known(column: str) -> sa.CheckConstraint:
    values = ", ".join(f"'{value}'" for value in _KNOWN[column])
    return _check(f"{column} IN ({values})", f"{column}_known")


def upgrade() -> None:
    """Create the tables and their indexes, one statement per execute."""
    op.create_table(
        "drive_test",
        sa.Column("test_id", sa.Text(), nullable=False),
        sa.Column("organisation_id", sa.Uuid()),
        sa.Column("run_id", sa.Uuid()),
        sa.Column("publication_slug", sa.Text()),
        sa.Column("publication_row", sa.Text()),
        sa.Column("claim_keys", postgresql.ARRAY(sa.Text()), nullable=False, server_default=_EMPTY),
        sa.Column("source_title", sa.Text(), nullable=False),
        sa.Column("publisher", sa.Text()),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("drive_slug", sa.Text(), nullable=False),
        sa.Column("capacity_bytes", sa.BigInteger()),
        sa.Column("op_class", sa.Text(), nullable=False),
        sa.Column("usable_ratio", sa.Double()),
        sa.Column("op_as_printed", sa.Text()),
        sa.Column("metric_class", sa.Text(), nullable=False),
        sa.Column("generation", sa.Text(), nullable=False),
        sa.Column("load_multiple", sa.Double(), nullable=False),
        sa.Column("load_as_printed", sa.Text()),
        sa.Column("duration_ns", sa.BigInteger()),
        sa.Column("record_bytes", sa.BigInteger()),
        sa.Column("write_ratio", sa.Double()),
        sa.Column("preconditioned", sa.Boolean()),
        sa.Column("tool", sa.Text()),
        sa.Column("tool_version", sa.Text()),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("tested_at", sa.Text()),
        sa.Column("operation", sa.Text()),
        sa.Column("clock", sa.Text()),
        sa.Column("total_count", sa.BigInteger()),
        sa.Column("design_factor", sa.Double(), nullable=False, server_default=sa.text("1")),
        sa.Column("full_hours", sa.Integer()),
        sa.Column("doubt", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("doubt_text", sa.Text()),
        sa.Column("device_failed", sa.Boolean(), nullable=False, server_default=sa.text("false")),
        sa.Column("thresholds", sa.LargeBinary(), nullable=False),
        sa.Column("ends", sa.LargeBinary(), nullable=False),
        sa.Column("as_printed", postgresql.JSONB(), nullable=False, server_default=sa.text("'{}'::jsonb")),
        sa.Column("missing_disclosure", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("marks", postgresql.ARRAY(sa.Text()), nullable=False, server_default=_EMPTY),
        sa.Column("mark_notes", postgresql.ARRAY(sa.Text()), nullable=False, server_default=_EMPTY),
        sa.Column("fingerprint", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("test_id", name="pk_drive_test"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_drive_test_organisation_id_organisation"
        ),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.run_id"], name="fk_drive_test_run_id_run", ondelete="CASCADE"
        ),
        _check("(run_id IS NULL) <> (publication_slug IS NULL)", "one_source"),
        _check("(run_id IS NULL) = (organisation_id IS NULL)", "runs_have_owners"),
        *(_known(column) for column in _KNOWN),
        _check("load_multiple > 0", "load_counts"),
        _check(
            "octet_length(ends) = 6 * octet_length(thresholds) AND octet_length(thresholds) % 8 = 0",
            "ends_of_thresholds",
        ),
        _check("octet_length(fingerprint) = 32", "fingerprint_length"),
    )
    op.create_index("ix_drive_test_drive_slug", "drive_test", ["drive_slug"])
    op.create_index("ix_drive_test_run_id", "drive_test", ["run_id"])
    op.create_index("ix_drive_test_organisation_id", "drive_test", ["organisation_id"])
    op.create_table(
        "rating_revision",
        sa.Column("scope_id", sa.Uuid(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("scope_id", name="pk_rating_revision"),
    )
    op.create_table(
        "rated_run",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("source_key", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", name="pk_rated_run"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.run_id"], name="fk_rated_run_run_id_run", ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("rated_run")
    op.drop_table("rating_revision")
    op.drop_table("drive_test")
