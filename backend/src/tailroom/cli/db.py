"""`tailroom db …`: the schema of the database."""

from typing import Annotated

import typer

from tailroom.kit.clock import utc_now
from tailroom.kit.exit_codes import ExitCode

app = typer.Typer(help="The schema of the database.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Manage the schema of the database."""


@app.command("migrate")
def migrate(
    revision: Annotated[str, typer.Option(help="migrate up to this revision")] = "head",
) -> None:
    """Bring schema and reference data up to date and make the partitions of the coming days; harmless when
    repeated.
    """
    from tailroom.access.repository import ensure_organisation
    from tailroom.cli.reference import bring_reference
    from tailroom.kit.db import Database
    from tailroom.kit.local_services import with_local_services
    from tailroom.kit.migrations import migrate as run_migrations
    from tailroom.kit.settings import get_settings
    from tailroom.storage.distribution import distribute_new
    from tailroom.storage.local import LOCAL_ORGANISATION
    from tailroom.storage.partitions import create_partitions

    settings = with_local_services(get_settings())
    database = Database.from_settings(settings)
    try:
        run_migrations(database.engine, settings.migrations_dir, revision)
        distribute_new(database.engine)
        now = utc_now()
        made = create_partitions(database.engine, now, settings.partition_days_ahead)
        loaded = False
        # An older schema has no place for what this version brings.
        if revision == "head":
            with database.transaction() as session:
                ensure_organisation(session, LOCAL_ORGANISATION, now)
                loaded = bring_reference(session)
    finally:
        database.dispose()
    reference = "; the reference data was loaded" if loaded else ""
    typer.echo(f"The schema is up to date; {len(made)} partitions were made{reference}.")


@app.command("distribute")
def distribute(
    shards: Annotated[int, typer.Option(min=1, max=1024, help="pieces that runs are spread over")] = 32,
) -> None:
    """Spread runs over the nodes that the coordinator of a Citus cluster knows; harmless when repeated.

    Tailroom may run: concurrent writes wait, or agents send them again.
    """
    from tailroom.kit.db import Database
    from tailroom.kit.local_services import with_local_services
    from tailroom.kit.settings import get_settings
    from tailroom.storage.distribution import DistributionRefused
    from tailroom.storage.distribution import distribute as distribute_tables

    database = Database.from_settings(with_local_services(get_settings()))
    try:
        done = distribute_tables(database.engine, shards)
    except DistributionRefused as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(int(ExitCode.UNUSABLE)) from None
    finally:
        database.dispose()
    if done:
        typer.echo(f"{len(done)} tables lie on several nodes now: {', '.join(done)}.")
    else:
        typer.echo("Every table of runs lies on several nodes already.")
