"""`tailroom organisation …`: how an organisation begins, moves to another installation, and ends."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from tailroom.cli.database import (
    ensure_organisation_named,
    installation_settings,
    open_database,
    open_transaction,
    organisation_named,
)
from tailroom.cli.options import checked_new_name
from tailroom.cli.terminal import echo, stop
from tailroom.kit.clock import utc_now
from tailroom.kit.outside_types import checked_email

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from tailroom.kit.settings import Settings


class RoleOption(StrEnum):
    """Roles of members."""

    owner = "owner"
    admin = "admin"
    engineer = "engineer"
    viewer = "viewer"


app = typer.Typer(help="Organisations.", no_args_is_help=True)


@app.command("delete")
def delete(
    name: Annotated[str, typer.Argument(help="name of one that the command line made, or id")],
    confirm: Annotated[str, typer.Option(help="its name once more: nobody can bring it back")] = "",
) -> None:
    """Delete an organisation with its runs, uploads, files, budgets, drives and tokens. Workers remove
    intervals and files soon after.
    """
    from tailroom.operations.removal import delete_organisation

    if confirm != name:
        stop(f"Nothing was deleted. This cannot be taken back; repeat it with --confirm {name!r}.")
    with open_transaction() as session:
        delete_organisation(session, organisation_named(session, name).id, utc_now())
    echo(f"{name!r} is deleted.")


@app.command("invite")
def invite(
    name: Annotated[
        str,
        typer.Argument(
            help="name of one that the command line made, or id; made where there is none",
            parser=checked_new_name,
            metavar="NAME",
        ),
    ],
    email: Annotated[
        str, typer.Option(help="e-mail address to invite", parser=checked_email, metavar="EMAIL")
    ],
    role: Annotated[RoleOption, typer.Option(help="what they may do")] = RoleOption.owner,
    days: Annotated[int, typer.Option(min=1, max=30, help="until the invitation expires")] = 7,
) -> None:
    """Print an invitation's address, alone on standard output, for the first person."""
    from tailroom.access import trail

    settings = installation_settings()
    base = _invitation_base(settings)
    with open_database(settings) as database, database.transaction() as session:
        organisation = ensure_organisation_named(session, name)
        address = _invite(session, base, organisation.id, email, role.value, days)
        note = trail.Note(email, after={"role": role.value})
        trail.record(session, organisation.id, trail.OPERATOR, "invite", note)
    echo(f"For {email}, for {days} days; it is shown only now:", err=True)
    echo(address)


@app.command("export")
def export(
    name: Annotated[str, typer.Argument(help="name of one that the command line made, or id")],
    file: Annotated[Path, typer.Argument(help="the pack to be written; a new file")],
) -> None:
    """Write everything that an organisation owns to a file that another installation imports, without
    credentials.
    """
    from tailroom.access import trail
    from tailroom.kit.raw_files import open_raw_files
    from tailroom.operations.organisation_export import export_pack
    from tailroom.operations.organisation_pack import OrganisationPackRefused

    settings = installation_settings()
    with open_database(settings) as database:
        with database.transaction() as session:
            organisation_id = organisation_named(session, name).id
        store = open_raw_files(settings.raw_files, settings.home)
        try:
            with file.open("xb") as written:
                manifest = export_pack(database, store, organisation_id, written, utc_now())
        except (OrganisationPackRefused, OSError) as error:
            stop(f"The organisation was not exported: {error}")
        with database.transaction() as session:
            note = trail.Note(manifest.organisation)
            trail.record(session, organisation_id, trail.OPERATOR, "export_organisation", note)
    rows = manifest.rows
    echo(f"{file}: {rows['run']} runs, {rows['verdict']} verdicts, {rows['raw_file']} files.")
    if manifest.files_missing:
        stop(f"{len(manifest.files_missing)} uploaded files are missing in the store.")


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
    from tailroom.kit.raw_files import open_raw_files
    from tailroom.operations.organisation_import import import_pack
    from tailroom.operations.organisation_pack import OrganisationPackRefused

    settings = installation_settings()
    with open_database(settings) as database:
        store = open_raw_files(settings.raw_files, settings.home)
        try:
            result = import_pack(database, store, file, utc_now(), into=into)
        except OrganisationPackRefused as error:
            stop(f"Nothing was imported: {error}")
        owner = result.manifest.organisation_id
        invitations = []
        if invite_members:
            base = _invitation_base(settings)
            with database.transaction() as session:
                invitations = [
                    f"{member.email}  {_invite(session, base, owner, member.email, member.role, 30)}"
                    for member in result.members
                ]
    new = sum(result.rows.values())
    echo(f"{result.manifest.organisation} ({owner}): {new} new rows, {result.rows['run']} of them runs.")
    if result.items_left_out:
        echo(f"{result.items_left_out} drives were left out: their names are taken here.", err=True)
    for invitation in invitations:
        echo(invitation)
    if new and not invite_members:
        echo(f"Let somebody in: tailroom organisation invite {owner} --email …", err=True)


def _invite(  # noqa: PLR0917 - what an invitation states
    session: "Session", base: str, organisation_id: UUID, email: str, role: str, days: int
) -> str:
    """Store an invitation by the operator, valid for `days` days; return the address that accepts it."""
    from tailroom.people import members

    _, code = members.invite(
        session,
        organisation_id,
        email=email,
        role=role,
        days=days,
        by="whoever runs the server",
        by_role="owner",
        issuer_id=None,
        now=utc_now(),
    )
    return f"{base}/invitation#{code}"


def _invitation_base(settings: "Settings") -> str:
    """Return the address that invitations begin with; print a note if it is only where the API listens."""
    from tailroom.kit.local_services import local_origin

    base = settings.public_url or local_origin(settings.home)
    if base is None:
        base = f"http://{settings.host}:{settings.port}"
        echo(f"TAILROOM_PUBLIC_URL is not set: write your address in the place of {base}.", err=True)
    return base.rstrip("/")
