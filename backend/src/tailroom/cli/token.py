"""`tailroom token …`: access tokens of agents, viewers and engineers."""

from enum import StrEnum
from typing import Annotated
from uuid import UUID

import typer
from rich.console import Console
from rich.table import Column, Table

from tailroom.access import repository, service
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.local_services import with_local_services
from tailroom.kit.settings import get_settings
from tailroom.storage.organisation import LOCAL_ORGANISATION

app = typer.Typer(help="Access tokens of agents, viewers and engineers.", no_args_is_help=True)


class ScopeOption(StrEnum):
    """What a token allows."""

    agent = "agent"
    viewer = "viewer"
    engineer = "engineer"


@app.command("create")
def create(
    name: Annotated[str, typer.Option(help="what the token is for, to find it in the list")],
    organisation: Annotated[str, typer.Option(help="made where there is none")] = LOCAL_ORGANISATION,
    scope: Annotated[
        ScopeOption, typer.Option(help="agents send, viewers read, engineers also upload, publish, edit")
    ] = ScopeOption.viewer,
) -> None:
    """Makes a token and prints it, alone on standard output, this one time."""
    database = Database.from_settings(with_local_services(get_settings()))
    try:
        with database.transaction() as session:
            token, text = service.create_token(session, organisation, name, scope.value, utc_now())
    finally:
        database.dispose()
    typer.echo(f"Token {token.id} of organisation {organisation}; it is shown only now:", err=True)
    typer.echo(text)


@app.command("list")
def list_tokens(
    organisation: Annotated[str | None, typer.Option(help="only this organisation's")] = None,
) -> None:
    """Lists tokens; the texts themselves are not kept."""
    database = Database.from_settings(with_local_services(get_settings()))
    try:
        with database.transaction() as session:
            owner = None if organisation is None else repository.find_organisation(session, organisation)
            if organisation is not None and owner is None:
                typer.echo(f"There is no organisation “{organisation}”.", err=True)
                raise typer.Exit(1)
            found = repository.list_tokens(session, None if owner is None else owner.id)
    finally:
        database.dispose()
    table = Table(
        Column("id", no_wrap=True), "organisation", "name", "scope", "created", "last used", "revoked"
    )
    for token, owner_name in found:
        moments = (token.created_at, token.last_used_at, token.revoked_at)
        shown = ("–" if one is None else f"{one:%Y-%m-%d %H:%M}" for one in moments)
        table.add_row(str(token.id), owner_name, token.name, token.scope, *shown)
    Console().print(table)


@app.command("revoke")
def revoke(token_id: Annotated[UUID, typer.Argument(help="as `tailroom token list` shows it")]) -> None:
    """Ends a token, and every session in a browser that was made with it. Harmless when repeated."""
    database = Database.from_settings(with_local_services(get_settings()))
    try:
        with database.transaction() as session:
            token = service.revoke_token(session, token_id, utc_now())
    finally:
        database.dispose()
    if token is None:
        typer.echo(f"There is no token {token_id}; see `tailroom token list`.", err=True)
        raise typer.Exit(1)
    typer.echo(f"Token {token_id} (“{token.name}”) is revoked.")
