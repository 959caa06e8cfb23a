"""`tailroom audit …`: whether what is on record of who did what is whole."""

from typing import Annotated

import typer

from tailroom.cli.terminal import echo

app = typer.Typer(help="The audit trail.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Inspect the audit trail."""


@app.command("verify")
def verify(
    organisation: Annotated[str | None, typer.Option(help="name or id; without it all of them")] = None,
) -> None:
    """Go through every event and its hash. Exit with 1 if one was changed, removed or inserted.

    Print the hash of the newest event: written down elsewhere, it shows later whether the end was cut off.
    """
    from sqlalchemy import select

    from tailroom.access import repository, trail
    from tailroom.kit.db import Database
    from tailroom.kit.local_services import with_local_services
    from tailroom.kit.settings import get_settings
    from tailroom.storage.organisation import Organisation

    database = Database.from_settings(with_local_services(get_settings()))
    broken = False
    try:
        with database.transaction() as session:
            if organisation is None:
                organisations = list(session.scalars(select(Organisation).order_by(Organisation.created_at)))
            else:
                named = repository.find_organisation(session, organisation)
                organisations = [] if named is None else [named]
            for each in organisations:
                result = trail.verify(session, each.id)
                broken = broken or result.problem is not None
                state = result.problem or f"whole, newest {result.head}"
                echo(f"{each.name} ({each.id}): {result.events} events, {state}")
    finally:
        database.dispose()
    if not organisations:
        echo(f"There is no organisation {organisation!r}.", err=True)
    if broken or not organisations:
        raise typer.Exit(1)
