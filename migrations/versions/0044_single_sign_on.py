"""Single sign-on: linked identities of other issuers, sign-in attempts, and memberships by groups."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables, which the role of organisations cannot access."""
    op.alter_column("person", "password_hash", nullable=True)
    op.add_column(
        "membership", sa.Column("by_groups", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.create_table(
        "person_identity",
        sa.Column("issuer", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("identity_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("last_used_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("issuer", "subject", name="pk_person_identity"),
        sa.UniqueConstraint("identity_id", name="uq_person_identity_identity_id"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_person_identity_person_id_person", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_person_identity_person_id", "person_identity", ["person_id"])
    op.create_table(
        "sign_in_attempt",
        sa.Column("key_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=True),
        sa.Column("details", postgresql.JSONB(none_as_null=True), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("key_sha256", name="pk_sign_in_attempt"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_sign_in_attempt_person_id_person", ondelete="CASCADE"
        ),
        sa.CheckConstraint(
            "octet_length(key_sha256) = 32", name=op.f("ck_sign_in_attempt_key_sha256_length")
        ),
        sa.CheckConstraint(
            "kind IN ('oidc', 'passkey', 'new-passkey', 'local')", name=op.f("ck_sign_in_attempt_kind_known")
        ),
    )
    op.create_index("ix_sign_in_attempt_person_id", "sign_in_attempt", ["person_id"])
    op.create_index("ix_sign_in_attempt_expires_at", "sign_in_attempt", ["expires_at"])


def downgrade() -> None:
    """Drop the tables; people without a password must reset it by mail."""
    op.drop_table("sign_in_attempt")
    op.drop_table("person_identity")
    op.drop_column("membership", "by_groups")
    op.execute("UPDATE person SET password_hash = '' WHERE password_hash IS NULL")
    op.alter_column("person", "password_hash", nullable=False)
