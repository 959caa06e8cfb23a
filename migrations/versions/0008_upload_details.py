"""Details of uploads: files that wait to be read, intended operation counts, and periods."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_UPLOAD = ("waiting", "attempts", "failure")
_SERIES = ("target_count", "missing_intervals", "periods")


def upgrade() -> None:
    """Create columns, and the indexes for lists and for finding unread uploads."""
    for column in (
        sa.Column("waiting", postgresql.JSONB(), nullable=False, server_default=sa.text("'{}'::jsonb")),
        sa.Column("attempts", sa.Integer(), nullable=False, server_default=sa.text("0")),
        sa.Column("failure", sa.Text(), nullable=True),
    ):
        op.add_column("upload", column)
    op.create_index(
        "ix_upload_organisation_id_created_at_upload_id",
        "upload",
        ["organisation_id", "created_at", "upload_id"],
    )
    op.create_index(
        "ix_upload_created_at",
        "upload",
        ["created_at"],
        postgresql_where=sa.text("read_at IS NULL AND failure IS NULL"),
    )
    op.create_index(
        "ix_run_started_at_run_id",
        "run",
        ["started_at", "run_id"],
        postgresql_where=sa.text("visibility = 'public'"),
    )
    op.add_column("upload_file", sa.Column("member", sa.Text(), nullable=False, server_default=""))
    for column in (
        sa.Column("target_count", sa.BigInteger(), nullable=True),
        sa.Column("missing_intervals", sa.BigInteger(), nullable=False, server_default=sa.text("0")),
        sa.Column("periods", postgresql.JSONB(), nullable=True),
    ):
        op.add_column("series", column)


def downgrade() -> None:
    """Drop the columns and indexes; unread uploads must be sent again."""
    for name in reversed(_SERIES):
        op.drop_column("series", name)
    op.drop_column("upload_file", "member")
    op.drop_index("ix_run_started_at_run_id", "run")
    op.drop_index("ix_upload_created_at", "upload")
    op.drop_index("ix_upload_organisation_id_created_at_upload_id", "upload")
    for name in reversed(_UPLOAD):
        op.drop_column("upload", name)
