"""Changes of an uploaded run by answers about its latency unit, its operation and its kind of load.

An answered unit is only checked here: the file is read again with it (`uploads.answers`). Source:
docs/method.md 10, C7.
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tailroom.domain.verdicts.unknown_conditions import (
    CLOSED,
    LATENCY_UNIT,
    LOOP,
    LOOPS,
    OPERATION,
    OTHER_NAMES,
    UNITS_NS,
    UNNAMED,
)
from tailroom.kit.errors import LocatedProblem
from tailroom.runs.errors import DisclosureInvalid
from tailroom.storage.run import Run
from tailroom.storage.series import Series
from tailroom.storage.slices import AnalysisState

CONDITIONS = frozenset({LATENCY_UNIT, OPERATION, LOOP})
_NAME_CHARACTERS_MAX = 60


def answer_problem(name: str, value: object) -> str | None:
    """Return why an answer is invalid, or None. Answers of None and facts outside `CONDITIONS` are valid."""
    if value is None or name not in CONDITIONS:
        return None
    if name == LATENCY_UNIT and canonical_answer(name, value) not in UNITS_NS:
        return f"a unit is one of {', '.join(UNITS_NS)}"
    if name == LOOP and value not in LOOPS:
        return f"a load is one of {', '.join(LOOPS)}"
    if name == OPERATION and not (isinstance(value, str) and len(value) <= _NAME_CHARACTERS_MAX):
        return f"the name of an operation has 1 to {_NAME_CHARACTERS_MAX} characters"
    return None


def canonical_answer(name: str, value: Any) -> Any:
    """Return the answer as stored: a unit by its usual name, any other answer unchanged."""
    return OTHER_NAMES.get(value, value) if name == LATENCY_UNIT and isinstance(value, str) else value


def operation_of(run: Run, operation: str) -> str:
    """Return `operation`, or the answered name (else `UNNAMED`) if the file does not name its operation."""
    if operation != UNNAMED or OPERATION not in run.missing:
        return operation
    return str(disclosed_value(run.disclosed, OPERATION) or UNNAMED)


def set_closed_loop(run: Run) -> None:
    """Set `closed_loop` to the answered load, false without an answer, unless the file states the load."""
    if LOOP in run.missing:
        run.closed_loop = disclosed_value(run.disclosed, LOOP) == CLOSED


def reopen(session: Session, run_id: UUID) -> None:
    """Mark the run's analysis as not final, so that verdicts and pictures are calculated again."""
    session.execute(update(AnalysisState).where(AnalysisState.run_id == run_id).values(is_final=False))


def rename_operation(session: Session, run: Run, before: str, after: str) -> None:
    """Rename the operation `before` of a run's series to `after`, unless the file names its operation.

    Raise DisclosureInvalid if a series has the name `after` already, except if both names are equal.
    """
    if OPERATION not in run.missing or before == after:
        return
    names = set(session.scalars(select(Series.operation).where(Series.run_id == run.run_id).distinct()))
    if after in names:
        reason = f"the file has a series called {after}"
        raise DisclosureInvalid(
            f"The answer cannot be taken: {reason}.", [LocatedProblem(field=OPERATION, reason=reason)]
        )
    chosen = Series.run_id == run.run_id, Series.operation == before
    session.execute(update(Series).where(*chosen).values(operation=after))


def disclosed_value(disclosed: Mapping[str, Any], name: str) -> Any:
    """Return the disclosed value of a fact by its name; None if it was not answered."""
    answer = disclosed.get(name)
    return None if answer is None else answer.get("value")
