"""Creation, listing and deletion of watches, and the trend of a watch."""

import secrets
from collections.abc import Sequence
from datetime import datetime
from urllib.parse import urlsplit
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from tailroom.access.repository import lock_organisation
from tailroom.access.sending import SendingLimits
from tailroom.analysis.figures import FiguresOut
from tailroom.analysis.pictures import FIGURES, picture_of
from tailroom.budgets.service import find_budget
from tailroom.domain.comparison.history import QUANTITIES
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import WATCHES
from tailroom.kit.transactions import Transactions
from tailroom.runs.facts import FACTS_NAMED, facts_changed, facts_of
from tailroom.runs.service import describe_run
from tailroom.storage.person import Membership
from tailroom.storage.run import FINISHED, Run
from tailroom.storage.watch import Alert, Watch, WatchResult
from tailroom.watches.errors import WatchesTooMany, WatchInvalid, WatchUnknown
from tailroom.watches.findings import BEFORE_PROBE, SEARCHES
from tailroom.watches.results import (
    add_alert,
    channels_of,
    finding_on,
    results_of,
    selects,
    store_finding,
    words_of_result,
)
from tailroom.watches.schemas import (
    AlertOut,
    FactChangeOut,
    LevelStepOut,
    TrendOut,
    TrendPointOut,
    UndecidedOut,
    WatchIn,
    WatchOut,
    WatchResultOut,
)
from tailroom.watches.trends import measured_of, steps_of

RESULTS_SHOWN = 60
"""Maximum number of results in a list of watches."""
TREND_RUNS = 60
"""Maximum number of runs in a trend."""
_ALERTS_SHOWN = 5
_EARLIER_RUNS = 100
"""Maximum number of finished runs in the history of a new watch."""


def make_watch(
    session: Session, organisation_id: UUID, request: WatchIn, *, mail_is_stored: bool, now: datetime
) -> Watch:
    """Store and return a new watch, with findings about earlier runs.

    `mail_is_stored`: mail is stored and not sent, so that any address is allowed. Raise WatchInvalid if the
    watch states neither title, host nor target, or the address is no member's; WatchesTooMany at the limit;
    BudgetUnknownProblem if there is no such budget.
    """
    if not (request.run_title or request.host_name or request.target_name):
        raise WatchInvalid("Name the runs to watch: by their title, their host, or what they measure.")
    if request.budget_name != SEARCHES:
        find_budget(session, organisation_id, request.budget_name, None)
    if request.email is not None and not mail_is_stored:
        _require_member(session, organisation_id, request.email)
    lock_organisation(session, organisation_id)
    count = session.scalar(select(func.count()).where(Watch.organisation_id == organisation_id)) or 0
    if count >= WATCHES:
        raise WatchesTooMany(f"{WATCHES} configurations are watched. End one first.")
    watch = Watch(
        organisation_id=organisation_id,
        watch_id=new_id(),
        **request.model_dump(),
        webhook_secret=secrets.token_urlsafe(32) if request.webhook_url is not None else None,
        created_at=now,
    )
    session.add(watch)
    session.flush()
    _note_earlier(session, watch, now)
    return watch


def list_watches(session: Session, organisation_id: UUID) -> list[WatchOut]:
    """Return the watches of an organisation, by name."""
    query = select(Watch).where(Watch.organisation_id == organisation_id)
    watches = session.scalars(query.order_by(func.lower(Watch.name), Watch.watch_id)).all()
    return [describe(session, watch) for watch in watches]


def describe(session: Session, watch: Watch) -> WatchOut:
    """Return a watch for the API, with its latest results and alerts."""
    alerts = session.scalars(
        select(Alert)
        .where(Alert.organisation_id == watch.organisation_id, Alert.watch_id == watch.watch_id)
        .order_by(Alert.created_at.desc(), Alert.alert_id.desc())
        .limit(_ALERTS_SHOWN)
    ).all()
    results = results_of(session, watch, RESULTS_SHOWN)
    return WatchOut.model_validate(
        {
            **{name: getattr(watch, name) for name in WatchIn.model_fields if name != "webhook_url"},
            "webhook_host": host_of(watch.webhook_url),
            "watch_id": watch.watch_id,
            "created_at": watch.created_at,
            "verdict": watch.known_verdict,
            "strength": results[0].strength if results else None,
            "words": words_of_result(results[0]) if results else None,
            "results": [_result_out(result) for result in reversed(results)],
            "alerts": [_alert_out(alert) for alert in alerts],
        }
    )


def host_of(url: str | None) -> str | None:
    """Return the host of a webhook's address, whose rest is secret; None for None, empty if malformed."""
    try:
        return None if url is None else urlsplit(url).hostname or ""
    except ValueError:  # addresses were not validated in earlier versions
        return ""


def end_watch(session: Session, organisation_id: UUID, watch_id: UUID) -> Watch:
    """Delete a watch with its history and alerts, and return it; raise WatchUnknown for an unknown id."""
    watch = get_watch(session, organisation_id, watch_id)
    session.execute(
        delete(WatchResult).where(
            WatchResult.organisation_id == organisation_id, WatchResult.watch_id == watch_id
        )
    )
    session.delete(watch)
    session.flush()
    return watch


def get_watch(session: Session, organisation_id: UUID, watch_id: UUID) -> Watch:
    """Return a watch of the organisation. Raise WatchUnknown if there is none of this id."""
    watch = session.get(Watch, (organisation_id, watch_id))
    if watch is None:
        raise WatchUnknown(f"There is no watch {watch_id} in this organisation.")
    return watch


def try_alerts(
    session: Session, organisation_id: UUID, watch_id: UUID, sending: SendingLimits, now: datetime
) -> WatchOut:
    """Add a test alert for each channel of a watch; return the watch for the API. Raise WatchUnknown for an
    unknown id, WatchInvalid without a channel, MailsTooMany if a recipient got too many test alerts.
    """
    watch = get_watch(session, organisation_id, watch_id)
    channels = channels_of(watch)
    if not channels:
        raise WatchInvalid("The watch has neither a webhook nor an e-mail address.")
    # Many organisations post to the same host, such as that of a chat: each has its own count.
    for recipient in (watch.email, host_of(watch.webhook_url)):
        if recipient is not None:
            sending.take("trial", f"{organisation_id} {recipient}", f"organisation {organisation_id}")
    for channel in channels:
        message = {
            "event": "trial",
            "text": f"{watch.name}: a trial of this alert. Nothing has changed.",
            "watch": {"watch_id": str(watch.watch_id), "name": watch.name},
            "at": now.isoformat(timespec="seconds"),
        }
        add_alert(session, watch, channel, message, now)
    return describe(session, watch)


def trend_of(
    transactions: Transactions, organisation_id: UUID, watch_id: UUID, operation: str | None
) -> TrendOut:
    """Return the latest `TREND_RUNS` runs of a watch, oldest first, with verdicts, figures, changed facts and
    changes of level.

    Figures are those of `operation`; if None, of each run's reads, else of its first operation. A run without
    the operation has none. Raise WatchUnknown if there is no such watch.
    """
    with transactions() as session:
        watch = get_watch(session, organisation_id, watch_id)
        name = watch.name
        results = list(reversed(results_of(session, watch, TREND_RUNS)))
        verdicts = {
            result.run_id: (result.verdict, result.strength, words_of_result(result)) for result in results
        }
        stored = [session.get(Run, result.run_id) for result in results]
        runs = [describe_run(session, run, organisation_id) for run in stored if run is not None]
    figures = [
        FiguresOut.model_validate_json(picture_of(transactions, organisation_id, run.run_id, FIGURES))
        for run in runs
    ]
    measured = [measured_of(of_run, operation) for of_run in figures]
    latest = next((row for row in reversed(measured) if row is not None), None)
    points = []
    facts: dict[str, str] | None = None
    verdict_before, strength_before = None, None
    for run, measured_operation in zip(runs, measured, strict=True):
        verdict, strength, words = verdicts[run.run_id]
        is_other_strength = verdict == verdict_before and strength != strength_before
        verdict_before, strength_before = verdict, strength
        stated = facts_of(run)
        changed = [] if facts is None else facts_changed(facts, stated)
        facts = stated
        points.append(
            TrendPointOut.model_validate(
                {
                    "run_id": run.run_id,
                    "title": run.title or str(run.run_id),
                    "started_at": run.started_at,
                    "verdict": verdict,
                    "strength": strength,
                    "words": words,
                    "strength_changed": is_other_strength,
                    "figures": [
                        figure.model_dump()
                        for figure in (measured_operation.figures if measured_operation is not None else ())
                        if figure.quantity in QUANTITIES
                    ],
                    "facts_changed": [FactChangeOut(**change._asdict()) for change in changed[:FACTS_NAMED]],
                    "facts_changed_count": len(changed),
                }
            )
        )
    steps: list[LevelStepOut] = []
    undecided: list[UndecidedOut] = []
    for quantity in QUANTITIES:
        changes, reason = steps_of(quantity, _middles(points, quantity))
        steps += changes
        if reason is not None:
            undecided.append(UndecidedOut(quantity=quantity, reason=reason))
    return TrendOut(
        watch_id=watch_id,
        name=name,
        operation=latest.operation if latest else None,
        clock=latest.clock if latest else None,
        points=points,
        steps=steps,
        undecided=undecided,
    )


def _middles(points: Sequence[TrendPointOut], quantity: str) -> list[tuple[UUID, float]]:
    """Return the middle of a quantity's bounds in each run that has the quantity with an upper bound."""
    return [
        (point.run_id, (figure.lower + figure.upper) / 2.0)
        for point in points
        for figure in point.figures
        if figure.quantity == quantity and figure.upper is not None
    ]


def _note_earlier(session: Session, watch: Watch, now: datetime) -> None:
    """Store findings about the latest finished runs, at most 100, that a new watch selects, without alerts.
    The verdict on the latest becomes the watch's known verdict, None without any.
    """
    query = select(Run).where(Run.organisation_id == watch.organisation_id, Run.state == FINISHED)
    if watch.run_title is not None:
        title = watch.run_title.lower()
        is_probe = func.lower(Run.title).startswith(title + BEFORE_PROBE, autoescape=True)
        query = query.where(is_probe if watch.budget_name == SEARCHES else func.lower(Run.title) == title)
    if watch.host_name is not None:
        query = query.where(func.lower(Run.host["hostname"].astext) == watch.host_name.lower())
    latest_runs = session.scalars(query.order_by(Run.started_at.desc()).limit(_EARLIER_RUNS)).all()
    # The oldest first: a search is compared with those before it.
    for run in reversed(latest_runs):
        detail = describe_run(session, run, watch.organisation_id)
        finding = finding_on(session, watch, run, detail) if selects(watch, detail) else None
        if finding is not None:
            store_finding(session, watch, detail, finding, now)
    latest = results_of(session, watch, 1)
    watch.known_verdict = latest[0].verdict if latest else None
    session.flush()


def _require_member(session: Session, organisation_id: UUID, email: str) -> None:
    query = select(Membership.email).where(
        Membership.organisation_id == organisation_id, func.lower(Membership.email) == email.lower()
    )
    if session.scalar(query.limit(1)) is None:
        raise WatchInvalid(f"{email} is no member of this organisation; alerts are mailed to members.")


def _result_out(result: WatchResult) -> WatchResultOut:
    names = ("run_id", "started_at", "verdict", "strength", "statement")
    return WatchResultOut.model_validate(
        {**{name: getattr(result, name) for name in names}, "words": words_of_result(result)}
    )


def _alert_out(alert: Alert) -> AlertOut:
    names = ("alert_id", "channel", "created_at", "attempts", "delivered_at", "error")
    return AlertOut.model_validate(
        {**{name: getattr(alert, name) for name in names}, "text": alert.message["text"]}
    )
