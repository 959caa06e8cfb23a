"""People, their sessions and memberships; organisations created by people may share a name."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables.

    A person is authenticated before the transaction of an organisation begins, so its role can access only
    memberships.
    """
    op.add_column(
        "organisation", sa.Column("made_by", sa.Text(), nullable=False, server_default=sa.text("'operator'"))
    )
    op.create_check_constraint(
        op.f("ck_organisation_made_by_known"), "organisation", "made_by IN ('operator', 'person')"
    )
    op.drop_constraint("uq_organisation_name", "organisation")
    op.create_index(
        "uq_organisation_operator_name",
        "organisation",
        ["name"],
        unique=True,
        postgresql_where=sa.text("made_by = 'operator'"),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("password_set_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_person"),
        sa.UniqueConstraint("email", name="uq_person_email"),
    )
    op.create_table(
        "person_session",
        sa.Column("session_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("chosen_organisation_id", sa.Uuid(), nullable=True),
        sa.Column("browser", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("last_used_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("session_sha256", name="pk_person_session"),
        sa.UniqueConstraint("session_id", name="uq_person_session_session_id"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_person_session_person_id_person", ondelete="CASCADE"
        ),
        sa.CheckConstraint(
            "octet_length(session_sha256) = 32", name=op.f("ck_person_session_session_sha256_length")
        ),
    )
    op.create_index("ix_person_session_person_id", "person_session", ["person_id"])
    op.create_index("ix_person_session_expires_at", "person_session", ["expires_at"])
    op.create_table(
        "membership",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("joined_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("organisation_id", "person_id", name="pk_membership"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_membership_organisation_id_organisation"
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_membership_person_id_person", ondelete="CASCADE"
        ),
        sa.CheckConstraint(
            "role IN ('owner', 'admin', 'engineer', 'viewer')", name=op.f("ck_membership_role_known")
        ),
    )
    op.create_index("ix_membership_person_id", "membership", ["person_id"])
    op.create_table(
        "mail_code",
        sa.Column("code_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("details", postgresql.JSONB(), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("code_sha256", name="pk_mail_code"),
        sa.CheckConstraint("octet_length(code_sha256) = 32", name=op.f("ck_mail_code_code_sha256_length")),
        sa.CheckConstraint("purpose IN ('sign-up', 'reset')", name=op.f("ck_mail_code_purpose_known")),
    )
    op.create_index("ix_mail_code_email", "mail_code", ["email"])
    op.create_index("ix_mail_code_expires_at", "mail_code", ["expires_at"])
    op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON membership TO {ROLE}")
    op.execute("ALTER TABLE membership ENABLE ROW LEVEL SECURITY")
    op.execute(
        f"CREATE POLICY own ON membership TO {ROLE}"
        " USING (organisation_id = current_setting('tailroom.organisation_id')::uuid)"
    )


def downgrade() -> None:
    """Drop the tables, after which people cannot sign in; make names of organisations unique."""
    for table in ("mail_code", "membership", "person_session", "person"):
        op.drop_table(table)
    op.drop_index("uq_organisation_operator_name", "organisation")
    op.execute("UPDATE organisation SET name = name || ' ' || id WHERE made_by = 'person'")
    op.create_unique_constraint("uq_organisation_name", "organisation", ["name"])
    op.drop_column("organisation", "made_by")
