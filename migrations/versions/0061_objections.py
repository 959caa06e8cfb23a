"""Objections to public tests of drives, with the answers of moderators."""

import sqlalchemy as sa
from alembic import op

revision = "0061"
down_revision = "0060"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the table; members read published objections and those of their organisation."""
    op.create_table(
        "objection",
        sa.Column("objection_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=True),
        sa.Column("drive_slug", sa.Text(), nullable=False),
        sa.Column("test_id", sa.Text(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("made_by", sa.Text(), nullable=False),
        sa.Column("made_at", MOMENT, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("decided_by", sa.Text(), nullable=True),
        sa.Column("decided_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("objection_id", name="pk_objection"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_objection_organisation_id_organisation"
        ),
        sa.CheckConstraint(
            "state IN ('open', 'published', 'refused', 'withdrawn')", name=op.f("ck_objection_state_known")
        ),
        sa.CheckConstraint(
            "state <> 'published' OR answer IS NOT NULL", name=op.f("ck_objection_published_has_answer")
        ),
    )
    op.create_index("ix_objection_drive_slug", "objection", ["drive_slug", "made_at"])
    op.create_index("ix_objection_organisation_id", "objection", ["organisation_id"])
    op.execute(f"GRANT SELECT, INSERT, UPDATE ON objection TO {ROLE}")
    op.execute("ALTER TABLE objection ENABLE ROW LEVEL SECURITY")
    op.execute(
        f"CREATE POLICY own ON objection TO {ROLE}"
        " USING (organisation_id = current_setting('tailroom.organisation_id')::uuid)"
    )
    op.execute(f"CREATE POLICY shown ON objection FOR SELECT TO {ROLE} USING (state = 'published')")


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("objection")
