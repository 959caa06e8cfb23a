"""`tailroom verdicts …`: stored verdicts by other versions of the method."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tailroom.cli.database import open_transaction
from tailroom.cli.terminal import echo
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.verdict import Strength

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement
    from sqlalchemy.orm import Session

    from tailroom.storage.verdicts import VerdictRow

app = typer.Typer(help="Stored verdicts.", no_args_is_help=True)


@app.command("differ")
def differ(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object for each line")] = False,
) -> None:
    """List verdicts whose word or strength differs between this version of the method and the one before.

    The reason is printed with each, and at the end how many changed in which way. Runs that were not judged
    again yet are counted; earlier verdicts stay.
    """
    with open_transaction() as session:
        differences, waiting = differing(session, METHOD_VERSION)
    for difference in differences:
        if as_json:
            echo(json.dumps(difference))
        else:
            echo(
                "{run_id}  {budget} {budget_version}: {words_before} by method {method_before}, "
                "{words_now} by method {method_now} ({reason_text})".format(**difference)
            )
    if as_json:
        return
    for (before, now), count in changes(differences):
        echo(f"{count:>7}  {before} → {now}")
    echo(f"{len(differences)} verdicts differ; {waiting} are not judged by method {METHOD_VERSION} yet.")


def changes(differences: Sequence[dict[str, Any]]) -> list[tuple[tuple[str, str], int]]:
    """Return ((words before, words now), number of verdicts), the most frequent change first."""
    counts = Counter((difference["words_before"], difference["words_now"]) for difference in differences)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def differing(session: "Session", method_version: int) -> tuple[list[dict[str, Any]], int]:
    """Return verdicts that this version of the method changed in word or strength, and how many wait for it.

    Each is an object as `--json` prints it, compared with the newest earlier version; those that wait are not
    judged by this version yet. A method before 8 states no strength: its decisions count as proven.
    """
    from sqlalchemy import and_, or_, select
    from sqlalchemy.orm import aliased

    from tailroom.storage.verdicts import VerdictRow

    old, new, between = aliased(VerdictRow), aliased(VerdictRow), aliased(VerdictRow)
    same_question = and_(
        old.run_id == new.run_id,
        old.budget_name == new.budget_name,
        old.budget_version == new.budget_version,
    )
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
        .join(new, same_question & (new.method_version == method_version))
        .where(
            old.method_version < method_version,
            newest_before,
            or_(old.verdict != new.verdict, _strength(old) != _strength(new)),
        )
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
            "strength_before": before.strength,
            "words_before": _words(before),
            "method_before": before.method_version,
            "now": after.verdict,
            "strength": after.strength,
            "words_now": _words(after),
            "method_now": after.method_version,
            "reason": after.reason or after.result.get("unproven"),
            "reason_text": after.result["reason_text"],
        }
        for before, after in rows
    ]
    return differences, len(waiting)


def _strength(row: "type[VerdictRow]") -> "ColumnElement[str]":
    from sqlalchemy import func

    return func.coalesce(row.strength, Strength.PROVEN.value)


def _words(row: "VerdictRow") -> str:
    """Return verdict and strength as text; for a method before 8 the verdict alone."""
    from tailroom.domain.verdicts.headline import words_of_document

    return words_of_document({"verdict": row.verdict, "strength": row.strength, "reason": row.reason})
