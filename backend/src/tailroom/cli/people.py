"""`tailroom people …`: list accounts, reset lost second factors, sign in as owner of this machine."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tailroom.cli.database import installation_settings, open_transaction
from tailroom.cli.terminal import echo, print_table, stop
from tailroom.kit.clock import utc_now

if TYPE_CHECKING:
    from tailroom.storage.person import Person

app = typer.Typer(help="People.", no_args_is_help=True)


@app.command("list")
def show(
    *, as_json: Annotated[bool, typer.Option("--json", help="One JSON array instead of a table.")] = False
) -> None:
    """List all accounts with their organisations and whether they have a second factor."""
    from rich.table import Column, Table
    from rich.text import Text
    from sqlalchemy import func, select

    from tailroom.kit.encodings import terminal_text
    from tailroom.people import second_factors
    from tailroom.storage.person import Membership, Person

    with open_transaction() as session:
        memberships = select(func.count()).where(Membership.person_id == Person.id).scalar_subquery()
        rows = session.execute(select(Person, memberships).order_by(Person.email)).all()
        with_factor = second_factors.people_with(session, [person.id for person, _ in rows])
    if as_json:
        echo(json.dumps([_document(person, count, person.id in with_factor) for person, count in rows]))
        return
    table = Table(Column("e-mail", no_wrap=True), "name", "since", "organisations", "second factor")
    for person, organisations in rows:
        factor = "yes" if person.id in with_factor else "no"
        texts = Text(terminal_text(person.email)), Text(terminal_text(person.name))
        table.add_row(*texts, f"{person.created_at:%Y-%m-%d}", str(organisations), factor)
    print_table(table)


def _document(person: "Person", organisations: int, has_second_factor: bool) -> dict[str, Any]:
    return {
        "email": person.email,
        "name": person.name,
        "created_at": person.created_at.isoformat(),
        "organisations": organisations,
        "has_second_factor": has_second_factor,
    }


@app.command("reset-factor")
def reset_factor(
    email: Annotated[str, typer.Argument(help="of the account whose owner lost app, passkeys and codes")],
) -> None:
    """Remove app, passkeys and recovery codes from an account and end its sessions. Be sure who asks you to:
    afterwards the password alone opens it. It is recorded with each organisation of the person.
    """
    from sqlalchemy import select

    from tailroom.access import person_sessions, trail
    from tailroom.people import accounts, second_factors
    from tailroom.storage.person import Person

    with open_transaction() as session:
        person = session.scalar(select(Person).where(Person.email == email.strip().lower()))
        if person is None:
            stop(f"Nobody has an account with {email}.")
        second_factors.reset(session, person.id)
        person_sessions.end_all(session, person.id)
        for organisation_id in sorted(
            membership.organisation_id for membership in accounts.memberships(session, person.id)
        ):
            note = trail.Note(person.email)
            trail.record(session, organisation_id, trail.OPERATOR, "reset_second_factor", note)
    typer.echo(f"The account of {email} has no second factor any more; its sessions have ended.")


@app.command("link")
def link() -> None:
    """Print another address that signs the owner of this machine in, once, within ten minutes."""
    from tailroom.kit.local_services import local_origin

    settings = installation_settings()
    origin = local_origin(settings.home) or f"http://{settings.host}:{settings.port}"
    typer.echo(local_link(settings.database_url, origin))


def local_link(database_url: str, base: str) -> str:
    """Store a sign-in of the owner of this machine; return its URL, valid once, for ten minutes."""
    from tailroom.kit.db import Database
    from tailroom.people import local_owner

    database = Database(database_url, pool_size=1)
    try:
        with database.transaction() as session:
            return local_owner.link(session, base, utc_now())
    finally:
        database.dispose()
