"""Judgements of tested loads of drives, and the columns from which published tests are judged.

Tests are created again from their sources: those of publications at the next start, those of runs as due
work.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None

_ROLE = "tailroom_member"
_OWN = "organisation_id = current_setting('tailroom.organisation_id')::uuid"
_VISIBILITY = "visibility IN ('private', 'public', 'retracted')"
_OF_THE_RELEASE_BEFORE = ("thresholds", "ends")
"""Columns written only by the previous release, which runs beside this release during an upgrade."""


def _empty_tests() -> None:
    op.execute("DELETE FROM rated_run")
    op.execute("DELETE FROM drive_test")


def upgrade() -> None:
    """Create the table, and add the columns from which tests are judged."""
    _empty_tests()
    for column in _OF_THE_RELEASE_BEFORE:
        op.alter_column("drive_test", column, server_default=sa.text("''::bytea"))
    op.add_column(
        "drive_test",
        sa.Column("exceedances", postgresql.JSONB(), nullable=False, server_default=sa.text("'[]'::jsonb")),
    )
    op.add_column("drive_test", sa.Column("record", postgresql.JSONB()))
    op.add_column("drive_test", sa.Column("withdrawn_at", sa.DateTime(timezone=True)))
    op.add_column("drive_test", sa.Column("withdrawal_reason", sa.Text()))
    op.create_table(
        "test_judgement",
        sa.Column("test_id", sa.Text(), nullable=False),
        sa.Column("budget_name", sa.Text(), nullable=False),
        sa.Column("budget_version", sa.Integer(), nullable=False),
        sa.Column("method_version", sa.Integer(), nullable=False),
        sa.Column("organisation_id", sa.Uuid()),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("test_verdict", sa.Text(), nullable=False),
        sa.Column("strength", sa.Text()),
        sa.Column("late_lower", sa.Double()),
        sa.Column("late_upper", sa.Double()),
        sa.Column("result", postgresql.JSONB(), nullable=False),
        sa.PrimaryKeyConstraint(
            "test_id", "budget_name", "budget_version", "method_version", name="pk_test_judgement"
        ),
        sa.ForeignKeyConstraint(
            ["test_id"],
            ["drive_test.test_id"],
            name="fk_test_judgement_test_id_drive_test",
            ondelete="CASCADE",
        ),
        sa.CheckConstraint(
            "test_verdict IN ('PASS', 'FAIL', 'INDETERMINATE')", name=op.f("ck_test_judgement_verdict_known")
        ),
        sa.CheckConstraint(
            "strength IN ('proven', 'observed')", name=op.f("ck_test_judgement_strength_known")
        ),
        sa.CheckConstraint(
            "(test_verdict = 'INDETERMINATE') = (strength IS NULL)",
            name=op.f("ck_test_judgement_strength_where_decided"),
        ),
        sa.CheckConstraint(_VISIBILITY, name=op.f("ck_test_judgement_visibility_known")),
    )
    op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON test_judgement TO {_ROLE}")
    op.execute("ALTER TABLE test_judgement ENABLE ROW LEVEL SECURITY")
    op.execute(f"CREATE POLICY own ON test_judgement TO {_ROLE} USING ({_OWN})")
    op.execute(
        f"CREATE POLICY shown ON test_judgement FOR SELECT TO {_ROLE}"
        " USING (organisation_id IS NULL OR visibility <> 'private')"
    )


def downgrade() -> None:
    """Drop the table, and the columns from which tests are judged."""
    op.drop_table("test_judgement")
    _empty_tests()
    for column in ("record", "exceedances", "withdrawn_at", "withdrawal_reason"):
        op.drop_column("drive_test", column)
    for column in _OF_THE_RELEASE_BEFORE:
        op.alter_column("drive_test", column, server_default=None)
