"""`tailroom work …`: work of the whole installation that failed too often."""

import json
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from tailroom.cli.database import installation_settings, open_transaction
from tailroom.cli.terminal import echo, stop
from tailroom.kit.clock import utc_now

if TYPE_CHECKING:
    from tailroom.work.failures import Failure

app = typer.Typer(help="Work that failed too often.", no_args_is_help=True)


@app.command("failures")
def list_failures(
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="the newest so many")] = 50,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON array instead of lines.")] = False,
) -> None:
    """List given-up work, newest first: kind, run or upload, organisation, attempts, reason."""
    from tailroom.work import failures

    with open_transaction() as session:
        given_up = failures.newest(session, None, limit)
    if as_json:
        echo(json.dumps([_document(failure) for failure in given_up]))
        return
    for failure in given_up:
        when = failure.given_up_at.isoformat(timespec="seconds")
        echo(
            f"{when}  {failure.kind}  {failure.subject}  organisation {failure.organisation_id}  "
            f"{failure.attempts} attempts: {failure.error}"
        )
    if not given_up:
        echo("Nothing was given up.")


def _document(failure: "Failure") -> dict[str, Any]:
    return {
        "kind": failure.kind,
        "subject": str(failure.subject),
        "organisation_id": str(failure.organisation_id),
        "given_up_at": failure.given_up_at.isoformat(),
        "attempts": failure.attempts,
        "error": failure.error,
    }


@app.command("retry")
def retry(subjects: Annotated[list[UUID], typer.Argument(help="runs or uploads")]) -> None:
    """Retry failed work of runs or uploads at once."""
    from tailroom.kit.db import Database
    from tailroom.kit.notifier import Notifier
    from tailroom.work import outbox

    settings = installation_settings()
    notifier = Notifier(settings.redis_url)
    database = Database.from_settings(settings, hint=notifier.hint)
    try:
        with database.transaction() as session:
            works = sum(outbox.retry(session, subject, utc_now()) for subject in subjects)
    finally:
        database.dispose()
        notifier.close()
    if not works:
        stop("Nothing was given up of what was named; see `tailroom work failures`.")
    echo(f"{works} works are due again.")
