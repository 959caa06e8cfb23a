"""Second factors of people: authenticator apps and recovery codes."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables, which the role of organisations cannot access."""
    op.add_column(
        "organisation",
        sa.Column("needs_second_factor", sa.Boolean(), nullable=False, server_default=sa.text("false")),
    )
    op.create_table(
        "second_factor",
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("confirmed_at", MOMENT, nullable=True),
        sa.Column("last_step", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", name="pk_second_factor"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_second_factor_person_id_person", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "recovery_code",
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("code_sha256", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "code_sha256", name="pk_recovery_code"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_recovery_code_person_id_person", ondelete="CASCADE"
        ),
        sa.CheckConstraint(
            "octet_length(code_sha256) = 32", name=op.f("ck_recovery_code_code_sha256_length")
        ),
    )


def downgrade() -> None:
    """Drop the tables; a password alone is sufficient again."""
    op.drop_table("recovery_code")
    op.drop_table("second_factor")
    op.drop_column("organisation", "needs_second_factor")
