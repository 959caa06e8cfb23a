"""Suggestions for the public catalogue, and the decisions of moderators."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the table and its policy."""
    op.create_table(
        "catalogue_suggestion",
        sa.Column("suggestion_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("facts", JSONB(), nullable=False),
        sa.Column("kept_back", JSONB(), nullable=False),
        sa.Column("suggested_by", sa.Text(), nullable=False),
        sa.Column("suggested_at", MOMENT, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("decided_by", sa.Text(), nullable=True),
        sa.Column("decided_at", MOMENT, nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("suggestion_id", name="pk_catalogue_suggestion"),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisation.id"],
            name="fk_catalogue_suggestion_organisation_id_organisation",
        ),
        sa.CheckConstraint(
            "state IN ('open', 'accepted', 'refused', 'withdrawn', 'taken-back')",
            name=op.f("ck_catalogue_suggestion_state_known"),
        ),
        sa.CheckConstraint("kind IN ('drive', 'fact')", name=op.f("ck_catalogue_suggestion_kind_known")),
    )
    op.create_index(
        "ix_catalogue_suggestion_organisation_id", "catalogue_suggestion", ["organisation_id", "suggested_at"]
    )
    op.create_index("ix_catalogue_suggestion_state", "catalogue_suggestion", ["state", "suggested_at"])
    op.execute(f"GRANT SELECT, INSERT, UPDATE ON catalogue_suggestion TO {ROLE}")
    op.execute("ALTER TABLE catalogue_suggestion ENABLE ROW LEVEL SECURITY")
    op.execute(
        f"CREATE POLICY own ON catalogue_suggestion TO {ROLE}"
        " USING (organisation_id = current_setting('tailroom.organisation_id')::uuid)"
    )


def downgrade() -> None:
    """Drop the table; accepted suggestions disappear when the reference data are next loaded."""
    op.drop_table("catalogue_suggestion")
