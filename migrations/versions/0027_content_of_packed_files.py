"""Size and digest of uncompressed files, so that a compressed copy is recognised as part of the same run."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; for existing files they are the size and digest of the file as sent."""
    op.add_column("run_source", sa.Column("content_bytes", sa.BigInteger(), nullable=True))
    op.add_column("run_source", sa.Column("content_sha256", sa.LargeBinary(), nullable=True))
    op.execute("UPDATE run_source SET content_bytes = size_bytes, content_sha256 = sha256")
    op.alter_column("run_source", "content_bytes", nullable=False)
    op.alter_column("run_source", "content_sha256", nullable=False)
    op.create_index(
        "ix_run_source_organisation_id_content_sha256", "run_source", ["organisation_id", "content_sha256"]
    )


def downgrade() -> None:
    """Drop the columns."""
    op.drop_index("ix_run_source_organisation_id_content_sha256", table_name="run_source")
    op.drop_column("run_source", "content_sha256")
    op.drop_column("run_source", "content_bytes")
