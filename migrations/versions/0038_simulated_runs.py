"""An index of simulated runs, so that measured runs are counted without reading plans."""

from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the index."""
    op.execute(
        "CREATE INDEX ix_run_organisation_id_simulated ON run (organisation_id) WHERE "
        "jsonb_path_exists(plan,"
        ' \'$.* ? (@.engine == "null" || @.driver == "null" || @.ioengine == "null")\')'
    )


def downgrade() -> None:
    """Drop the index."""
    op.execute("DROP INDEX ix_run_organisation_id_simulated")
