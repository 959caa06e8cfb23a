"""`tailroom organisation …`: how an organisation begins, moves to another installation, and ends."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from tailroom.cli.terminal import echo
from tailroom.kit.clock import utc_now
from tailroom.kit.exit_codes import ExitCode
from tailroom.kit.outside_types import checked_email

if TYPE_CHECKING:
    from tailroom.storage.organisation import Organisation


class RoleOption(StrEnum):
    """Roles of members."""

    owner = "owner"
    admin = "admin"
    engineer = "engineer"
    viewer = "viewer"


app = typer.Typer(help="Organisations.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Manage organisations."""


@app.command("delete")
def delete(
    name: Annotated[str, typer.Argument(help="name of one that the command line made, or id")],
    confirm: Annotated[str, typer.Option(help="its name once more: nobody can bring it back")] = "",
) -> None:
    """Delete an organisation with its runs, uploads, files, budgets, drives and tokens. Workers remove
    intervals and files soon after.
    """
    from tailroom.access import repository
    from tailroom.kit.db import Database
    from tailroom.kit.local_services import with_local_services
    from tailroom.kit.settings import get_settings
    from tailroom.operations.removal import delete_organisation

    if confirm != name:
        echo(f"Nothing was deleted. This cannot be taken back; repeat it with --confirm {name!r}.", err=True)
        raise typer.Exit(2)
    database = Database.from_settings(with_local_services(get_settings()))
    try:
        with database.transaction() as session:
            organisation = repository.find_organisation(session, name)
            if organisation is not None:
                delete_organisation(session, organisation.id, utc_now())
    finally:
        database.dispose()
    if organisation is None:
        echo(f"There is no organisation {name!r}.", err=True)
        raise typer.Exit(int(ExitCode.UNUSABLE))
    echo(f"{name!r} is deleted.")


@app.command("invite")
def invite(
    name: Annotated[
        str, typer.Argument(help="name of one that the command line made, or id; made where there is none")
    ],
    email: Annotated[
        str, typer.Option(help="e-mail address to invite", parser=checked_email, metavar="EMAIL")
    ],
    role: Annotated[RoleOption, typer.Option(help="what they may do")] = RoleOption.owner,
    days: Annotated[int, typer.Option(min=1, max=30, help="until the invitation expires")] = 7,
) -> None:
    """Print an invitation's address, alone on standard output, for the first person."""
    from tailroom.access import repository, trail
    from tailroom.kit.db import Database
    from tailroom.kit.local_services import with_local_services
    from tailroom.kit.settings import get_settings
    from tailroom.people import members

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
                email=email,
                role=role.value,
                days=days,
                by="whoever runs the server",
                by_role="owner",
                issuer_id=None,
                now=now,
            )
            trail.record(
                session, owner.id, trail.OPERATOR, "invite", trail.Note(email, after={"role": role.value})
            )
    finally:
        database.dispose()
    base = settings.public_url or f"http://{settings.host}:{settings.port}"
    echo(f"For {email}, for {days} days; it is shown only now:", err=True)
    echo(f"{base.rstrip('/')}/invitation#{code}")


@app.command("export")
def export(
    name: Annotated[str, typer.Argument(help="name of one that the command line made, or id")],
    file: Annotated[Path, typer.Argument(help="the pack to be written; a new file")],
) -> None:
    """Write everything that an organisation owns to a file that another installation imports, without
    credentials.
    """
    from tailroom.access import repository
    from tailroom.kit.db import Database
    from tailroom.kit.local_services import with_local_services
    from tailroom.kit.raw_files import open_raw_files
    from tailroom.kit.settings import get_settings
    from tailroom.operations.organisation_export import export_pack
    from tailroom.operations.organisation_pack import OrganisationPackRefused

    settings = with_local_services(get_settings())
    database = Database.from_settings(settings)
    try:
        with database.transaction() as session:
            organisation = repository.find_organisation(session, name)
        with file.open("xb") as written:
            store = open_raw_files(settings.raw_files, settings.home)
            made = export_pack(database, store, _id_of(organisation, name), written, utc_now())
    except (OrganisationPackRefused, OSError) as error:
        echo(f"The organisation was not exported: {error}", err=True)
        raise typer.Exit(int(ExitCode.UNUSABLE)) from error
    finally:
        database.dispose()
    echo(f"{file}: {made.rows['run']} runs, {made.rows['verdict']} verdicts, {made.rows['raw_file']} files.")
    if made.files_missing:
        echo(f"{len(made.files_missing)} uploaded files are missing in the store.", err=True)
        raise typer.Exit(int(ExitCode.UNUSABLE))


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="a pack that `tailroom organisation export` wrote")],
    *,
    invite_members: Annotated[
        bool, typer.Option("--invite-members", help="Print an invitation for every member.")
    ] = False,
    into: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Add to the organisation of this name that lives here already."),
    ] = None,
) -> None:
    """Read an organisation of another installation, all or nothing. Repeating it changes nothing. Runs arrive
    private, and are judged again.
    """
    from tailroom.kit.db import Database
    from tailroom.kit.local_services import with_local_services
    from tailroom.kit.raw_files import open_raw_files
    from tailroom.kit.settings import get_settings
    from tailroom.operations.organisation_import import import_pack
    from tailroom.operations.organisation_pack import OrganisationPackRefused
    from tailroom.people import members

    settings = with_local_services(get_settings())
    database = Database.from_settings(settings)
    now = utc_now()
    try:
        store = open_raw_files(settings.raw_files, settings.home)
        done = import_pack(database, store, file, now, into=into)
        owner = done.manifest.organisation_id
        codes = []
        with database.transaction() as session:
            for member in done.members if invite_members else ():
                _, code = members.invite(
                    session,
                    owner,
                    email=member.email,
                    role=member.role,
                    days=30,
                    by="whoever runs the server",
                    by_role="owner",
                    issuer_id=None,
                    now=now,
                )
                codes.append((member.email, code))
    except OrganisationPackRefused as error:
        echo(f"Nothing was imported: {error}", err=True)
        raise typer.Exit(int(ExitCode.UNUSABLE)) from error
    finally:
        database.dispose()
    new = sum(done.rows.values())
    echo(f"{done.manifest.organisation} ({owner}): {new} new rows, {done.rows['run']} of them runs.")
    if done.items_taken:
        echo(f"{done.items_taken} drives were left out: their names are taken here.", err=True)
    base = (settings.public_url or f"http://{settings.host}:{settings.port}").rstrip("/")
    for email, code in codes:
        echo(f"{email}  {base}/invitation#{code}")
    if new and not invite_members:
        echo(f"Let somebody in: tailroom organisation invite {owner} --email …", err=True)


def _id_of(organisation: "Organisation | None", name: str) -> UUID:
    from tailroom.operations.organisation_pack import OrganisationPackRefused

    if organisation is None:
        raise OrganisationPackRefused(f"There is no organisation {name!r}.")
    return organisation.id
