"""Verdicts on runs of watched configurations, and the alerts that follow.

The verdict on the latest run, by its start, counts: an older run that arrives late is added to the history
and causes no alert. The first run of a watch causes none either. Only a change of the verdict causes an
alert: not a change of strength, nor another verdict on the same run by another version of the method.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.domain.verdicts.headline import words_of_document
from tailroom.kit.identifiers import new_id
from tailroom.kit.transactions import Transactions
from tailroom.runs.schemas import RunDetail
from tailroom.runs.service import describe_run
from tailroom.storage.run import FINISHED, Run
from tailroom.storage.watch import Alert, Watch, WatchResult
from tailroom.watches.findings import BEFORE_PROBE, SEARCHES, WatchFinding, finding_of, search_finding
from tailroom.work.kinds import ALERT
from tailroom.work.outbox import make_due

WEBHOOK, EMAIL = "webhook", "email"


def note_run(transactions: Transactions, run_id: UUID, base: str | None, now: datetime) -> int:
    """Store the verdicts on a finished run for every watch of its organisation that selects it. Return the
    number of alerts added; 0 if the run does not exist or is not finished, and for a repeated call. `base` is
    the address of this installation, None if unknown.
    """
    with transactions() as session:
        run = session.get(Run, run_id)
        if run is None or run.state != FINISHED:
            return 0
        watches = session.scalars(
            select(Watch)
            .where(Watch.organisation_id == run.organisation_id)
            .order_by(Watch.watch_id)
            .with_for_update()
        ).all()
        if not watches:
            return 0
        detail = describe_run(session, run, run.organisation_id)
        return sum(
            _note_finding(session, watch, run, detail, base, now)
            for watch in watches
            if selects(watch, detail)
        )


def selects(watch: Watch, run: RunDetail) -> bool:
    """Return whether title, host and target of a run are those that the watch states. Case, outer blanks and
    facts that the watch does not state do not count. For a watch on load searches, the title of a probe is
    that of its search.
    """
    title = run.title
    if watch.budget_name == SEARCHES and title is not None:
        title = title.partition(BEFORE_PROBE)[0]
    pairs = (
        (watch.run_title, title),
        (watch.host_name, run.host_name),
        (watch.target_name, run.target_name),
    )
    return all(
        expected is None or (value is not None and expected.strip().casefold() == value.strip().casefold())
        for expected, value in pairs
    )


def results_of(session: Session, watch: Watch, limit: int) -> Sequence[WatchResult]:
    """Return the latest results of a watch by the start of their runs, at most `limit`, newest first."""
    return session.scalars(
        select(WatchResult)
        .where(WatchResult.organisation_id == watch.organisation_id, WatchResult.watch_id == watch.watch_id)
        .order_by(WatchResult.started_at.desc(), WatchResult.run_id.desc())
        .limit(limit)
    ).all()


def finding_on(session: Session, watch: Watch, run: Run, detail: RunDetail) -> WatchFinding | None:
    """Return the finding of a watch about a run; None if there is no verdict yet or it is provisional."""
    if watch.budget_name == SEARCHES:
        return search_finding(session, watch, run)
    verdict = next((verdict for verdict in detail.verdicts if verdict.budget.name == watch.budget_name), None)
    return None if verdict is None or verdict.provisional else finding_of(verdict)


def _note_finding(  # noqa: PLR0917 - a run as it is stored and as it is described
    session: Session, watch: Watch, stored: Run, run: RunDetail, base: str | None, now: datetime
) -> int:
    """Store the finding of a watch about a run, if any, and the watch's verdict on its latest run. Return the
    number of added alerts.

    Alerts are added only if this run is the latest, its verdict differs from the previous verdict, and the
    finding replaces none by another method. `stored` and `run` are the row and the API description of the
    same run.
    """
    finding = finding_on(session, watch, stored, run)
    if finding is None:
        return 0
    is_other_method = store_finding(session, watch, run, finding, now)
    latest = results_of(session, watch, 1)[0]
    before, watch.known_verdict = watch.known_verdict, latest.verdict
    if before in {None, latest.verdict} or latest.run_id != run.run_id or is_other_method:
        return 0
    message = message_of(watch, run, finding, str(before), base, now)
    channels = channels_of(watch)
    for channel in channels:
        add_alert(session, watch, channel, message, now)
    return len(channels)


def channels_of(watch: Watch) -> list[str]:
    """Return the channels of a watch's alerts: `WEBHOOK`, `EMAIL`, both or none."""
    return [WEBHOOK] * (watch.webhook_url is not None) + [EMAIL] * (watch.email is not None)


def store_finding(
    session: Session, watch: Watch, run: RunDetail, finding: WatchFinding, now: datetime
) -> bool:
    """Store the finding about a run; return whether it replaces a finding by another method version."""
    result = session.get(WatchResult, (run.run_id, watch.watch_id))
    is_other_method = result is not None and result.method_version != finding.method_version
    if result is None:
        result = WatchResult(
            run_id=run.run_id, watch_id=watch.watch_id, organisation_id=watch.organisation_id
        )
        session.add(result)
    result.started_at, result.noted_at = run.started_at, now
    result.verdict, result.strength, result.words = finding.verdict, finding.strength, finding.words
    result.method_version, result.statement = finding.method_version, finding.statement
    session.flush()
    return is_other_method


def words_of_result(result: WatchResult) -> str:
    """Return verdict and strength of a result as text, or the verdict alone if no text is stored."""
    return result.words or words_of_document({"verdict": result.verdict})


def add_alert(session: Session, watch: Watch, channel: str, message: dict[str, Any], now: datetime) -> UUID:
    """Store an alert that is due at once, and return its id, which is also in the stored message."""
    alert_id = new_id()
    session.add(
        Alert(
            organisation_id=watch.organisation_id,
            alert_id=alert_id,
            watch_id=watch.watch_id,
            channel=channel,
            message=message | {"alert_id": str(alert_id)},
            created_at=now,
        )
    )
    session.flush()
    make_due(session, ALERT, alert_id, watch.organisation_id, now, reset=True)
    return alert_id


def message_of(  # noqa: PLR0917 - the parts of one message
    watch: Watch, run: RunDetail, finding: WatchFinding, before: str, base: str | None, now: datetime
) -> dict[str, Any]:
    """Return the message of an alert, whose `text` can be read alone. `before` is the earlier verdict, `base`
    the address of this installation (None: unknown).
    """
    title = run.title or str(run.run_id)
    path = f"/runs/{run.run_id}"
    address = f"{base.rstrip('/')}{path}" if base else None
    change = f"{words_of_document({'verdict': before})} → {finding.words}"
    text = f"{watch.name}: {change}. {finding.budget_title}: {finding.statement}."
    return {
        "event": "verdict-changed",
        "text": f"{text} {address or title}",
        "watch": {"watch_id": str(watch.watch_id), "name": watch.name},
        "run": {"run_id": str(run.run_id), "title": title, "path": path, "address": address},
        "budget": {"name": finding.budget_name, "title": finding.budget_title},
        "before": before,
        "after": finding.verdict,
        "strength": finding.strength,
        "words": finding.words,
        "statement": finding.statement,
        "at": now.isoformat(timespec="seconds"),
    }
