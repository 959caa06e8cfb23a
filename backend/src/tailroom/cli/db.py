"""`tailroom db …`: the schema of the database."""

from typing import Annotated

import typer

from tailroom.cli.database import installation_settings, open_database
from tailroom.cli.terminal import stop
from tailroom.kit.clock import utc_now

app = typer.Typer(help="The schema of the database.", no_args_is_help=True)


@app.command("migrate")
def migrate(
    revision: Annotated[str, typer.Option(help="migrate up to this revision")] = "head",
) -> None:
    """Bring schema and reference data up to date and make the partitions of the coming days; harmless when
    repeated.
    """
    from tailroom.access.repository import ensure_organisation
    from tailroom.cli.reference import bring_reference
    from tailroom.kit.migrations import migrate as run_migrations
    from tailroom.storage.distribution import distribute_new
    from tailroom.storage.local import LOCAL_ORGANISATION
    from tailroom.storage.partitions import create_partitions

    settings = installation_settings()
    with open_database(settings) as database:
        run_migrations(database.engine, settings.migrations_dir, revision)
        distribute_new(database.engine)
        now = utc_now()
        partitions = create_partitions(database.engine, now, settings.partition_days_ahead)
        loaded = False
        # An older schema has no place for what this version brings.
        if revision == "head":
            with database.transaction() as session:
                ensure_organisation(session, LOCAL_ORGANISATION, now)
                loaded = bring_reference(session)
    reference = "; the reference data was loaded" if loaded else ""
    typer.echo(f"The schema is up to date; {len(partitions)} partitions were made{reference}.")


@app.command("distribute")
def distribute(
    shards: Annotated[int, typer.Option(min=1, max=1024, help="pieces that runs are spread over")] = 32,
) -> None:
    """Spread runs over the nodes that the coordinator of a Citus cluster knows; harmless when repeated.

    Tailroom may run: concurrent writes wait, or agents send them again.
    """
    from tailroom.storage.distribution import DistributionRefused
    from tailroom.storage.distribution import distribute as distribute_tables

    with open_database() as database:
        try:
            tables = distribute_tables(database.engine, shards)
        except DistributionRefused as error:
            stop(str(error))
    if tables:
        typer.echo(f"{len(tables)} tables lie on several nodes now: {', '.join(tables)}.")
    else:
        typer.echo("Every table of runs lies on several nodes already.")
