"""Times and sizes of backups, for the installation's operator."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, which the role of organisations cannot access."""
    op.create_table(
        "backup_made",
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("dump_bytes", sa.BigInteger(), nullable=False),
        sa.Column("files_bytes", sa.BigInteger(), nullable=False),
        sa.Column("files_missing", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("made_at", name="pk_backup_made"),
    )


def downgrade() -> None:
    """Drop the table; the backups themselves remain."""
    op.drop_table("backup_made")
