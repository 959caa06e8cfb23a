"""`tailroom verdicts …`: stored verdicts by other versions of the method."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from sqlalchemy.orm import Session


app = typer.Typer(help="Stored verdicts.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Stored verdicts."""


@app.command("differ")
def differ(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object for each line")] = False,
) -> None:
    """List verdicts that differ between this version of the method and the version before.

    Runs that were not judged again yet are counted; earlier verdicts stay.
    """
    from tailroom.domain.method import METHOD_VERSION
    from tailroom.kit.db import Database
    from tailroom.kit.settings import get_settings

    database = Database.from_settings(get_settings())
    try:
        with database.transaction() as session:
            differences, waiting = differing(session, METHOD_VERSION)
    finally:
        database.dispose()
    for difference in differences:
        if as_json:
            typer.echo(json.dumps(difference))
        else:
            typer.echo(
                "{run_id}  {budget} {budget_version}: {before} by method {method_before}, "
                "{now} by method {method_now}".format(**difference)
            )
    if not as_json:
        typer.echo(
            f"{len(differences)} verdicts differ; {waiting} are not judged by method {METHOD_VERSION} yet."
        )


def differing(session: "Session", method_version: int) -> tuple[list[dict[str, Any]], int]:
    """Return verdicts whose word changed with a version of the method, and how many are not judged by it
    yet.
    """
    from sqlalchemy import select
    from sqlalchemy.orm import aliased

    from tailroom.storage.verdicts import VerdictRow

    old, new, between = aliased(VerdictRow), aliased(VerdictRow), aliased(VerdictRow)
    same = (old.run_id == new.run_id, old.budget_name == new.budget_name)
    same_budget = old.budget_version == new.budget_version
    newest_before = ~(
        select(between.verdict_id)
        .where(
            between.run_id == old.run_id,
            between.budget_name == old.budget_name,
            between.budget_version == old.budget_version,
            between.method_version > old.method_version,
            between.method_version < method_version,
        )
        .exists()
    )
    rows = session.execute(
        select(old, new)
        .join(new, (same[0]) & (same[1]) & same_budget & (new.method_version == method_version))
        .where(old.method_version < method_version, newest_before, old.verdict != new.verdict)
        .order_by(old.run_id, old.budget_name, old.budget_version)
    ).all()
    judged = aliased(VerdictRow)
    waiting = session.scalars(
        select(VerdictRow.verdict_id).where(
            VerdictRow.method_version < method_version,
            ~select(judged.verdict_id)
            .where(
                judged.run_id == VerdictRow.run_id,
                judged.budget_name == VerdictRow.budget_name,
                judged.budget_version == VerdictRow.budget_version,
                judged.method_version > VerdictRow.method_version,
            )
            .exists(),
        )
    ).all()
    differences = [
        {
            "run_id": str(before.run_id),
            "budget": before.budget_name,
            "budget_version": before.budget_version,
            "before": before.verdict,
            "method_before": before.method_version,
            "now": after.verdict,
            "method_now": after.method_version,
        }
        for before, after in rows
    ]
    return differences, len(waiting)
