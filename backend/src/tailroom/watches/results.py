"""What a run that was judged means to whoever watches its configuration.

The verdict on the latest run counts, by when it began; an older run that comes late joins the history and
changes nothing. The first run of a watch is where it begins, and no change. Alerts follow the word alone: a
verdict that is proven now and was observed before is no change, nor is another word for the same run by
another version of the method.
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
from tailroom.runs.verdict_schema import Verdict
from tailroom.storage.run import FINISHED, Run
from tailroom.storage.watch import Alert, Watch, WatchResult
from tailroom.work.kinds import ALERT
from tailroom.work.outbox import make_due

WEBHOOK, EMAIL = "webhook", "email"


def note_run(transactions: Transactions, run_id: UUID, base: str | None, now: datetime) -> int:
    """Notes the verdicts on a finished run for every watch that means it; how many alerts that caused.
    Harmless when repeated. `base` is what addresses of this installation begin with, where it knows.
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
        return sum(_note(session, watch, detail, base, now) for watch in watches if means(watch, detail))


def means(watch: Watch, run: RunDetail) -> bool:
    """Whether a run is one of the watched configuration; letters may be large or small."""
    wanted = (
        (watch.run_title, run.title),
        (watch.host_name, run.host_name),
        (watch.target_name, run.target_name),
    )
    return all(
        asked is None or (found is not None and asked.strip().casefold() == found.strip().casefold())
        for asked, found in wanted
    )


def results_of(session: Session, watch: Watch, most: int) -> Sequence[WatchResult]:
    """The latest results of a watch, the newest first."""
    return session.scalars(
        select(WatchResult)
        .where(WatchResult.organisation_id == watch.organisation_id, WatchResult.watch_id == watch.watch_id)
        .order_by(WatchResult.started_at.desc(), WatchResult.run_id.desc())
        .limit(most)
    ).all()


def statement_of(verdict: Verdict) -> str:
    """The headline of a verdict, or why there is none."""
    return verdict.headline.text if verdict.headline is not None else verdict.reason_text or verdict.verdict


def _note(session: Session, watch: Watch, run: RunDetail, base: str | None, now: datetime) -> int:
    verdict = next((one for one in run.verdicts if one.budget.name == watch.budget_name), None)
    if verdict is None or verdict.provisional:
        return 0
    result = session.get(WatchResult, (run.run_id, watch.watch_id))
    is_other_method = result is not None and result.method_version != verdict.method_version
    if result is None:
        result = WatchResult(
            run_id=run.run_id, watch_id=watch.watch_id, organisation_id=watch.organisation_id
        )
        session.add(result)
    fill_result(result, run, verdict, now)
    session.flush()
    latest = results_of(session, watch, 1)[0]
    before, watch.known_verdict = watch.known_verdict, latest.verdict
    if before in {None, latest.verdict} or latest.run_id != run.run_id or is_other_method:
        return 0
    message = message_of(watch, run, verdict, str(before), base, now)
    channels = [WEBHOOK] * (watch.webhook_url is not None) + [EMAIL] * (watch.email is not None)
    for channel in channels:
        add_alert(session, watch, channel, message, now)
    return len(channels)


def fill_result(result: WatchResult, run: RunDetail, verdict: Verdict, now: datetime) -> None:
    """Set what is stored of the verdict on a run."""
    result.started_at, result.noted_at = run.started_at, now
    result.verdict, result.strength, result.words = verdict.verdict, verdict.strength, verdict.words
    result.method_version, result.statement = verdict.method_version, statement_of(verdict)


def words_of_result(result: WatchResult) -> str:
    """Return the words of a result; those from before they were stored are the word alone."""
    return result.words or words_of_document({"verdict": result.verdict})


def add_alert(session: Session, watch: Watch, channel: str, message: dict[str, Any], now: datetime) -> UUID:
    """An alert that is due at once."""
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
    make_due(session, ALERT, alert_id, watch.organisation_id, now, anew=True)
    return alert_id


def message_of(  # noqa: PLR0917 - the parts of one message
    watch: Watch, run: RunDetail, verdict: Verdict, before: str, base: str | None, now: datetime
) -> dict[str, Any]:
    """What is sent; `text` is for chats that show no more."""
    title = run.title or str(run.run_id)
    place = f"/runs/{run.run_id}"
    address = f"{base.rstrip('/')}{place}" if base else None
    asked = verdict.budget.title or verdict.budget.name
    words = words_of_document(verdict.model_dump())
    text = (
        f"{watch.name}: {words_of_document({'verdict': before})} → {words}. {asked}: {statement_of(verdict)}."
    )
    return {
        "event": "verdict-changed",
        "text": f"{text} {address or title}",
        "watch": {"watch_id": str(watch.watch_id), "name": watch.name},
        "run": {"run_id": str(run.run_id), "title": title, "path": place, "address": address},
        "budget": {"name": verdict.budget.name, "title": asked},
        "before": before,
        "after": verdict.verdict,
        "strength": verdict.strength,
        "words": words,
        "statement": statement_of(verdict),
        "at": now.isoformat(timespec="seconds"),
    }
