"""Budgets of an organisation, and a digest of the budgets by which a run was judged."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table and the column, one statement per execute."""
    op.create_table(
        "budget",
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("document", postgresql.JSONB(), nullable=False),
        sa.Column("applies_to", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("content_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("organisation_id", "name", "version", name="pk_budget"),
        sa.ForeignKeyConstraint(
            ["organisation_id"], ["organisation.id"], name="fk_budget_organisation_id_organisation"
        ),
        sa.CheckConstraint("version >= 1", name=op.f("ck_budget_version_counts")),
        sa.CheckConstraint("octet_length(content_sha256) = 32", name=op.f("ck_budget_content_sha256_length")),
    )
    op.add_column("analysis_state", sa.Column("budgets_digest", sa.LargeBinary(), nullable=True))
