"""Links to private runs: a new table, visible only to the owning organisation."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

ROLE = "tailroom_member"


def upgrade() -> None:
    """Create the table and its policy."""
    op.create_table(
        "run_link",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("link_id", sa.Uuid(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("secret_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.run_id"], name="fk_run_link_run_id_run", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_id", "link_id", name="pk_run_link"),
    )
    op.create_index("ix_run_link_secret_sha256", "run_link", ["secret_sha256"])
    op.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON run_link TO {ROLE}")
    op.execute("ALTER TABLE run_link ENABLE ROW LEVEL SECURITY")
    op.execute(
        f"CREATE POLICY own ON run_link TO {ROLE}"
        " USING (organisation_id = current_setting('tailroom.organisation_id')::uuid)"
    )


def downgrade() -> None:
    """Drop the table; existing links stop working."""
    op.drop_table("run_link")
