"""Merging of the runs of several agents in one phase: counts and buckets are added, interval by interval.

Every agent divides its run into intervals at the same offsets from the same start, with the same buckets, so
the sum is exact: no percentiles are combined. Of values that cannot be added, such as lateness and processor
time, the worst is used. Conditions that differ between agents are named; series that differ in thresholds or
buckets are not merged. The merged run is ingested and judged like a measured run (docs/adr/0013).
"""

import heapq
import itertools
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec.structs import replace
from sqlalchemy.orm import Session

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.histogram import encode, merge
from tailroom.domain.latency.interval import COLUMNS, Interval
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.ingest import service as ingest
from tailroom.ingest.errors import BatchInvalid
from tailroom.ingest.store import SeriesHead, list_series
from tailroom.ingest.wire import AgentVersion, Announcement, Batch, Finish, SeriesDefinition
from tailroom.kit.db import execute_pending
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import BATCH_INTERVALS, run_size_problem
from tailroom.kit.transactions import Transactions
from tailroom.records.interval_rows import next_intervals
from tailroom.storage.run import Run
from tailroom.storage.series import Series

_ROWS = 5_000
"""Number of intervals that are read at once, of all agents together."""
_OF_DRIVES = frozenset({"act-storage", "sync-write"})
"""Workloads in which each agent measures drives of its own."""
_AGENT_SPECIFIC = frozenset({"title", "job", "campaign", "fraud", "server"})
"""Parts of a plan that concern a single agent, or that the server states about itself."""


class NotMergeable(DomainError):
    """The runs of the agents cannot be added; the message states the reason."""


def merge_runs(
    transactions: Transactions, title: str, phase: Mapping[str, Any], runs: Sequence[Run], now: datetime
) -> tuple[UUID, list[str]]:
    """Store the sum of these runs, one of each agent, as a finished run; return its id, and remarks.

    Remarks name differences between the agents. `phase` is the entry of the phase in `Campaign.phases`. Raise
    NotMergeable if the runs measured drives, their series differ in thresholds or buckets, or the sum is too
    large.
    """
    if any(run.workload in _OF_DRIVES for run in runs):
        raise NotMergeable("Drives are not added up: the run of each agent stands by itself.")
    with transactions() as session:
        series = [list_series(session, run.run_id) for run in runs]
        definitions = _merge_definitions(series)
        intervals = {
            number: _merge_series(
                session,
                number,
                definition,
                [
                    head
                    for heads in series
                    if (head := _series_by_key(heads).get(_key(definition))) is not None
                ],
            )
            for number, definition in enumerate(definitions)
        }
    announcement = _announcement(title, phase, runs)
    try:
        with transactions() as session:
            owner = runs[0].organisation_id
            _store(session, announcement, definitions, intervals, owner=owner, now=now)
            finish = _finish_message(phase, runs, intervals)
            ingest.accept_finish(session, owner, UUID(announcement.run_id), finish, now)
    except BatchInvalid as refusal:
        reasons = "; ".join(f"{problem.field}: {problem.reason}" for problem in refusal.problems)
        raise NotMergeable(f"The sum of the agents cannot be stored: {reasons}.") from None
    remarks = _differences(runs)
    if ticks_only := _count_only_in_ticks(definitions, intervals):
        remarks.append(
            f"{ticks_only:,} operations of agents that were cut off are in live ticks alone,"
            " not in the verdict."
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
    """Store a merged run, its intervals by number of series. Raise BatchInvalid as ingest does."""
    ingest.accept_announcement(session, owner, announcement, now)
    for number, all_of_series in intervals.items():
        for first in range(0, max(1, len(all_of_series)), BATCH_INTERVALS):
            batch = Batch([definitions[number]], list(all_of_series[first : first + BATCH_INTERVALS]))
            checked = ingest.check_batch(batch)
            ingest.accept_batch(session, owner, UUID(announcement.run_id), checked, now)
            execute_pending(session)


_Key = tuple[str, str, str, str, str]
"""Identity of a series in every run: operation, clock, kind, phase, and device or an empty text."""


def _key(definition: SeriesDefinition) -> _Key:
    return (
        definition.operation,
        definition.clock,
        definition.kind,
        definition.phase,
        definition.device or "",
    )


def _series_by_key(series: Sequence[SeriesHead]) -> dict[_Key, SeriesHead]:
    return {_key(head.definition): head for head in series}


def _merge_definitions(series: Sequence[Sequence[SeriesHead]]) -> list[SeriesDefinition]:
    """Return the definitions of the merged series, numbered from 0 in the order of their identity.

    `series` has those of each agent, which may lack some. A target rate is None if any agent's is None. Raise
    NotMergeable if the sum is too large, an agent has two equal series, or thresholds or buckets differ.
    """
    by_key: dict[_Key, list[SeriesDefinition]] = {}
    for heads in series:
        if len(_series_by_key(heads)) != len(heads):
            raise NotMergeable("An agent recorded two series of one name.")
        for head in heads:
            by_key.setdefault(_key(head.definition), []).append(head.definition)
    operations, phases = {(key[0], key[1]) for key in by_key}, {key[3] for key in by_key}
    if (too_large := run_size_problem(len(by_key), len(operations), len(phases))) is not None:
        raise NotMergeable(f"The sum of the agents would be too large: {too_large}.")
    merged = []
    for number, key in enumerate(sorted(by_key)):
        same = by_key[key]
        first = same[0]
        if any(
            (definition.pin_thresholds_ns, definition.layout) != (first.pin_thresholds_ns, first.layout)
            for definition in same
        ):
            raise NotMergeable(
                f"The agents recorded {first.operation} with different thresholds or buckets; use one version"
                " of the agent everywhere."
            )
        rates = [definition.target_rate_per_s for definition in same]
        merged.append(
            replace(
                first,
                series_no=number,
                host=f"{len(series)} agents",
                target_rate_per_s=None if None in rates else sum(rate for rate in rates if rate is not None),
            )
        )
    return merged


def _count_only_in_ticks(
    definitions: Sequence[SeriesDefinition], intervals: Mapping[int, Sequence[Interval]]
) -> int:
    """Return the number of operations that live ticks (counts for display) have and histograms lack; 0 if
    none.

    It is the largest over all series. An agent that was cut off lost its last histogram.
    """
    total: dict[tuple[str, ...], dict[str, int]] = {}
    for definition in definitions:
        of_operation = total.setdefault(
            (definition.operation, definition.clock, definition.phase, definition.device or ""), {}
        )
        of_operation[definition.kind] = sum(interval.count for interval in intervals[definition.series_no])
    return max(
        (max(0, counts.get("tick", 0) - counts.get("histogram", 0)) for counts in total.values()), default=0
    )


def _merge_series(
    session: Session, number: int, definition: SeriesDefinition, heads: Sequence[SeriesHead]
) -> list[Interval]:
    """Return the sum of these series over all agents, in order of time, as the series `number`."""
    rows = max(1, _ROWS // max(1, len(heads)))
    in_time = heapq.merge(*(_read_intervals(session, head, rows) for head in heads), key=_start_ns)
    return [
        _sum(number, seq, definition, list(same))
        for seq, (_, same) in enumerate(itertools.groupby(in_time, key=_start_ns))
    ]


def _start_ns(interval: Interval) -> int:
    return interval.start_ns


def _read_intervals(session: Session, head: SeriesHead, rows: int) -> Iterable[Interval]:
    series = session.get_one(Series, (head.run_id, head.series_no))
    after = -1
    while intervals := next_intervals(session, series, after, rows):
        yield from intervals
        after = intervals[-1].seq


def _sum(number: int, seq: int, definition: SeriesDefinition, same: Sequence[Interval]) -> Interval:
    """Return intervals with the same start added up, as interval `seq` of series `number`."""
    payloads = [interval.histogram for interval in same if interval.histogram is not None]
    histogram = None
    if payloads and definition.layout is not None:
        layout = HdrLayout(
            unit_ns=definition.layout.unit_ns, significant_digits=definition.layout.significant_digits
        )
        histogram = payloads[0] if len(payloads) == 1 else encode(merge(payloads, layout), layout)
    numbers: dict[str, Any] = {
        column.name: column.at_once([(interval.count, getattr(interval, column.name)) for interval in same])
        for column in COLUMNS
    }
    pins = [sum(counts) for counts in zip(*(interval.pins for interval in same), strict=True)]
    return Interval(series=number, seq=seq, pins=pins, histogram=histogram, **numbers)


def _announcement(title: str, phase: Mapping[str, Any], runs: Sequence[Run]) -> Announcement:
    """Return the announcement of the merged run: earliest start, longest duration, largest uncertainty."""
    first = runs[0]
    versions = {str(run.agent.get("version")) for run in runs}
    uncertainty = max(
        (_count_or_default(_part(run.host, "clock").get("started_at_uncertainty_ns"), 0) for run in runs),
        default=0,
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
    """Return the facts that are equal on every machine, and all host names as one text."""
    first, others = runs[0].host, runs[1:]
    same = {
        name: value
        for name, value in first.items()
        if name not in ("hostname", "clock") and all(run.host.get(name) == value for run in others)
    }
    names = dict.fromkeys(str(run.host.get("hostname", "")) for run in runs)
    return {"hostname": ", ".join(names)[:1_000], **same}


def _plan(title: str, phase: Mapping[str, Any], runs: Sequence[Run]) -> dict[str, Any]:
    """Return the first agent's plan with transactions and connections of all added up, and lost agents."""
    first = runs[0].plan
    campaign = _part(first, "campaign")
    plan = {**first, "title": title[:200]}
    plan["job"] = {**_part(first, "job"), "id": str(campaign.get("id", ""))}
    plan["campaign"] = {
        "id": str(campaign.get("id", "")),
        "agents": _count_or_default(campaign.get("agents"), len(runs)),
        "merged": len(runs),
        "apart_ns": phase["apart_ns"],
        "lost": [lost["agent"] for lost in phase["lost"]],
    }
    if (probe := phase.get("probe")) is not None:
        plan["ladder"] = {
            "id": plan["job"]["id"],
            "kind": "probe",
            **{name: probe[name] for name in ("step", "load_per_s", "objective")},
        }
    parts = [run.plan.get("fraud") for run in runs]
    if all(isinstance(part, dict) for part in parts):
        fraud = dict(parts[0] or {})
        for name in ("transactions_per_s", "connections"):
            values = [part.get(name) for part in parts if part is not None]
            if all(isinstance(value, (int, float)) for value in values):
                fraud[name] = sum(value for value in values if value is not None)
        plan["fraud"] = fraud
    return plan


def _differences(runs: Sequence[Run]) -> list[str]:
    differences = []
    versions = sorted({str(run.agent.get("version")) for run in runs})
    if len(versions) > 1:
        differences.append(f"Agents of different versions: {', '.join(versions)}.")
    plans = [{name: value for name, value in run.plan.items() if name not in _AGENT_SPECIFIC} for run in runs]
    for name in sorted({name for plan in plans for name in plan}):
        if any(
            _remove_connections(plan.get(name)) != _remove_connections(plans[0].get(name))
            for plan in plans[1:]
        ):
            differences.append(f"Agents differ in their plan: {name}.")
    for name, label in (("cpu", "processors"), ("os", "operating systems"), ("memory", "memory")):
        if any(run.host.get(name) != runs[0].host.get(name) for run in runs[1:]):
            differences.append(f"Agents differ in their {label}.")
    return differences


def _part(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    part = document.get(name)
    return part if isinstance(part, dict) else {}


def _count_or_default(value: Any, default: int) -> int:
    """Return a value that an agent wrote if it is an integer from 0 to 2^62 - 1, else `default`."""
    return value if isinstance(value, int) and 0 <= value < 1 << 62 else default


def _remove_connections(value: Any) -> Any:
    """Return a value of a plan without `connections`, which the agents share and which may differ by 1."""
    return (
        {key: entry for key, entry in value.items() if key != "connections"}
        if isinstance(value, dict)
        else value
    )


def _finish_message(
    phase: Mapping[str, Any], runs: Sequence[Run], intervals: Mapping[int, Sequence[Interval]]
) -> Finish:
    """Return the message that finishes the merged run.

    Its reason names lost agents and the reasons of the runs, cut to 2,000 characters. Its outcome is
    `completed` if all runs are, or if the phase ended in spite of lost agents; else `stopped`.
    """
    lost = [f"{agent['agent']} was lost ({agent['reason']})" for agent in phase["lost"]]
    reasons = [*lost, *(run.outcome_reason for run in runs if run.outcome_reason)]
    is_whole = all(run.outcome == "completed" for run in runs)
    ends = (
        interval.start_ns + interval.duration_ns for of_series in intervals.values() for interval in of_series
    )
    return Finish(
        outcome="completed" if is_whole or (phase["state"] == "ended" and lost) else "stopped",
        duration_ns=max((run.measured_duration_ns or 0 for run in runs), default=max(ends, default=0)),
        last_seq={str(number): len(of_series) - 1 for number, of_series in intervals.items()},
        reason="; ".join(dict.fromkeys(reasons))[:2_000] or None,
        search_ended=(phase.get("probe") or {}).get("ended"),
    )
