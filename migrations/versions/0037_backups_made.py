"""When backups were made: a new table of whoever looks after the installation."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the table. No organisation's transaction reads it."""
    op.create_table(
        "backup_made",
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("dump_bytes", sa.BigInteger(), nullable=False),
        sa.Column("files_bytes", sa.BigInteger(), nullable=False),
        sa.Column("files_missing", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("made_at", name="pk_backup_made"),
    )


def downgrade() -> None:
    """Drops the table; backups themselves stay where they are."""
    op.drop_table("backup_made")
