"""Effects of answers about unknown conditions on a run: the name of its operation, the kind of its load.

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
    """Return why an answer about a condition (unit, operation or load) is invalid; None if it is valid.

    None also for a withdrawn answer (None), and for any other fact.
    """
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
    """Return the answer as stored: another name of a unit becomes its usual name; any other answer is
    unchanged.
    """
    return OTHER_NAMES.get(value, value) if name == LATENCY_UNIT and isinstance(value, str) else value


def operation_of(run: Run, operation: str) -> str:
    """Return `operation`; for an unnamed operation of a file that does not name it, the name that was
    answered.

    `UNNAMED` without such an answer.
    """
    if operation != UNNAMED or OPERATION not in run.missing:
        return operation
    return str(disclosed_value(run.disclosed, OPERATION) or UNNAMED)


def set_closed_loop(run: Run) -> None:
    """Set `closed_loop` of a run whose file does not state its load: true if a closed loop was answered, else
    false.

    Other runs do not change.
    """
    if LOOP in run.missing:
        run.closed_loop = disclosed_value(run.disclosed, LOOP) == CLOSED


def reopen(session: Session, run_id: UUID) -> None:
    """Mark the run's analysis as not final, so that verdicts and pictures are calculated again."""
    session.execute(update(AnalysisState).where(AnalysisState.run_id == run_id).values(is_final=False))


def rename_operation(session: Session, run: Run, before: str, after: str) -> None:
    """Rename the operation `before` of a run's series to `after`, if the file does not name its operation.

    Nothing changes if the file names it or the names are equal. Raise DisclosureInvalid if a series has the
    name `after` already.
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
