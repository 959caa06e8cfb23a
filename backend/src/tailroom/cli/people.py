"""`tailroom people …`: who has an account here, and the way in for whoever has lost theirs."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text
from sqlalchemy import func, select

from tailroom.access import person_sessions, trail
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.encodings import terminal_text
from tailroom.kit.local_services import with_local_services
from tailroom.kit.settings import get_settings
from tailroom.people import accounts, local_owner, second_factors
from tailroom.storage.person import Membership, Person

app = typer.Typer(help="People.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """People."""


@app.command("list")
def show() -> None:
    """Everybody who has an account, with their organisations and whether a second factor guards it."""
    database = Database.from_settings(with_local_services(get_settings()))
    table = Table(
        Column("e-mail", no_wrap=True, min_width=40), "name", "since", "organisations", "second factor"
    )
    try:
        with database.transaction() as session:
            counted = select(func.count()).where(Membership.person_id == Person.id).scalar_subquery()
            rows = session.execute(select(Person, counted).order_by(Person.email)).all()
            guarded = second_factors.people_with(session, [person.id for person, _ in rows])
            for person, organisations in rows:
                has = "yes" if person.id in guarded else "no"
                written = Text(terminal_text(person.email)), Text(terminal_text(person.name))
                table.add_row(*written, f"{person.created_at:%Y-%m-%d}", str(organisations), has)
    finally:
        database.dispose()
    Console(soft_wrap=True).print(table)


@app.command("reset-factor")
def reset_factor(
    email: Annotated[str, typer.Argument(help="of the account whose owner lost app, passkeys and codes")],
) -> None:
    """Takes app, passkeys and recovery codes from an account and ends its sessions. Know who asks you to: the
    password alone opens it afterwards. It is on record with each organisation of the person.
    """
    database = Database.from_settings(with_local_services(get_settings()))
    try:
        with database.transaction() as session:
            person = session.scalar(select(Person).where(Person.email == email.strip().lower()))
            if person is not None:
                second_factors.reset(session, person.id)
                person_sessions.end_all(session, person.id)
                for organisation_id in sorted(
                    one.organisation_id for one in accounts.memberships(session, person.id)
                ):
                    what = trail.Note(person.email)
                    trail.record(session, organisation_id, trail.OPERATOR, "reset_second_factor", what)
    finally:
        database.dispose()
    if person is None:
        typer.echo(f"Nobody has an account with {email}.", err=True)
        raise typer.Exit(1)
    typer.echo(f"The account of {email} has no second factor any more; its sessions have ended.")


@app.command("link")
def link() -> None:
    """Prints another address that signs the owner of this machine in, once and within ten minutes."""
    settings = with_local_services(get_settings())
    typer.echo(local_link(settings.database_url, f"http://{settings.host}:{settings.port}"))


def local_link(database_url: str, base: str) -> str:
    """An address that signs the owner of this machine in."""
    database = Database(database_url, pool_size=1)
    try:
        with database.transaction() as session:
            return local_owner.link(session, base, utc_now())
    finally:
        database.dispose()
