"""Editions of the leaderboard: snapshots of the public board."""

import sqlalchemy as sa
from alembic import op

revision = "0060"
down_revision = "0059"
branch_labels = None
depends_on = None

_ROLE = "tailroom_member"


def upgrade() -> None:
    """Create the table, which the role of organisations may only read."""
    op.create_table(
        "board_edition",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("method_version", sa.Integer(), nullable=False),
        sa.Column("row_count", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("content_sha256", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_board_edition"),
        sa.CheckConstraint(
            "octet_length(content_sha256) = 32", name=op.f("ck_board_edition_content_sha256_length")
        ),
    )
    op.execute(f"GRANT SELECT ON board_edition TO {_ROLE}")


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("board_edition")
