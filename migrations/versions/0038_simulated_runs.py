"""Simulated runs have an index: those that were measured are counted without reading plans."""

from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the index."""
    op.execute(
        "CREATE INDEX ix_run_organisation_id_simulated ON run (organisation_id) WHERE "
        "jsonb_path_exists(plan,"
        ' \'$.* ? (@.engine == "null" || @.driver == "null" || @.ioengine == "null")\')'
    )


def downgrade() -> None:
    """Drops it."""
    op.execute("DROP INDEX ix_run_organisation_id_simulated")
