"""A table of due work, instead of periodic searches for it.

Existing work is inserted: runs without final verdicts, and unread uploads. Work that depends on the version
of a computation is added when the reference data are loaded.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the tables and insert the work that is due."""
    op.create_table(
        "work",
        sa.Column("subject", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("lane", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revision", sa.BigInteger(), server_default=sa.text("1"), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("claim_id", sa.Uuid()),
        sa.Column("claimed_until", sa.DateTime(timezone=True)),
        sa.Column("error", sa.Text()),
        sa.Column("given_up_at", sa.DateTime(timezone=True)),
        sa.Column("details", JSONB(none_as_null=True)),
        sa.PrimaryKeyConstraint("subject", "kind", name="pk_work"),
        sa.CheckConstraint("lane IN ('judging', 'renewal', 'uploads', 'housekeeping')", name="lane_known"),
        sa.CheckConstraint("(claim_id IS NULL) = (claimed_until IS NULL)", name="claims_end"),
    )
    op.create_index(
        "ix_work_due",
        "work",
        ["lane", "organisation_id", "due_at", sa.text("subject DESC")],
        postgresql_where=sa.text("given_up_at IS NULL"),
    )
    op.create_index(
        "ix_work_claimed",
        "work",
        ["lane", "organisation_id"],
        postgresql_where=sa.text("claim_id IS NOT NULL"),
    )
    op.create_index(
        "ix_work_given_up",
        "work",
        ["organisation_id", "given_up_at"],
        postgresql_where=sa.text("given_up_at IS NOT NULL"),
    )
    op.create_table(
        "work_turn",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("lane", sa.Text(), nullable=False),
        sa.Column("served_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("organisation_id", "lane", name="pk_work_turn"),
    )
    op.execute(
        "INSERT INTO work (subject, kind, organisation_id, lane, due_at)"
        " SELECT run.run_id, 'judge', run.organisation_id, 'judging', now() FROM run"
        " LEFT JOIN analysis_state USING (run_id)"
        " WHERE analysis_state.is_final IS NOT TRUE"
    )
    op.execute(
        "INSERT INTO work (subject, kind, organisation_id, lane, due_at)"
        " SELECT upload_id, 'read_upload', organisation_id, 'uploads', now() FROM upload"
        " WHERE read_at IS NULL AND failure IS NULL AND waiting ? 'files'"
    )
    op.drop_index("ix_upload_created_at", "upload")
    op.drop_column("upload", "attempts")
    op.drop_index("ix_analysis_state_run_id_unfinished", "analysis_state")
    op.add_column("rated_run", sa.Column("form", sa.Integer(), server_default=sa.text("1"), nullable=False))


def downgrade() -> None:
    """Drop the tables; the previous release finds work by searching."""
    op.drop_column("rated_run", "form")
    op.create_index(
        "ix_analysis_state_run_id_unfinished",
        "analysis_state",
        ["run_id"],
        postgresql_where=sa.text("NOT is_final"),
    )
    op.add_column("upload", sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.create_index(
        "ix_upload_created_at",
        "upload",
        ["created_at"],
        postgresql_where=sa.text("read_at IS NULL AND failure IS NULL"),
    )
    op.drop_table("work_turn")
    op.drop_table("work")
