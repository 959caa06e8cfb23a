"""`tailroom audit …`: whether what is on record of who did what is whole."""

from typing import Annotated

import typer
from sqlalchemy import select

from tailroom.access import repository, trail
from tailroom.kit.db import Database
from tailroom.kit.encodings import terminal_text
from tailroom.kit.local_services import with_local_services
from tailroom.kit.settings import get_settings
from tailroom.storage.organisation import Organisation

app = typer.Typer(help="The audit trail.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """The audit trail."""


@app.command("verify")
def verify(
    organisation: Annotated[str | None, typer.Option(help="name or id; without it all of them")] = None,
) -> None:
    """Goes through every event and its hash. Exits with 1 where one was changed, taken out or put in.

    Prints the hash of the newest event: written down elsewhere, it shows later whether the end was cut off.
    """
    database = Database.from_settings(with_local_services(get_settings()))
    broken = False
    try:
        with database.transaction() as session:
            if organisation is None:
                found = list(session.scalars(select(Organisation).order_by(Organisation.created_at)))
            else:
                one = repository.find_organisation(session, organisation)
                found = [] if one is None else [one]
            for each in found:
                result = trail.verify(session, each.id)
                broken = broken or result.problem is not None
                said = result.problem or f"whole, newest {result.head}"
                typer.echo(f"{terminal_text(each.name)} ({each.id}): {result.events} events, {said}")
    finally:
        database.dispose()
    if not found:
        typer.echo(f"There is no organisation {organisation!r}.", err=True)
    if broken or not found:
        raise typer.Exit(1)
