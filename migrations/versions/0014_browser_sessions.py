"""Browser sessions as rows, so that signing out ends them everywhere; tokens of engineers."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table; users with a signed cookie must sign in again.

    Actions other than reading now need an engineer's token instead of a viewer's.
    """
    op.create_table(
        "browser_session",
        sa.Column("session_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("token_id", sa.Uuid(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("session_sha256", name="pk_browser_session"),
        sa.ForeignKeyConstraint(
            ["token_id"],
            ["access_token.id"],
            name="fk_browser_session_token_id_access_token",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_browser_session_organisation_id_organisation"
        ),
        sa.CheckConstraint(
            "octet_length(session_sha256) = 32", name=op.f("ck_browser_session_session_sha256_length")
        ),
    )
    op.create_index("ix_browser_session_token_id", "browser_session", ["token_id"])
    op.create_index("ix_browser_session_expires_at", "browser_session", ["expires_at"])
    op.drop_constraint(op.f("ck_access_token_scope_known"), "access_token")
    op.create_check_constraint(
        op.f("ck_access_token_scope_known"), "access_token", "scope IN ('agent', 'viewer', 'engineer')"
    )


def downgrade() -> None:
    """Drop the table; engineers' tokens become viewers', which had the same rights before."""
    op.drop_constraint(op.f("ck_access_token_scope_known"), "access_token")
    op.execute("UPDATE access_token SET scope = 'viewer' WHERE scope = 'engineer'")
    op.create_check_constraint(
        op.f("ck_access_token_scope_known"), "access_token", "scope IN ('agent', 'viewer')"
    )
    op.drop_table("browser_session")
