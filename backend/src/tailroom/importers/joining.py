"""Files of several clients of one test as one run (docs/method.md 5.1, merge rule).

Counts in equal buckets are added up exactly, interval by interval if all clients or none state their start.
Other records, such as percentiles of a known number of operations, give bounds of the sum. Files with
percentiles of an unknown number are refused. Differences between the clients are reported.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import reduce
from operator import itemgetter

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.knots import CountsUnknown
from tailroom.domain.latency.merged_record import MergedRecord
from tailroom.domain.units import NS_PER_S, NS_PER_US, duration_text
from tailroom.importers.columns import sum_in_slots
from tailroom.importers.importer import FilesNotJoinable
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Problem, Severity, Value
from tailroom.importers.registry import FileResult, refuse_same_content

MOST_CLIENTS = 1_000
_LENGTHS_DIFFER = 0.02
_CLOCKS_DIFFER = 0.05
"""Shares of the longest client's length by which lengths and starts may differ without a problem."""
_SHOWN = 6
_SUMMED = frozenset(("operation_count", "error_count", "throughput_ops_per_s", "bandwidth_bytes_per_s"))
_RATES = frozenset(("throughput_ops_per_s", "bandwidth_bytes_per_s"))
"""Quantities that are not added if the clients' times differ."""
_OF_PROCESS = re.compile(
    r'(?:^|,)(?:instance|pod|service\.instance\.id|host\.name|k8s\.pod\.name)="[^"]*"(?=,|$)'
)
_Key = tuple[str, str, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Client:
    """Run of one client, and its file."""

    file: str
    run: ParsedRun


def joined(clients: Sequence[Client]) -> ParsedRun:
    """Return the sum of the runs of all clients of a test, with problems about their differences.

    Raise FilesNotJoinable for more than 1,000 clients, different tools, copies and ambiguous series,
    CountsUnknown for percentiles of an unknown number of operations.
    """
    if len(clients) > MOST_CLIENTS:
        raise FilesNotJoinable(f"{len(clients)} files are more than the {MOST_CLIENTS} clients of a test")
    first = clients[0].run
    for client in clients[1:]:
        if client.run.tool != first.tool:
            raise FilesNotJoinable(
                f"{clients[0].file} is of {first.tool} and {client.file} of {client.run.tool}: what they "
                "time differs, so that they are no clients of one test"
            )
    _refuse_copies(clients)
    offsets_ns, problems = _offsets(clients)
    is_even = all(problem.severity is Severity.NOTE for problem in problems)
    problems += _differences(clients)
    problems += [
        replace(problem, file=problem.file or client.file)
        for client in clients
        for problem in client.run.problems
    ]
    series, of_series = _series(clients, offsets_ns)
    state, state_text = _state(clients)
    starts = [client.run.started_at for client in clients if client.run.started_at is not None]
    return ParsedRun(
        format=first.format,
        tool=first.tool,
        tool_version=first.tool_version,
        series=series,
        state=state,
        state_text=state_text,
        claims=_claims(clients, _SUMMED if is_even else _SUMMED - _RATES),
        problems=(*problems, *of_series),
        missing=tuple(dict.fromkeys(name for client in clients for name in client.run.missing)),
        parameters=_common_parameters(clients) | {"clients": len(clients)},
        started_at=min(starts) if len(starts) == len(clients) else None,
        duration_ns=_total_duration_ns(clients, offsets_ns),
        courses=tuple(course for client in clients for course in client.run.courses),
        closed_loop=any(client.run.closed_loop for client in clients),
    )


def _refuse_copies(clients: Sequence[Client]) -> None:
    """Raise FilesNotJoinable if two clients have the same start, and series of the same counts over time."""
    files: dict[object, str] = {}
    for client in clients:
        counts = tuple(
            (
                each.operation,
                each.clock,
                each.device,
                *map(bytes, (times.start_ns, times.indices, times.counts)),
            )
            for each in client.run.series
            if (times := each.intervals) is not None and times.size > 1
        )
        other = files.setdefault((client.run.started_at, counts), client.file) if counts else client.file
        if other != client.file:
            raise FilesNotJoinable(
                f"{client.file} has the same counts at the same times as {other}: it is a copy, whose "
                "operations would count twice; leave it out"
            )


def joined_files(results: Sequence[FileResult]) -> ParsedRun:
    """Return the sum of the results of a test's clients, ignoring companions.

    Raise the refusal of an unreadable file, or FilesNotJoinable unless every other file has one run and no
    file is a copy of another.
    """
    clients = []
    sources = []
    for each in results:
        if each.refusal is not None:
            raise each.refusal
        runs = () if each.result is None else each.result.runs
        if each.read_with is not None or (each.result is not None and each.result.detection.companion):
            continue
        if len(runs) != 1:
            number = "no run" if not runs else f"{len(runs)} runs"
            metrics = [str(run.parameters["metric"]) for run in runs if "metric" in run.parameters]
            choose = f": choose a metric, {_listed(metrics)}" if metrics else ""
            raise FilesNotJoinable(
                f"{each.name} holds {number}; of each client exactly one is joined{choose}"
            )
        clients.append(Client(each.name, runs[0]))
        # Clients may print the same rate by chance, but not the same latencies.
        if runs[0].series:
            sources.append(each.source)
    if not clients:
        raise FilesNotJoinable("no file holds a run")
    run = joined(clients)
    refuse_same_content(sources)
    return run


def joined_results(results: Sequence[FileResult]) -> list[FileResult]:
    """Return the results, with the joined run in the first that has runs.

    The others have no runs then, and name that file in `read_with`. If they cannot be joined, all have that
    reason as their refusal, unless they have one of their own.
    """
    try:
        run = joined_files(results)
    except DomainError as refusal:
        return [replace(each, result=None, refusal=each.refusal or refusal) for each in results]
    first = next(each for each in results if each.result is not None and each.result.runs)
    return [
        replace(
            each,
            result=each.result and replace(each.result, runs=(run,) if each is first else ()),
            read_with=each.read_with if each is first else first.name,
        )
        for each in results
    ]


def _total_duration_ns(clients: Sequence[Client], offsets_ns: Sequence[int] | None) -> int | None:
    """Return ns from the first start to the last end, offsets as 0 if unknown; None for unknown lengths."""
    lengths = [client.run.duration_ns for client in clients if client.run.duration_ns is not None]
    if len(lengths) < len(clients):
        return None
    return max(map(sum, zip(lengths, offsets_ns or [0] * len(lengths), strict=True)))


def _offsets(clients: Sequence[Client]) -> tuple[list[int] | None, list[Problem]]:
    """Return each client's start in ns after the first start, and problems about unequal lengths and starts.

    All offsets are 0 if no client states its start. There is None instead of a list if only some state it.
    """
    problems: list[Problem] = []
    lengths = [(length, client.file) for client in clients if (length := client.run.duration_ns) is not None]
    longest_ns, longest = max(lengths, key=itemgetter(0), default=(0, ""))
    shortest_ns, shortest = min(lengths, key=itemgetter(0), default=(0, ""))
    if longest_ns - shortest_ns > _LENGTHS_DIFFER * longest_ns:
        problems.append(
            Problem(
                f"the clients lasted unequally long: {shortest} {duration_text(shortest_ns)}, "
                f"{longest} {duration_text(longest_ns)}; the load was not the same all the time"
            )
        )
    starts = [client.run.started_at for client in clients if client.run.started_at is not None]
    if not starts:
        reason = "no client says when it began; their course is added as if all began together"
        problems.append(Problem(reason, None, Severity.NOTE))
        return [0] * len(clients), problems
    if len(starts) < len(clients):
        silent = _listed([client.file for client in clients if client.run.started_at is None])
        reason = f"{silent} do not say when they began, so that no course over time is known"
        problems.append(Problem(reason))
        return None, problems
    first = min(starts)
    offsets = [(start - first) // timedelta(microseconds=1) * NS_PER_US for start in starts]
    last = max(range(len(offsets)), key=offsets.__getitem__)
    if offsets[last] > max(_CLOCKS_DIFFER * longest_ns, NS_PER_S):
        problems.append(
            Problem(
                f"{clients[last].file} began {duration_text(offsets[last])} after the first client; before "
                "that the load was not the whole one"
            )
        )
    return offsets, problems


def _differences(clients: Sequence[Client]) -> list[Problem]:
    problems = []
    versions = {client.run.tool_version for client in clients}
    if len(versions) > 1:
        shown = ", ".join(sorted(version or "not stated" for version in versions))
        problems.append(Problem(f"the clients are of unequal versions: {shown}"))
    names = dict.fromkeys(name for client in clients for name in client.run.parameters)
    for name in names:
        values = dict.fromkeys(str(client.run.parameters.get(name, "not stated"))[:80] for client in clients)
        if len(values) > 1:
            shown = ", ".join(list(values)[:_SHOWN]) + (" …" if len(values) > _SHOWN else "")
            problems.append(Problem(f"the clients differ in {name}: {shown}"))
    return problems


def _common_parameters(clients: Sequence[Client]) -> dict[str, Value]:
    return {
        name: value
        for name, value in clients[0].run.parameters.items()
        if all(client.run.parameters.get(name) == value for client in clients[1:])
    }


def _series(
    clients: Sequence[Client], offsets_ns: Sequence[int] | None
) -> tuple[tuple[ParsedSeries, ...], list[Problem]]:
    """Return the sum of each series over the clients with it, and a problem for each that a client lacks.

    Raise FilesNotJoinable if a client has two series of one operation, clock, device and phase,
    CountsUnknown for percentiles of an unknown number of operations.
    """
    parts: dict[_Key, list[tuple[str, ParsedSeries, int | None]]] = {}
    for position, client in enumerate(clients):
        for series in _series_of(client):
            key = (series.operation, series.clock, series.device, series.phase)
            if series.record.total is None:
                raise CountsUnknown(
                    f"{client.file} does not state of how many operations its latencies of "
                    f"{series.operation} are, so that they cannot be added to others: send output with counts"
                )
            offset_ns = None if offsets_ns is None else offsets_ns[position]
            parts.setdefault(key, []).append((client.file, series, offset_ns))
    problems = []
    together = []
    for key, of_key in parts.items():
        label = "/".join(part for part in key if part)
        if len({file for file, *_ in of_key}) < len(of_key):
            raise FilesNotJoinable(
                f"{of_key[0][0]} holds {label} more than once; it is not clear which is meant"
            )
        absent = [client.file for client in clients if client.file not in {file for file, *_ in of_key}]
        if absent:
            problems.append(Problem(f"{label} is not in {_listed(absent)}; it is the sum of the others"))
        together.append(_sum([series for _, series, _ in of_key], [offset for *_, offset in of_key]))
    return tuple(together), problems


def _series_of(client: Client) -> Sequence[ParsedSeries]:
    """Return a client's series, those of a metric without labels of the process (`instance`, `pod`, others).

    Devices keep these labels if two series would otherwise have the same device.
    """
    series = client.run.series
    if "metric" not in client.run.parameters:
        return series
    common = [
        replace(each, device=_OF_PROCESS.sub("", each.device or "").strip(",") or None) for each in series
    ]
    return common if len({each.device for each in common}) == len(series) else series


def _sum(parts: Sequence[ParsedSeries], offsets_ns: Sequence[int | None]) -> ParsedSeries:
    """Return the sum of one series of several clients; `offsets_ns` are their starts, None if unknown."""
    intervals = _sum_of_intervals(parts, offsets_ns)
    targets = [part.target_count for part in parts if part.target_count is not None]
    records = [part.record for part in parts]
    return replace(
        parts[0],
        record=_sum_of_records(records) if intervals is None else intervals.total(),
        intervals=intervals,
        periods=(),
        printed=(),
        target_count=sum(targets) if len(targets) == len(parts) else None,
        missing_intervals=sum(part.missing_intervals for part in parts),
    )


def _sum_of_records(records: Sequence[LatencyRecord]) -> LatencyRecord:
    exact = [record for record in records if isinstance(record, LatencyDist)]
    if len(exact) == len(records) and len({record.layout for record in exact}) == 1:
        return reduce(LatencyDist.merged_with, exact)
    return MergedRecord.of(records)


def _sum_of_intervals(
    parts: Sequence[ParsedSeries], offsets_ns: Sequence[int | None]
) -> IntervalRecords | None:
    """Return the sum of all intervals; None if a part has none, other buckets or an unknown offset."""
    intervals: list[IntervalRecords] = []
    for part, offset_ns in zip(parts, offsets_ns, strict=True):
        if part.intervals is None or offset_ns is None or not part.intervals.size:
            return None
        if intervals and part.intervals.layout != intervals[0].layout:
            return None
        intervals.append(replace(part.intervals, start_ns=part.intervals.start_ns + offset_ns))
    return sum_in_slots(intervals)


def _claims(clients: Sequence[Client], summed: frozenset[str]) -> tuple[Claim, ...]:
    """Return the sums of claims about whole runs, of `summed` quantities that every client states."""
    stated: dict[tuple[str, str], list[Claim]] = {}
    for client in clients:
        for claim in client.run.claims:
            if claim.start_ns is None and claim.quantity in summed:
                stated.setdefault((claim.operation, claim.quantity), []).append(claim)
    return tuple(
        Claim(
            operation,
            quantity,
            " + ".join(claim.printed for claim in claims)
            if len(claims) <= _SHOWN
            else f"sum of {len(claims)}",
            sum(claim.lower for claim in claims),
            sum(claim.upper for claim in claims),
        )
        for (operation, quantity), claims in stated.items()
        if len(claims) == len(clients)
    )


def _state(clients: Sequence[Client]) -> tuple[EndState, str]:
    """Return the end state and its text: finished if all clients are, else those of the first that is not."""
    for client in clients:
        if client.run.state is not EndState.FINISHED:
            text = f"{client.file}: {client.run.state_text}" if client.run.state_text else client.file
            return client.run.state, text
    return EndState.FINISHED, ""


def _listed(names: Sequence[str]) -> str:
    """Return the first six names, and the number of others, as text."""
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")
