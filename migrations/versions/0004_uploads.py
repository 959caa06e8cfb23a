"""Uploaded files, the runs read from them, and runs without buckets or with other buckets."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def _text(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _instant(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _sha256(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.LargeBinary(), nullable=False)


def _json(name: str, default: str | None = None, *, nullable: bool = False) -> sa.Column[object]:
    server_default = None if default is None else sa.text(f"'{default}'::jsonb")
    return sa.Column(name, postgresql.JSONB(), nullable=nullable, server_default=server_default)


def _of_organisation(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["organisation_id"], ["organisation.id"], name=f"fk_{table}_organisation_id_organisation"
    )


def _length(table: str, column: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(f"octet_length({column}) = 32", name=op.f(f"ck_{table}_{column}_length"))


def upgrade() -> None:
    """Create tables and columns, one statement per execute."""
    for column in (
        sa.Column("source", sa.Text(), nullable=False, server_default="agent"),
        _text("tool", nullable=True),
        _text("tool_version", nullable=True),
        _text("format", nullable=True),
        _text("end_state", nullable=True),
        sa.Column("closed_loop", sa.Boolean(), nullable=False, server_default=sa.text("false")),
        sa.Column("started_at_known", sa.Boolean(), nullable=False, server_default=sa.text("true")),
        _json("problems", "[]"),
        _json("missing", "[]"),
        _json("disclosed", "{}"),
        _json("claims", "[]"),
        sa.Column("visibility", sa.Text(), nullable=False, server_default="private"),
        _instant("published_at", nullable=True),
        _instant("retracted_at", nullable=True),
        _text("retraction_reason", nullable=True),
    ):
        op.add_column("run", column)
    op.create_check_constraint(op.f("ck_run_source_known"), "run", "source IN ('agent', 'upload')")
    op.create_check_constraint(
        op.f("ck_run_visibility_known"), "run", "visibility IN ('private', 'public', 'retracted')"
    )
    for column in (
        _json("statement", nullable=True),
        _text("semantics", nullable=True),
        _text("source_name", nullable=True),
    ):
        op.add_column("series", column)
    op.drop_constraint(op.f("ck_series_kind_known"), "series", type_="check")
    op.create_check_constraint(
        op.f("ck_series_kind_known"), "series", "kind IN ('tick', 'histogram', 'statement')"
    )
    op.alter_column("interval", "sum_ns", nullable=True)
    op.alter_column("slice", "sum_ns", nullable=True)
    op.create_table(
        "raw_file",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        _sha256("sha256"),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        _text("name"),
        _instant("stored_at"),
        sa.PrimaryKeyConstraint("organisation_id", "sha256", name="pk_raw_file"),
        _of_organisation("raw_file"),
        _length("raw_file", "sha256"),
        sa.CheckConstraint("size_bytes >= 0", name=op.f("ck_raw_file_size_counts")),
    )
    op.create_table(
        "upload",
        sa.Column("upload_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        _sha256("content_sha256"),
        _instant("created_at"),
        _instant("read_at", nullable=True),
        sa.PrimaryKeyConstraint("upload_id", name="pk_upload"),
        _of_organisation("upload"),
        sa.UniqueConstraint(
            "organisation_id", "content_sha256", name="uq_upload_organisation_id_content_sha256"
        ),
        _length("upload", "content_sha256"),
    )
    op.create_table(
        "upload_file",
        sa.Column("upload_id", sa.Uuid(), nullable=False),
        sa.Column("file_no", sa.Integer(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        _text("name"),
        _sha256("sha256"),
        _text("format", nullable=True),
        _text("tool", nullable=True),
        _text("tool_version", nullable=True),
        _text("reason", nullable=True),
        _text("refusal", nullable=True),
        _text("read_with", nullable=True),
        _json("problems"),
        sa.Column("run_ids", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.PrimaryKeyConstraint("upload_id", "file_no", name="pk_upload_file"),
        sa.ForeignKeyConstraint(
            ["upload_id"], ["upload.upload_id"], name="fk_upload_file_upload_id_upload", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "run_source",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        _sha256("sha256"),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        _text("member"),
        sa.Column("run_no", sa.Integer(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False),
        _text("name"),
        sa.Column("beside", postgresql.ARRAY(postgresql.BYTEA()), nullable=False),
        _instant("read_at"),
        sa.PrimaryKeyConstraint("run_id", "sha256", name="pk_run_source"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.run_id"], name="fk_run_source_run_id_run", ondelete="CASCADE"
        ),
        _length("run_source", "sha256"),
    )
    op.create_index(
        "ix_run_source_organisation_id_sha256",
        "run_source",
        ["organisation_id", "sha256", "member", "run_no"],
    )
