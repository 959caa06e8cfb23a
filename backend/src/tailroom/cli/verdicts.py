"""`tailroom verdicts …`: what stands in the database about verdicts by other versions of the method."""

import json
from typing import Annotated, Any

import typer
from sqlalchemy import select
from sqlalchemy.orm import Session, aliased

from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.headline import words_of_document
from tailroom.kit.db import Database
from tailroom.kit.settings import get_settings
from tailroom.storage.verdicts import VerdictRow

app = typer.Typer(help="Stored verdicts.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Stored verdicts."""


@app.command("differ")
def differ(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object for each line")] = False,
) -> None:
    """Lists verdicts that this version of the method words otherwise than the version before it did.

    Runs that were not judged again yet are counted; old verdicts stay as they are.
    """
    database = Database.from_settings(get_settings())
    try:
        with database.transaction() as session:
            found, waiting = differing(session, METHOD_VERSION)
    finally:
        database.dispose()
    for one in found:
        if as_json:
            typer.echo(json.dumps(one))
        else:
            typer.echo(
                f"{one['run_id']}  {one['budget']} {one['budget_version']}: {one['words_before']} by method "
                f"{one['method_before']}, {one['words_now']} by method {one['method_now']}: {one['why']}"
            )
    if not as_json:
        typer.echo(f"{len(found)} verdicts differ; {waiting} are not judged by method {METHOD_VERSION} yet.")


def differing(session: Session, method_version: int) -> tuple[list[dict[str, Any]], int]:
    """Return verdicts whose word changed with a version of the method, and how many it has not judged yet."""
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
    found = [
        {
            "run_id": str(before.run_id),
            "budget": before.budget_name,
            "budget_version": before.budget_version,
            "before": before.verdict,
            "words_before": words_of_document(before.result),
            "method_before": before.method_version,
            "now": after.verdict,
            "strength": after.strength,
            "words_now": words_of_document(after.result),
            "why": after.result["reason_text"],
            "method_now": after.method_version,
        }
        for before, after in rows
    ]
    return found, len(waiting)
