"""What the owner of a run adds to it: answers to open questions, and whether others may see it.

A run is private until somebody publishes it. What was public and is withdrawn leaves its name, the moment and
the reason behind, for everybody who has the link. Answers stay apart from what the measurement states.
"""

import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.catalogue.disclosure import STARTED_AT, is_known, label_of
from tailroom.domain.units import NS_PER_US
from tailroom.kit.errors import LocatedProblem
from tailroom.runs import repository
from tailroom.runs.errors import DisclosureInvalid
from tailroom.runs.service import unknown_run
from tailroom.storage.drive_test import follow_visibility
from tailroom.storage.run import PUBLIC, RETRACTED, Run

Answer = str | int | float | bool | None

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST = 2_000


def publish(session: Session, organisation_id: UUID, run_id: UUID, now: datetime) -> Run:
    """Everybody with the link may read the run. Harmless when repeated. Raises RunUnknown."""
    run = _own(session, organisation_id, run_id)
    if run.visibility != PUBLIC:
        run.visibility, run.published_at = PUBLIC, now
        run.retracted_at = run.retraction_reason = None
        follow_visibility(session, run_id, organisation_id, PUBLIC)
    session.flush()
    return run


def retract(session: Session, organisation_id: UUID, run_id: UUID, reason: str | None, now: datetime) -> Run:
    """Nobody else may read the run any more. One that was never public stays private. Raises RunUnknown."""
    run = _own(session, organisation_id, run_id)
    if run.visibility == PUBLIC:
        run.visibility, run.retracted_at, run.retraction_reason = RETRACTED, now, reason
        follow_visibility(session, run_id, organisation_id, RETRACTED)
    session.flush()
    return run


def answer(
    session: Session, organisation_id: UUID, run_id: UUID, answers: Mapping[str, Answer], now: datetime
) -> Run:
    """Notes facts that the run does not state; null takes an answer back. Raises RunUnknown,
    DisclosureInvalid.
    """
    run = _own(session, organisation_id, run_id)
    note_answers(run, answers, now)
    session.flush()
    return run


def check_answers(answers: Mapping[str, Answer]) -> None:
    """Raises DisclosureInvalid with everything that is wrong."""
    problems = [
        LocatedProblem(field=name, reason=reason)
        for name, value in answers.items()
        if (reason := _broken(name, value)) is not None
    ]
    if problems:
        raise DisclosureInvalid(
            f"{len(problems)} answers cannot be taken, the first: {problems[0].field}: {problems[0].reason}.",
            problems,
        )


def note_answers(run: Run, answers: Mapping[str, Answer], now: datetime) -> None:
    """Notes answers on a run that the caller holds. Raises DisclosureInvalid."""
    check_answers(answers)
    kept = dict(run.disclosed)
    for name, value in answers.items():
        if value is None:
            kept.pop(name, None)
        else:
            kept[name] = {"value": value, "answered_at": now.isoformat()}
    run.disclosed = kept
    told = answers.get(STARTED_AT)
    if isinstance(told, str) and STARTED_AT in run.missing:
        run.started_at = datetime.fromisoformat(told).astimezone(UTC)
        run.started_at_unix_ns = (run.started_at - _EPOCH) // timedelta(microseconds=1) * NS_PER_US
        run.started_at_known = True


def _own(session: Session, organisation_id: UUID, run_id: UUID) -> Run:
    run = repository.lock_run(session, organisation_id, run_id)
    if run is None:
        raise unknown_run(run_id)
    return run


def _broken(name: str, value: Answer) -> str | None:
    if not is_known(name):
        return "no such fact is asked for"
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is no number"
    if isinstance(value, str):
        if not value.strip() or len(value) > _LONGEST:
            return f"an answer has 1 to {_LONGEST} characters"
        if "\x00" in value:
            return "a text with a NUL character cannot be kept"
    if name == STARTED_AT and value is not None:
        return _broken_moment(value)
    return None


def _broken_moment(value: Answer) -> str | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None or not 1980 <= moment.year <= 2200:
        return f"{label_of(STARTED_AT)}: a time in ISO 8601 with its offset, such as 2026-11-20T12:30:00Z"
    return None
