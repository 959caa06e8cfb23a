"""Passkeys of people: the public keys, whose private keys are on their devices."""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the table, which the role of organisations cannot access."""
    op.create_table(
        "passkey",
        sa.Column("credential_id", sa.LargeBinary(), nullable=False),
        sa.Column("passkey_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("uses", sa.BigInteger(), nullable=False),
        sa.Column("is_synced", sa.Boolean(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("last_used_at", MOMENT, nullable=True),
        sa.PrimaryKeyConstraint("credential_id", name="pk_passkey"),
        sa.UniqueConstraint("passkey_id", name="uq_passkey_passkey_id"),
        sa.ForeignKeyConstraint(
            ["person_id"], ["person.id"], name="fk_passkey_person_id_person", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_passkey_person_id", "passkey", ["person_id"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("passkey")
