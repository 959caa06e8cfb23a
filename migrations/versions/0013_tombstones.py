"""Tombstones of deleted objects, and the number of a run's data classes that retention has deleted."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table and the column; so far no data of existing runs were deleted by class."""
    op.create_table(
        "tombstone",
        sa.Column("subject", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("was_public", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("subject", name="pk_tombstone"),
        sa.CheckConstraint("kind IN ('run', 'upload', 'organisation')", name="kind_known"),
    )
    op.add_column(
        "run", sa.Column("expired_classes", sa.SmallInteger(), server_default=sa.text("0"), nullable=False)
    )
    op.create_index("ix_run_expired_classes_last_data_at", "run", ["expired_classes", "last_data_at"])


def downgrade() -> None:
    """Drop the table and the column."""
    op.drop_index("ix_run_expired_classes_last_data_at", "run")
    op.drop_column("run", "expired_classes")
    op.drop_table("tombstone")
