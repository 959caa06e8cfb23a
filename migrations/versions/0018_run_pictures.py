"""Stored pictures of finished runs; any process may compute missing pictures again."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0015"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"


def upgrade() -> None:
    """Create the table and its policies."""
    op.create_table(
        "run_picture",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("form", sa.LargeBinary(), nullable=False),
        sa.Column("judged_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expired_classes", sa.SmallInteger(), nullable=False),
        sa.Column("budget_count", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.run_id"], name="fk_run_picture_run_id_run", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "name", name="pk_run_picture"),
    )
    op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON run_picture TO {ROLE}")
    op.execute("ALTER TABLE run_picture ENABLE ROW LEVEL SECURITY")
    op.execute(
        f"CREATE POLICY own ON run_picture TO {ROLE}"
        " USING (organisation_id = current_setting('tailroom.organisation_id')::uuid)"
    )
    op.execute(
        f"CREATE POLICY shown ON run_picture FOR SELECT TO {ROLE}"
        " USING (run_id = ANY (current_setting('tailroom.shown_runs')::uuid[]))"
    )


def downgrade() -> None:
    """Drop the table; pictures can be computed again."""
    op.drop_table("run_picture")
