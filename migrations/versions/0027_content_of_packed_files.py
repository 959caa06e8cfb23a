"""What a run was read from is compared below its packing, so that packed copies continue a run."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds size and digest of the content; of files that came before they are those of the whole file."""
    op.add_column("run_source", sa.Column("content_bytes", sa.BigInteger(), nullable=True))
    op.add_column("run_source", sa.Column("content_sha256", sa.LargeBinary(), nullable=True))
    op.execute("UPDATE run_source SET content_bytes = size_bytes, content_sha256 = sha256")
    op.alter_column("run_source", "content_bytes", nullable=False)
    op.alter_column("run_source", "content_sha256", nullable=False)
    op.create_index(
        "ix_run_source_organisation_id_content_sha256", "run_source", ["organisation_id", "content_sha256"]
    )


def downgrade() -> None:
    """Takes them away."""
    op.drop_index("ix_run_source_organisation_id_content_sha256", table_name="run_source")
    op.drop_column("run_source", "content_sha256")
    op.drop_column("run_source", "content_bytes")
