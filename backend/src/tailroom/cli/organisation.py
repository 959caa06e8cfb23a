"""`tailroom organisation …`: taking an organisation away for good."""

from typing import Annotated

import typer
from sqlalchemy import select

from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.local_services import with_local_services
from tailroom.kit.settings import get_settings
from tailroom.operations.removal import delete_organisation
from tailroom.storage.organisation import Organisation

app = typer.Typer(help="Organisations.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Organisations."""


@app.command("delete")
def delete(
    name: Annotated[str, typer.Argument(help="the organisation")],
    confirm: Annotated[str, typer.Option(help="its name once more: nobody can bring it back")] = "",
) -> None:
    """Deletes an organisation with its runs, uploads, files, budgets, drives and tokens. Workers remove
    intervals and files soon after.
    """
    if confirm != name:
        typer.echo(
            f"Nothing was deleted. This cannot be taken back; repeat it with --confirm {name!r}.", err=True
        )
        raise typer.Exit(2)
    database = Database.from_settings(with_local_services(get_settings()))
    try:
        with database.transaction() as session:
            found = session.scalar(select(Organisation.id).where(Organisation.name == name))
            if found is not None:
                delete_organisation(session, found, utc_now())
    finally:
        database.dispose()
    if found is None:
        typer.echo(f"There is no organisation {name!r}.", err=True)
        raise typer.Exit(1)
    typer.echo(f"{name!r} is deleted.")
