"""`tailroom organisation …`: taking an organisation away for good."""

from enum import StrEnum
from typing import Annotated

import typer

from tailroom.access import repository, trail
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.local_services import with_local_services
from tailroom.kit.settings import get_settings
from tailroom.operations.removal import delete_organisation
from tailroom.people import members


class RoleOption(StrEnum):
    """What a member may do."""

    owner = "owner"
    admin = "admin"
    engineer = "engineer"
    viewer = "viewer"


app = typer.Typer(help="Organisations.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Organisations."""


@app.command("delete")
def delete(
    name: Annotated[str, typer.Argument(help="name of one that the command line made, or id")],
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
            found = repository.find_organisation(session, name)
            if found is not None:
                delete_organisation(session, found.id, utc_now())
    finally:
        database.dispose()
    if found is None:
        typer.echo(f"There is no organisation {name!r}.", err=True)
        raise typer.Exit(1)
    typer.echo(f"{name!r} is deleted.")


@app.command("invite")
def invite(
    name: Annotated[
        str, typer.Argument(help="name of one that the command line made, or id; made where there is none")
    ],
    email: Annotated[str, typer.Option(help="e-mail address of whoever is invited")],
    role: Annotated[RoleOption, typer.Option(help="what they may do")] = RoleOption.owner,
    days: Annotated[int, typer.Option(min=1, max=30, help="until the invitation expires")] = 7,
) -> None:
    """Prints an invitation's address, alone on standard output: how the first person gets in."""
    settings = with_local_services(get_settings())
    database = Database.from_settings(settings)
    now = utc_now()
    try:
        with database.transaction() as session:
            owner = repository.find_organisation(session, name) or repository.ensure_organisation(
                session, name, now
            )
            _, code = members.invite(
                session,
                owner.id,
                email=email.strip().lower(),
                role=role.value,
                days=days,
                by="whoever runs the server",
                by_role="owner",
                now=now,
            )
            trail.record(
                session, owner.id, trail.OPERATOR, "invite", trail.Note(email, after={"role": role.value})
            )
    finally:
        database.dispose()
    base = settings.public_url or f"http://{settings.host}:{settings.port}"
    typer.echo(f"For {email}, for {days} days; it is shown only now:", err=True)
    typer.echo(f"{base.rstrip('/')}/invitation#{code}")
