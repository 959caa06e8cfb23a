"""Findings of the plausibility checks in publications and runs."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def _severity(table: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(
        "severity IN ('high', 'medium', 'low', 'info')", name=op.f(f"ck_{table}_severity_known")
    )


def _said() -> list[sa.Column[object]]:
    return [
        sa.Column("check_id", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("statement", sa.Text(), nullable=False),
        sa.Column("figures", postgresql.JSONB(), nullable=False),
    ]


def upgrade() -> None:
    """Create the tables; every run is audited again because its audit version is 0."""
    op.create_table(
        "publication_finding",
        sa.Column("publication_slug", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        *_said(),
        sa.Column("claim_keys", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("publication_slug", "position", name="pk_publication_finding"),
        sa.ForeignKeyConstraint(
            ["publication_slug"],
            ["publication.slug"],
            name="fk_publication_finding_publication_slug_publication",
            ondelete="CASCADE",
        ),
        _severity("publication_finding"),
        sa.CheckConstraint(
            "origin IN ('computed', 'reviewed')", name=op.f("ck_publication_finding_origin_known")
        ),
    )
    op.create_table(
        "run_finding",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("organisation_id", sa.Uuid(), nullable=False),
        *_said(),
        sa.PrimaryKeyConstraint("run_id", "position", name="pk_run_finding"),
        sa.ForeignKeyConstraint(
            ["run_id"], ["run.run_id"], name="fk_run_finding_run_id_run", ondelete="CASCADE"
        ),
        _severity("run_finding"),
    )
    op.add_column(
        "analysis_state",
        sa.Column("audit_version", sa.Integer(), nullable=False, server_default=sa.text("0")),
    )


def downgrade() -> None:
    """Drop the tables and the column; findings can be computed again."""
    op.drop_column("analysis_state", "audit_version")
    op.drop_table("run_finding")
    op.drop_table("publication_finding")
