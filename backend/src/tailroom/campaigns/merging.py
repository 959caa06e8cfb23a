"""One record of what several agents measured in one phase: counts and buckets added up, second by second.

Every agent cuts its intervals at the same offsets from the same instant, in the same buckets, so adding them
up is exact: nothing is averaged, and no percentile is combined. What cannot be added up is the worst of all:
lateness, processor time. Conditions that differ between agents are named; series that differ in thresholds or
buckets are not merged.

The merged record goes in by the door that measured runs use, and is judged as they are (docs/adr/0013).
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import encode, merge
from tailroom.domain.latency.interval import COLUMNS, Interval
from tailroom.ingest import service as ingest
from tailroom.ingest.errors import BatchInvalid
from tailroom.ingest.store import SeriesHead, list_series
from tailroom.ingest.wire import AgentVersion, Announcement, Batch, Finish, SeriesDefinition
from tailroom.kit.db import without_commit
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import BATCH_INTERVALS, run_size_problem
from tailroom.kit.transactions import Transactions
from tailroom.records.interval_rows import next_intervals
from tailroom.storage.run import Run
from tailroom.storage.series import Series

_ROWS = 5_000
_OF_ONE_AGENT = frozenset({"title", "job", "campaign", "fraud", "server"})
"""What a plan says of one agent alone, or what the server says of itself in the meantime."""


class NotMergeable(DomainError):
    """The agents did not record the same series, so that adding them up would mean nothing."""


def merged(
    transactions: Transactions, title: str, phase: Mapping[str, Any], runs: Sequence[Run], now: datetime
) -> tuple[UUID, list[str]]:
    """Stores the sum of these runs as a run; its id, and what differs between them. Raises NotMergeable."""
    if any(run.workload == "act-storage" for run in runs):
        raise NotMergeable("Drives are not added up: the run of each agent stands by itself.")
    with transactions() as session:
        series = [list_series(session, run.run_id) for run in runs]
        definitions = _definitions(series)
        intervals = {
            number: _added_up(
                session,
                number,
                definition,
                [found for one in series if (found := _by_key(one).get(_key(definition))) is not None],
            )
            for number, definition in enumerate(definitions)
        }
    announcement = _announcement(title, phase, runs)
    try:
        with transactions() as session:
            owner = runs[0].organisation_id
            _store(session, announcement, definitions, intervals, owner=owner, now=now)
            finish = _finish(phase, runs, intervals)
            ingest.accept_finish(session, owner, UUID(announcement.run_id), finish, now)
    except BatchInvalid as refusal:
        why = "; ".join(f"{one.field}: {one.reason}" for one in refusal.problems)
        raise NotMergeable(f"The sum of the agents cannot be stored: {why}.") from None
    remarks = _differences(runs)
    if lacking := _only_ticks(definitions, intervals):
        remarks.append(
            f"{lacking:,} operations of agents that were cut off are in live ticks alone, not in the verdict."
        )
    return UUID(announcement.run_id), remarks


def _store(
    session: Session,
    announcement: Announcement,
    definitions: Sequence[SeriesDefinition],
    intervals: Mapping[int, Sequence[Interval]],
    *,
    owner: UUID,
    now: datetime,
) -> None:
    """Store the run and its intervals by the door of agents. Raise BatchInvalid."""
    ingest.accept_announcement(session, owner, announcement, now)
    for number, all_of_series in intervals.items():
        for first in range(0, max(1, len(all_of_series)), BATCH_INTERVALS):
            batch = Batch([definitions[number]], list(all_of_series[first : first + BATCH_INTERVALS]))
            checked = ingest.check_batch(batch)
            ingest.accept_batch(session, owner, UUID(announcement.run_id), checked, now)
            without_commit(session)


_Key = tuple[str, str, str, str, str]


def _key(one: SeriesDefinition) -> _Key:
    return (one.operation, one.clock, one.kind, one.phase, one.device or "")


def _by_key(series: Sequence[SeriesHead]) -> dict[_Key, SeriesHead]:
    return {_key(one.definition): one for one in series}


def _definitions(series: Sequence[Sequence[SeriesHead]]) -> list[SeriesDefinition]:
    """The series of all agents. One that was cut off may lack some, but not have others of the same name."""
    by_key: dict[_Key, list[SeriesDefinition]] = {}
    for one in series:
        if len(_by_key(one)) != len(one):
            raise NotMergeable("An agent recorded two series of one name.")
        for head in one:
            by_key.setdefault(_key(head.definition), []).append(head.definition)
    operations, phases = {(key[0], key[1]) for key in by_key}, {key[3] for key in by_key}
    if (too_large := run_size_problem(len(by_key), len(operations), len(phases))) is not None:
        raise NotMergeable(f"The sum of the agents would be too large: {too_large}.")
    found = []
    for number, key in enumerate(sorted(by_key)):
        same = by_key[key]
        first = same[0]
        if any(
            (one.pin_thresholds_ns, one.layout) != (first.pin_thresholds_ns, first.layout) for one in same
        ):
            raise NotMergeable(
                f"The agents recorded {first.operation} with different thresholds or buckets; use one version"
                " of the agent everywhere."
            )
        rates = [one.target_rate_per_s for one in same]
        found.append(
            SeriesDefinition(
                series_no=number,
                operation=first.operation,
                clock=first.clock,
                kind=first.kind,
                host=f"{len(series)} agents",
                pin_thresholds_ns=first.pin_thresholds_ns,
                phase=first.phase,
                device=first.device,
                layout=first.layout,
                target_rate_per_s=None if None in rates else sum(rate for rate in rates if rate is not None),
            )
        )
    return found


def _only_ticks(definitions: Sequence[SeriesDefinition], intervals: Mapping[int, Sequence[Interval]]) -> int:
    """Operations that stand in live ticks alone: whoever was cut off had not cut their histogram yet."""
    total: dict[tuple[str, ...], dict[str, int]] = {}
    for one in definitions:
        of_operation = total.setdefault((one.operation, one.clock, one.phase, one.device or ""), {})
        of_operation[one.kind] = sum(interval.count for interval in intervals[one.series_no])
    return max((max(0, one.get("tick", 0) - one.get("histogram", 0)) for one in total.values()), default=0)


def _added_up(
    session: Session, number: int, definition: SeriesDefinition, heads: Sequence[SeriesHead]
) -> list[Interval]:
    """Intervals of one series of every agent, those of one start added up."""
    by_start: dict[int, list[Interval]] = {}
    for head in heads:
        for one in _all(session, head):
            by_start.setdefault(one.start_ns, []).append(one)
    return [
        _sum(number, seq, definition, by_start[start_ns]) for seq, start_ns in enumerate(sorted(by_start))
    ]


def _all(session: Session, head: SeriesHead) -> Iterable[Interval]:
    series = session.get_one(Series, (head.run_id, head.series_no))
    after = -1
    while found := next_intervals(session, series, after, _ROWS):
        yield from found
        after = found[-1].seq


def _sum(number: int, seq: int, definition: SeriesDefinition, same: Sequence[Interval]) -> Interval:
    payloads = [one.histogram for one in same if one.histogram is not None]
    histogram = None
    if payloads and definition.layout is not None:
        layout = HdrLayout(
            unit_ns=definition.layout.unit_ns, significant_digits=definition.layout.significant_digits
        )
        histogram = payloads[0] if len(payloads) == 1 else encode(merge(payloads, layout), layout)
    numbers: dict[str, Any] = {
        column.name: column.at_once([(one.count, getattr(one, column.name)) for one in same])
        for column in COLUMNS
    }
    pins = [sum(counts) for counts in zip(*(one.pins for one in same), strict=True)]
    return Interval(series=number, seq=seq, pins=pins, histogram=histogram, **numbers)


def _announcement(title: str, phase: Mapping[str, Any], runs: Sequence[Run]) -> Announcement:
    first = runs[0]
    versions = {str(run.agent.get("version")) for run in runs}
    uncertainty = max(
        (_whole(_part(run.host, "clock").get("started_at_uncertainty_ns"), 0) for run in runs), default=0
    )
    return Announcement(
        run_id=str(new_id()),
        title=title[:200],
        workload=first.workload,  # type: ignore[arg-type]  # as its agent announced it
        started_at_unix_ns=min(run.started_at_unix_ns for run in runs),
        planned_duration_ns=max(run.planned_duration_ns for run in runs),
        agent=AgentVersion(version=", ".join(sorted(versions))[:200]),
        host=_host(runs),
        plan=_plan(title, phase, runs),
        started_at_uncertainty_ns=uncertainty or None,
    )


def _host(runs: Sequence[Run]) -> dict[str, Any]:
    """What is the same on every machine, and what they are called."""
    first, others = runs[0].host, runs[1:]
    same = {
        name: value
        for name, value in first.items()
        if name not in ("hostname", "clock") and all(run.host.get(name) == value for run in others)
    }
    names = dict.fromkeys(str(run.host.get("hostname", "")) for run in runs)
    return {"hostname": ", ".join(names)[:1_000], **same}


def _plan(title: str, phase: Mapping[str, Any], runs: Sequence[Run]) -> dict[str, Any]:
    first = runs[0].plan
    campaign = _part(first, "campaign")
    plan = {**first, "title": title[:200]}
    plan["job"] = {**_part(first, "job"), "id": str(campaign.get("id", ""))}
    plan["campaign"] = {
        "id": str(campaign.get("id", "")),
        "agents": _whole(campaign.get("agents"), len(runs)),
        "merged": len(runs),
        "apart_ns": phase["apart_ns"],
        "lost": [one["agent"] for one in phase["lost"]],
    }
    parts = [run.plan.get("fraud") for run in runs]
    if all(isinstance(one, dict) for one in parts):
        fraud = dict(parts[0] or {})
        for name in ("transactions_per_s", "connections"):
            values = [one.get(name) for one in parts if one is not None]
            if all(isinstance(value, (int, float)) for value in values):
                fraud[name] = sum(value for value in values if value is not None)
        plan["fraud"] = fraud
    return plan


def _differences(runs: Sequence[Run]) -> list[str]:
    """Conditions that are not the same on every agent, in words."""
    found = []
    versions = sorted({str(run.agent.get("version")) for run in runs})
    if len(versions) > 1:
        found.append(f"Agents of different versions: {', '.join(versions)}.")
    plans = [{name: value for name, value in run.plan.items() if name not in _OF_ONE_AGENT} for run in runs]
    for name in sorted({name for plan in plans for name in plan}):
        if any(_without_part(plan.get(name)) != _without_part(plans[0].get(name)) for plan in plans[1:]):
            found.append(f"Agents differ in their plan: {name}.")
    for name, words in (("cpu", "processors"), ("os", "operating systems"), ("memory", "memory")):
        if any(run.host.get(name) != runs[0].host.get(name) for run in runs[1:]):
            found.append(f"Agents differ in their {words}.")
    return found


def _part(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Return a part of a document that an agent wrote; empty where it is none."""
    part = document.get(name)
    return part if isinstance(part, dict) else {}


def _whole(value: Any, otherwise: int) -> int:
    """Return a whole number that an agent wrote; another one where it is none."""
    return value if isinstance(value, int) and 0 <= value < 1 << 62 else otherwise


def _without_part(value: Any) -> Any:
    """Connections are divided among agents, so they may differ by one."""
    return (
        {key: one for key, one in value.items() if key != "connections"} if isinstance(value, dict) else value
    )


def _finish(
    phase: Mapping[str, Any], runs: Sequence[Run], intervals: Mapping[int, Sequence[Interval]]
) -> Finish:
    lost = [f"{one['agent']} was lost ({one['reason']})" for one in phase["lost"]]
    reasons = [*lost, *(run.outcome_reason for run in runs if run.outcome_reason)]
    is_whole = all(run.outcome == "completed" for run in runs)
    ends = (one.start_ns + one.duration_ns for of_series in intervals.values() for one in of_series)
    return Finish(
        outcome="completed" if is_whole or (phase["state"] == "ended" and lost) else "stopped",
        duration_ns=max((run.measured_duration_ns or 0 for run in runs), default=max(ends, default=0)),
        last_seq={str(number): len(of_series) - 1 for number, of_series in intervals.items()},
        reason="; ".join(dict.fromkeys(reasons))[:2_000] or None,
    )
