"""Publication of runs, and the owner's answers to open questions.

A run is private until its owner publishes it. Readers of a withdrawn run see its name, the time and the
reason. Answers are stored apart from the facts of the measurement.
"""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import update
from sqlalchemy.orm import Session

from tailroom.catalogue.disclosure import ACT_STORAGE, STARTED_AT, is_known, label_of
from tailroom.domain.verdicts.unknown_conditions import UNNAMED
from tailroom.kit.clock import unix_ns
from tailroom.kit.errors import LocatedProblem
from tailroom.kit.outside_types import text_problem
from tailroom.kit.private_names import KINDS
from tailroom.runs import conditions, repository
from tailroom.runs.errors import DisclosureInvalid
from tailroom.runs.service import lock_own_run, unknown_run
from tailroom.storage.drive_test import follow_visibility
from tailroom.storage.public_reading import private_names, public_title
from tailroom.storage.run import FINISHED, PUBLIC, RETRACTED, UPLOAD, Run
from tailroom.storage.run_link import RunLink
from tailroom.work.kinds import JUDGE, RATE
from tailroom.work.outbox import make_due

Answer = str | int | float | bool | None

_ANSWER_CHARACTERS_MAX = 2_000


def publish(
    session: Session, organisation_id: UUID, run_id: UUID, shown: Collection[str], now: datetime
) -> Run:
    """Publish the run and return it: anyone with the link may read it.

    Names whose kind is in `shown` are shown unchanged, others become neutral. Publishing a public run
    again changes which names are shown, not the time of publication. Publishing a retracted run ends its
    retraction. Raise RunUnknown if the organisation does not own the run.
    """
    run = lock_own_run(session, organisation_id, run_id)
    title = public_title(session, run, shown)
    is_new = run.visibility != PUBLIC
    if is_new or set(run.shown_names) != set(shown) or run.public_title != title:
        run.shown_names, run.public_title = sorted(shown), title
        run.visibility, run.published_at = PUBLIC, now if is_new else run.published_at
        run.retracted_at = run.retraction_reason = None
        follow_visibility(session, run, title or run.title)
        _make_rating_due(session, run, now)
    session.flush()
    return run


def names(session: Session, organisation_id: UUID, run_id: UUID) -> dict[str, list[str]]:
    """Return the private names in an organisation's own run, for each kind of `KINDS`.

    Raise RunUnknown if the organisation does not own the run.
    """
    run = repository.find_run(session, organisation_id, run_id)
    if run is None or run.organisation_id != organisation_id:
        raise unknown_run(run_id)
    names: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for name, kind in private_names(session, run).items():
        names[kind].append(name)
    return names


def retract(session: Session, organisation_id: UUID, run_id: UUID, reason: str | None, now: datetime) -> Run:
    """Withdraw a public run and return it: other readers have no access any more, and its links end.

    A run that is not public is returned unchanged. Raise RunUnknown if the organisation does not own the run.
    """
    run = lock_own_run(session, organisation_id, run_id)
    if run.visibility == PUBLIC:
        run.visibility, run.retracted_at, run.retraction_reason = RETRACTED, now, reason
        run.shown_names, run.public_title = [], None
        session.execute(
            update(RunLink)
            .where(RunLink.run_id == run_id, RunLink.revoked_at.is_(None))
            .values(revoked_at=now)
        )
        follow_visibility(session, run, run.title)
        _make_rating_due(session, run, now)
    session.flush()
    return run


def answer(
    session: Session, organisation_id: UUID, run_id: UUID, answers: Mapping[str, Answer], now: datetime
) -> Run:
    """Store answers to facts that the run does not state, by name of the fact, and return the run.

    None removes an answer. Raise RunUnknown if the organisation does not own the run, and DisclosureInvalid,
    with nothing stored, if an answer is invalid.
    """
    run = lock_own_run(session, organisation_id, run_id)
    store_answers(session, run, answers, now)
    session.flush()
    return run


def check_answers(answers: Mapping[str, Answer]) -> None:
    """Raise DisclosureInvalid with all invalid answers; `answers` by name of the fact."""
    problems = [
        LocatedProblem(field=name, reason=reason)
        for name, value in answers.items()
        if (reason := _answer_problem(name, value)) is not None
    ]
    if problems:
        raise DisclosureInvalid(
            f"{len(problems)} of {len(answers)} answers cannot be taken, the first: "
            f"{problems[0].field}: {problems[0].reason}.",
            problems,
        )


def store_answers(session: Session, run: Run, answers: Mapping[str, Answer], now: datetime) -> None:
    """Store answers in a run that the caller has locked; None removes an answer.

    An answered start time, operation or load changes the run itself. The rating becomes due, and an answered
    unit, operation or load of an uploaded run makes its verdicts due. Raise DisclosureInvalid if an answer is
    invalid, or a series already has the answered name.
    """
    check_answers(answers)
    disclosed = dict(run.disclosed)
    for name, value in answers.items():
        if value is None:
            disclosed.pop(name, None)
        else:
            disclosed[name] = {
                "value": conditions.canonical_answer(name, value),
                "answered_at": now.isoformat(),
            }
    before = conditions.operation_of(run, UNNAMED)
    run.disclosed = disclosed
    _make_rating_due(session, run, now)
    if run.source == UPLOAD and conditions.CONDITIONS & answers.keys():
        conditions.rename_operation(session, run, before, conditions.operation_of(run, UNNAMED))
        conditions.set_closed_loop(run)
        conditions.reopen(session, run.run_id)
        make_due(session, JUDGE, run.run_id, run.organisation_id, now, reset=True)
    if STARTED_AT in answers and STARTED_AT in run.missing:
        answer = answers[STARTED_AT]
        # Without an answer the run has the time of its upload again.
        run.started_at_known = isinstance(answer, str)
        run.started_at = (
            datetime.fromisoformat(answer).astimezone(UTC) if isinstance(answer, str) else run.created_at
        )
        run.started_at_unix_ns = unix_ns(run.started_at)


def _make_rating_due(session: Session, run: Run, now: datetime) -> None:
    """Make the rating due for a finished run of ACT's storage workload; nothing for any other run."""
    if run.workload == ACT_STORAGE and run.state == FINISHED:
        make_due(session, RATE, run.run_id, run.organisation_id, now, reset=True)


def _answer_problem(name: str, value: Answer) -> str | None:
    """Return why an answer is invalid or about an unknown fact; None if it is valid or a withdrawal."""
    reason = conditions.answer_problem(name, value) if is_known(name) else "no such fact is asked for"
    if reason is not None:
        return reason
    if isinstance(value, int | float) and not -(2**63) < value < 2**63:
        return "a number is finite and fits into 64 bits"
    if isinstance(value, str):
        if not value.strip() or len(value) > _ANSWER_CHARACTERS_MAX:
            return f"an answer has 1 to {_ANSWER_CHARACTERS_MAX} characters"
        return text_problem(value) or (_time_problem(value) if name == STARTED_AT else None)
    if name == STARTED_AT and value is not None:
        return _time_problem(value)
    return None


def _time_problem(value: Answer) -> str | None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None or not 1980 <= moment.year <= 2200:
        return f"{label_of(STARTED_AT)}: a time in ISO 8601 with its offset, such as 2026-11-20T12:30:00Z"
    return None
