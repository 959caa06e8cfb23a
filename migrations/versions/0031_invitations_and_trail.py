"""Invitations, expiring tokens, and an append-only audit trail."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"
OWN = "organisation_id = current_setting('tailroom.organisation_id')::uuid"
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables and their policies; no role may change or delete a row of the trail."""
    op.add_column("access_token", sa.Column("expires_at", MOMENT, nullable=True))
    op.create_table(
        "invitation",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("invitation_id", sa.Uuid(), nullable=False),
        sa.Column("code_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("invited_by", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("accepted_at", MOMENT, nullable=True),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("organisation_id", "invitation_id", name="pk_invitation"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_invitation_organisation_id_organisation"
        ),
        sa.CheckConstraint(
            "role IN ('owner', 'admin', 'engineer', 'viewer')", name=op.f("ck_invitation_role_known")
        ),
        sa.CheckConstraint("octet_length(code_sha256) = 32", name=op.f("ck_invitation_code_sha256_length")),
    )
    op.create_index("ix_invitation_code_sha256", "invitation", ["code_sha256"])
    op.create_table(
        "trail_event",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("happened_at", MOMENT, nullable=False),
        sa.Column("actor_kind", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("before", postgresql.JSONB(), nullable=True),
        sa.Column("after", postgresql.JSONB(), nullable=True),
        sa.Column("previous_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("organisation_id", "number", name="pk_trail_event"),
        sa.CheckConstraint(
            "actor_kind IN ('person', 'token', 'local', 'operator')",
            name=op.f("ck_trail_event_actor_kind_known"),
        ),
        sa.CheckConstraint(
            "octet_length(previous_sha256) = 32", name=op.f("ck_trail_event_previous_sha256_length")
        ),
        sa.CheckConstraint("octet_length(sha256) = 32", name=op.f("ck_trail_event_sha256_length")),
    )
    op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON invitation TO {ROLE}")
    op.execute(f"GRANT SELECT, INSERT ON trail_event TO {ROLE}")
    for table in ("invitation", "trail_event"):
        op.execute(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
        op.execute(f"CREATE POLICY own ON {table} TO {ROLE} USING ({OWN})")


def downgrade() -> None:
    """Drop the tables; invitations end, and the audit trail is lost."""
    op.drop_table("trail_event")
    op.drop_table("invitation")
    op.drop_column("access_token", "expires_at")
