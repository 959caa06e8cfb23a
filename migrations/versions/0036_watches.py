"""Watched configurations, their results and alerts: tables visible only to the owning organisation."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"
MOMENT = sa.DateTime(timezone=True)
TABLES = ("watch", "watch_result", "alert")


def upgrade() -> None:
    """Create the tables and their policies."""
    op.create_table(
        "watch",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("watch_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("run_title", sa.Text(), nullable=True),
        sa.Column("host_name", sa.Text(), nullable=True),
        sa.Column("target_name", sa.Text(), nullable=True),
        sa.Column("budget_name", sa.Text(), nullable=False),
        sa.Column("webhook_url", sa.Text(), nullable=True),
        sa.Column("webhook_secret", sa.Text(), nullable=True),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("known_verdict", sa.Text(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("organisation_id", "watch_id", name="pk_watch"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_watch_organisation_id_organisation"
        ),
    )
    op.create_table(
        "watch_result",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("watch_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("noted_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("run_id", "watch_id", name="pk_watch_result"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.run_id"], name="fk_watch_result_run_id_run", ondelete="CASCADE"
        ),
    )
    op.create_index(
        "ix_watch_result_organisation_id_watch_id", "watch_result", ["organisation_id", "watch_id"]
    )
    op.create_table(
        "alert",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("alert_id", sa.Uuid(), nullable=False),
        sa.Column("watch_id", sa.Uuid(), nullable=False),
        sa.Column("channel", sa.Text(), nullable=False),
        sa.Column("message", postgresql.JSONB(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("attempts", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("delivered_at", MOMENT, nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("organisation_id", "alert_id", name="pk_alert"),
        sa.ForeignKeyConstraint(
            ["organisation_id", "watch_id"],
            ["watch.organisation_id", "watch.watch_id"],
            name="fk_alert_organisation_id_watch_id_watch",
            ondelete="CASCADE",
        ),
        sa.CheckConstraint("channel IN ('webhook', 'email')", name=op.f("ck_alert_channel_known")),
    )
    op.create_index("ix_alert_organisation_id_watch_id", "alert", ["organisation_id", "watch_id"])
    for table in TABLES:
        op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO {ROLE}")
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(
            f"CREATE POLICY own ON {table} TO {ROLE}"
            " USING (organisation_id = current_setting('tailroom.organisation_id')::uuid)"
        )


def downgrade() -> None:
    """Drop the tables; alerts end."""
    for table in reversed(TABLES):
        op.drop_table(table)
