"""`tailroom token …`: access tokens of agents, viewers and engineers."""

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from tailroom.cli.database import ensure_organisation_named, open_transaction, organisation_named
from tailroom.cli.options import checked_new_name
from tailroom.cli.terminal import echo, print_table, stop
from tailroom.kit.clock import utc_now
from tailroom.storage.local import LOCAL_ORGANISATION

if TYPE_CHECKING:
    from tailroom.storage.access_token import AccessToken

app = typer.Typer(help="Access tokens of agents, viewers and engineers.", no_args_is_help=True)


class ScopeOption(StrEnum):
    """Scopes of tokens."""

    agent = "agent"
    viewer = "viewer"
    engineer = "engineer"


@app.command("create")
def create(
    name: Annotated[
        str,
        typer.Option(help="what the token is for, to find it later", parser=checked_new_name, metavar="TEXT"),
    ],
    organisation: Annotated[
        str,
        typer.Option(
            help="name of one that the command line made, or id; made where there is none",
            parser=checked_new_name,
            metavar="NAME",
        ),
    ] = LOCAL_ORGANISATION,
    scope: Annotated[
        ScopeOption, typer.Option(help="agents send, viewers read, engineers also upload, publish, edit")
    ] = ScopeOption.viewer,
) -> None:
    """Create a token and print it, alone on standard output, only this time."""
    from tailroom.access import service, trail

    with open_transaction() as session:
        owner = ensure_organisation_named(session, organisation)
        token, text = service.add_token(session, owner.id, name, scope.value, utc_now())
        note = trail.Note(str(token.id), after={"name": name, "scope": scope.value})
        trail.record(session, owner.id, trail.OPERATOR, "make_token", note)
    echo(f"Token {token.id} of organisation {owner.name} ({owner.id}); it is shown only now:", err=True)
    echo(text)


@app.command("list")
def list_tokens(
    organisation: Annotated[str | None, typer.Option(help="only this organisation's")] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON array instead of a table.")] = False,
) -> None:
    """List tokens; their texts are not stored."""
    from rich.table import Column, Table
    from rich.text import Text

    from tailroom.access import repository
    from tailroom.kit.encodings import terminal_text

    with open_transaction() as session:
        owner_id = None if organisation is None else organisation_named(session, organisation).id
        tokens = repository.list_tokens(session, owner_id)
    if as_json:
        echo(json.dumps([_document(token, owner_name) for token, owner_name in tokens]))
        return
    table = Table(
        Column("id", no_wrap=True), "organisation", "name", "scope", "created", "last used", "revoked"
    )
    for token, owner_name in tokens:
        moments = (token.created_at, token.last_used_at, token.revoked_at)
        shown = ("–" if moment is None else f"{moment:%Y-%m-%d %H:%M}" for moment in moments)
        names = Text(terminal_text(owner_name)), Text(terminal_text(token.name))
        table.add_row(str(token.id), *names, token.scope, *shown)
    print_table(table)


def _document(token: "AccessToken", owner_name: str) -> dict[str, str | None]:
    moments = {name: getattr(token, name) for name in ("created_at", "last_used_at", "revoked_at")}
    return {
        "id": str(token.id),
        "organisation": owner_name,
        "name": token.name,
        "scope": token.scope,
        **{name: None if moment is None else moment.isoformat() for name, moment in moments.items()},
    }


@app.command("revoke")
def revoke(token_id: Annotated[UUID, typer.Argument(help="as `tailroom token list` shows it")]) -> None:
    """End a token, and every session in a browser that was made with it. Harmless when repeated."""
    from tailroom.access import service, trail

    with open_transaction() as session:
        token = service.revoke_token(session, token_id, utc_now())
        if token is None:
            stop(f"There is no token {token_id}; see `tailroom token list`.")
        note = trail.Note(str(token_id), before={"name": token.name, "scope": token.scope})
        trail.record(session, token.organisation_id, trail.OPERATOR, "revoke_token", note)
    echo(f"Token {token_id} (“{token.name}”) is revoked.")
