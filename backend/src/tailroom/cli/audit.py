"""`tailroom audit …`: verification of the audit trail."""

from typing import Annotated

import typer

from tailroom.cli.database import open_transaction, organisation_named
from tailroom.cli.terminal import echo, number_of, stop
from tailroom.kit.exit_codes import ExitCode

app = typer.Typer(help="The audit trail.", no_args_is_help=True)


@app.command("verify")
def verify(
    organisation: Annotated[str | None, typer.Option(help="name or id; without it all of them")] = None,
) -> None:
    """Go through every event and its hash. Exit with 1 if one was changed, removed or inserted.

    Print the hash of the newest event: written down elsewhere, it shows later whether the end was cut off.
    """
    from sqlalchemy import select

    from tailroom.access import trail
    from tailroom.storage.organisation import Organisation

    is_broken = False
    with open_transaction() as session:
        if organisation is None:
            organisations = session.scalars(select(Organisation).order_by(Organisation.created_at)).all()
            if not organisations:
                stop("There is no organisation.")
        else:
            organisations = [organisation_named(session, organisation)]
        for verified in organisations:
            result = trail.verify(session, verified.id)
            is_broken = is_broken or result.problem is not None
            state = result.problem or f"whole, newest {result.head}"
            echo(f"{verified.name} ({verified.id}): {number_of(result.events, 'event')}, {state}")
    if is_broken:
        raise typer.Exit(int(ExitCode.FAILED))
