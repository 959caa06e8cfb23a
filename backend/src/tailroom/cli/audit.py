"""`tailroom audit …`: verification of the audit trail."""

from typing import Annotated

import typer

from tailroom.cli.database import open_transaction
from tailroom.cli.exit_codes import stop
from tailroom.cli.terminal import echo
from tailroom.kit.exit_codes import ExitCode

app = typer.Typer(help="The audit trail.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Inspect the audit trail."""


@app.command("verify")
def verify(
    organisation: Annotated[str | None, typer.Option(help="name or id; without it all of them")] = None,
) -> None:
    """Go through every event and its hash. Exit with 1 if one was changed, removed or inserted.

    Print the hash of the newest event: written down elsewhere, it shows later whether the end was cut off.
    """
    from sqlalchemy import select

    from tailroom.access import repository, trail
    from tailroom.storage.organisation import Organisation

    is_broken = False
    with open_transaction() as session:
        if organisation is None:
            organisations = session.scalars(select(Organisation).order_by(Organisation.created_at)).all()
            if not organisations:
                stop("There is no organisation.", ExitCode.FAILED)
        elif (named := repository.find_organisation(session, organisation)) is not None:
            organisations = [named]
        else:
            stop(f"There is no organisation {organisation!r}.", ExitCode.FAILED)
        for verified in organisations:
            result = trail.verify(session, verified.id)
            is_broken = is_broken or result.problem is not None
            state = result.problem or f"whole, newest {result.head}"
            echo(f"{verified.name} ({verified.id}): {result.events} events, {state}")
    if is_broken:
        raise typer.Exit(1)
