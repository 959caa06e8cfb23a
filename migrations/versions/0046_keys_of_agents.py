"""Key pairs of enrolled agents: the stored public key replaces a token's text."""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the public key, and the time in its last accepted signature."""
    op.add_column("access_token", sa.Column("public_key", sa.LargeBinary(), nullable=True))
    op.add_column(
        "access_token", sa.Column("last_proof_ns", sa.BigInteger(), nullable=False, server_default="0")
    )
    op.create_check_constraint(
        op.f("ck_access_token_public_key_length"), "access_token", "octet_length(public_key) = 32"
    )


def downgrade() -> None:
    """Drop both columns."""
    op.drop_constraint(op.f("ck_access_token_public_key_length"), "access_token")
    op.drop_column("access_token", "last_proof_ns")
    op.drop_column("access_token", "public_key")
