"""Ten lines about a result file for a person: what it is, whether it is whole, its figures, what is wrong.

Everything else is `--verbose`.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from tailroom.domain.units import NS_PER_US

MOST_LINES = 10
_SHOWN_PROBLEMS = 3
_SHOWN_SERIES = 3
_UNITS = ((1_000_000.0, "s"), (1_000.0, "ms"), (1.0, "µs"), (0.001, "ns"))
_PREFERRED = ("read", "get", "select", "transaction", "event", "request", "write", "set", "total", "all")
_CLOCKS = {
    "response": "response time",
    "service": "service time",
    "operation": "latency",
    "queue": "queueing",
}
_QUANTILE = "latency_quantile_ns"
_WRITTEN_UNITS = (" ns", " µs", " us", " ms", " s")
_GLUED = re.compile(r"^([\d.]+)(ns|µs|us|ms|s)$")
"""A duration as Go prints it."""
_LARGER = {"ns": "µs", "µs": "ms", "us": "ms", "ms": "s"}
_BY_SIZE = dict(enumerate(("ns", "µs", "ms", "s")))
_LONG = 10_000
"""From here on a printed time is written in the next larger unit."""
_MOST_SIGNS = 9
"""Longer numbers lose digits that readers do not need; all of them are in --verbose."""
_SHARE = re.compile(r"share_over_(\d+)_ns_(?:mean|whole|(slice_\d+))_ratio")
_ACT_LIMITS_NS = (1_000_000, 8_000_000, 64_000_000)
_OF_MACHINES = {
    "device_busy_percent_max": "busiest interval {} % busy",
    "queue_length_max": "longest queue {}",
    "cpu_idle_percent_min": "busiest interval {} % idle",
    "cpu_iowait_percent_max": "most waiting for I/O {} %",
}
_OF_PERIODS = {
    "latency_mean_ns": "",
    "latency_window_ns": "",
    "throughput_ops_per_s": "operations a second",
    "operation_count": "operations",
    "bandwidth_bytes_per_s": "MB/s",
}
_UNKNOWN = "unknown"
_NO_PERCENTILES = ["percentiles unknown"]
_NARROW = 1.5
"""Further apart, the ends of a percentile say less than a mean or a largest latency that is printed."""
_LAST = ("cleanup",)
_STATES = {
    "finished": "Complete",
    "device_too_slow": "Stopped, the drive could not keep up",
    "generator_too_slow": "Stopped, the load generator could not keep up",
    "failed": "Failed",
    "killed": "Interrupted",
    "growing": "Not complete",
    "unknown": "Completeness unknown",
}
_FACTS = {
    "run.started_at": "when it ran",
    "tool.version": "the version of the tool",
    "tool.latency_unit": "the unit of the latencies",
    "tool.operation": "what was timed",
    "tool.loop": "whether the load was open or closed",
}


def brief_lines(document: Mapping[str, Any], refusal: str | None) -> Iterator[str]:
    """Yield the lines about one document of `tailroom inspect`; at most ten."""
    lines = list(_lines(document, refusal))
    if len(lines) > MOST_LINES:
        left = len(lines) - MOST_LINES + 1
        lines = [*lines[: MOST_LINES - 1], f"  {left} more lines: --verbose"]
    yield from lines


def _lines(document: Mapping[str, Any], refusal: str | None) -> Iterator[str]:
    name = document["file"]
    if refusal is not None:
        yield refusal if name in refusal else f"{name}: {refusal}"
        yield from _problems(document["problems"][:-1])
        return
    version = f" {document['tool_version']}" if document["tool_version"] else ""
    yield f"{name}: {document['tool']}{version} ({document['format']})"
    if document["copied"]:
        yield f"  Copied output; taken out: {', '.join(document['copied'])}."
    if document["state"] is None:
        beside = document.get("read_with")
        yield f"  Read with {beside}." if beside else "  Holds no run of its own."
        yield from _problems(document["problems"])
        return
    further = len(document.get("further_runs", ()))
    yield f"  {_whole(document)}{f' {further + 1} runs; the first:' if further else ''}"
    yield from _figures(document)
    yield from _problems(document["problems"])
    yield from _missing(document)


def _whole(run: Mapping[str, Any]) -> str:
    words = _STATES[run["state"]]
    return f"{words}: {run['state_text']}." if run["state_text"] else f"{words}."


def _figures(run: Mapping[str, Any]) -> Iterator[str]:
    """Yield number of operations, the median and high percentiles of the series that matter most."""
    series = sorted(run["series"], key=_rank)
    sums = {(each["operation"], each["phase"]) for each in series if each["device"] is None}
    several = len({each["device"] for each in series if each["device"] is not None}) > 1
    seen: set[tuple[str, str | None, str | None]] = set()
    for each in series:
        key = (each["operation"], each["phase"], each["device"])
        is_part = each["device"] is not None and key[:2] in sums
        if key not in seen and not is_part and len(seen) < _SHOWN_SERIES:
            seen.add(key)
            on = f" on {each['device']}" if several and each["device"] is not None else ""
            yield f"  {_series(each, on)}"
    if not series:
        if not run["courses"]:
            yield "  No distribution of latencies."
        yield from _means(run["claims"])
        yield from _periods(run["claims"])
        yield from _counts(run["claims"])
    elif all(each["count"] is None and _times(each, 0) == _NO_PERCENTILES for each in series):
        yield from _periods(run["claims"])
    elif len(series) > len(seen):
        yield f"  {len(series) - len(seen)} more series."
    yield from _shares(run["claims"])
    yield from _machine(run["claims"])
    rates = [claim for claim in run["claims"] if claim["quantity"] == "throughput_ops_per_s"]
    rates = [each for each in rates if each["start_s"] is None]
    of_all = [each for each in rates if each["operation"] in ("total", "event", "transaction", "request")]
    of_first = [each for each in rates if len(seen) == 1 and each["operation"] == series[0]["operation"]]
    for rate in (of_all or of_first)[:1]:
        yield f"  {rate['printed']} operations a second."
    for each in [claim for claim in run["claims"] if claim["quantity"] == "time_per_transaction_ns"][:1]:
        yield f"  {_printed(each)} a transaction, worked out from the rate and not measured."


def _counts(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the numbers of operations without latencies."""
    counts = [
        claim for claim in claims if claim["quantity"] == "operation_count" and claim["start_s"] is None
    ]
    for each in [count for count in counts if count["upper"]][:_SHOWN_SERIES]:
        yield f"  {each['operation']}: {each['upper']:,.0f} operations"


def _shares(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield shares over limits, as tables print them for the whole: over ACT's own limits where they are
    there.
    """
    by_operation: dict[str, tuple[str, dict[int, str]]] = {}
    for claim in claims:
        share = _SHARE.fullmatch(claim["quantity"])
        if share is not None:
            words = f"in {share[2].replace('_', ' ')}" if share[2] else "on average"
            held = by_operation.setdefault(claim["operation"], (words, {}))
            if held[0] == words:
                held[1].setdefault(int(share[1]), claim["printed"])
    for operation, (of, shares) in list(by_operation.items())[:_SHOWN_SERIES]:
        limits = [at for at in shares if at in _ACT_LIMITS_NS] or list(shares)
        named = [f"{shares[at]} over {_time(at / NS_PER_US, round)}" for at in limits[:_SHOWN_SERIES]]
        yield f"  {operation}: {of} {', '.join(named)}"


def _machine(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what kept a machine busy, of each device and of its processors."""
    by_machine: dict[str, list[str]] = {}
    for claim in claims:
        if claim["quantity"] in _OF_MACHINES:
            words = _OF_MACHINES[claim["quantity"]].format(claim["printed"])
            by_machine.setdefault(claim["operation"], []).append(words)
    for name, words_of_one in list(by_machine.items())[-_SHOWN_SERIES:]:
        yield f"  {name}: {', '.join(words_of_one)}"


def _means(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the means of the whole run that are printed where no series could be made of them."""
    means = [claim for claim in claims if claim["quantity"] == "latency_mean_ns" and claim["start_s"] is None]
    for each in [mean for mean in means if mean["lower"]][:_SHOWN_SERIES]:
        yield f"  {each['operation']}: mean {_printed(each)}"


def _periods(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the smallest and largest of what a log states of periods, where it states nothing of the whole
    run.
    """
    by_course: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for claim in claims:
        if claim["start_s"] is not None and claim["quantity"] in _OF_PERIODS:
            by_course.setdefault((claim["operation"], claim["quantity"]), []).append(claim)
    for (operation, quantity), of_periods in list(by_course.items())[:_SHOWN_SERIES]:
        ends = [pick(of_periods, key=lambda each: float(each["lower"])) for pick in (min, max)]
        if quantity == "bandwidth_bytes_per_s":
            words = [f"{end['upper'] / 1e6:.3g}" for end in ends]
        elif not _OF_PERIODS[quantity]:
            words = [_printed(end) for end in ends]
        else:
            words = [str(end["printed"]) for end in ends]
        of = _OF_PERIODS[quantity] and f" {_OF_PERIODS[quantity]}"
        between = words[0] if words[0] == words[1] else f"{words[0]} to {words[1]}"
        number = "1 period" if len(of_periods) == 1 else f"{len(of_periods):,} periods"
        yield f"  {operation}: {between}{of} in {number}"


def _printed(claim: Mapping[str, Any]) -> str:
    """Return a printed time with its unit, else its bounds. A long number of a small unit is written in one
    that a person reads, with all of its digits.
    """
    text = _GLUED.sub(r"\1 \2", str(claim["printed"]))
    number, _, unit = (text if text.endswith(_WRITTEN_UNITS) else f"{text} {_unit(claim)}").rpartition(" ")
    try:
        value = Decimal(number)
    except InvalidOperation:
        value, unit = Decimal(0), ""
    if not value or not unit:
        lower, upper = max(0, claim["lower"]), claim["upper"]
        return _range({"lower_us": lower / NS_PER_US, "upper_us": upper / NS_PER_US})
    if value < _LONG and len(number) <= _MOST_SIGNS:
        return f"{number} {unit}"
    while value >= _LONG and unit in _LARGER:
        value, unit = value.scaleb(-3), _LARGER[unit]
    return f"{round(value, _MOST_SIGNS - 6).normalize():f} {unit}"


def _unit(claim: Mapping[str, Any]) -> str:
    """Return the unit of a number without a unit, by its bounds; empty if they do not decide."""
    try:
        ratio = (claim["lower"] + claim["upper"]) / 2 / float(claim["printed"])
        return _BY_SIZE[round(math.log10(ratio) / 3)]
    except (ValueError, ZeroDivisionError, OverflowError, KeyError):
        return ""


def _rank(document: Mapping[str, Any]) -> tuple[bool, int, int]:
    operation = document["operation"]
    place = _PREFERRED.index(operation) if operation in _PREFERRED else len(_PREFERRED)
    return (
        operation in _LAST,
        place,
        list(_CLOCKS).index(document["clock"]) if document["clock"] in _CLOCKS else 9,
    )


def _series(document: Mapping[str, Any], on: str) -> str:
    name = (
        document["operation"]
        if document["phase"] is None
        else f"{document['operation']} ({document['phase']})"
    )
    count = "number unknown" if document["count"] is None else f"{document['count']:,}"
    misses = sum(document["misses"].values())
    lost = f", {misses:,} failed" if misses else ""
    times = f"; {_CLOCKS.get(document['clock'], document['clock'])} {', '.join(_times(document, misses))}"
    return f"{name}{on}: {count}{lost}{times if document['quantiles'] else ''}"


def _times(document: Mapping[str, Any], misses: int) -> list[str]:
    """Return three figures: median, 99 % and 99.9 %. Where a file leaves one of them wide open, a figure
    printed beside it is more precise: the mean, another percentile, the largest.
    """
    printed = {c["quantile"]: c for c in document["printed"] if c["quantity"] == _QUANTILE}
    printed = {at: claim for at, claim in printed.items() if _agrees(document, claim, misses)}
    beside = {c["quantity"]: c for c in document["printed"] if c["quantity"] != _QUANTILE and c["upper"]}
    if misses:
        # A call that was never answered is in no mean and no largest latency.
        beside = {}
    others = sorted((at for at in printed if 0.5 < at < 0.9999), key=lambda at: abs(at - 0.99))
    names: list[str] = []
    for at, label in (("0.5", "p50"), ("0.99", "p99"), ("0.999", "p99.9")):
        ends = document["quantiles"].get(at)
        if float(at) in printed:
            names.append(f"{label} {_printed(printed[float(at)])}")
        elif ends is None:
            continue
        elif _is_narrow(ends):
            names.append(f"{label} {_range(ends)}")
        elif at == "0.5" and "latency_mean_ns" in beside:
            names.append(f"mean {_printed(beside['latency_mean_ns'])}")
        elif at == "0.99" and others:
            names.append(f"p{100 * others[0]:g} {_printed(printed[others[0]])}")
        elif at == "0.999" and "latency_max_ns" in beside:
            names.append(f"largest {_printed(beside['latency_max_ns'])}")
        else:
            names.append(f"{label} {_range(ends)}")
    times = [words for words in names if not words.endswith(_UNKNOWN)]
    if len(times) == 3 and len({words.partition(" ")[2] for words in times}) == 1:
        # The same ends three times are one figure.
        return [f"p50 to p99.9 {times[0].partition(' ')[2]}"]
    return times or _NO_PERCENTILES


def _agrees(document: Mapping[str, Any], claim: Mapping[str, Any], misses: int) -> bool:
    """Return whether a printed percentile may be that of the series. Where calls failed it is of others, and
    a tool may print a unit that its own table refutes.
    """
    ends = document["quantiles"].get(str(claim["quantile"]))
    if ends is None or ends["lower_us"] is None:
        return not misses
    above = ends["upper_us"] is None or bool(claim["lower"] <= ends["upper_us"] * NS_PER_US)
    return above and bool(claim["upper"] >= ends["lower_us"] * NS_PER_US)


def _is_narrow(ends: Mapping[str, float | None]) -> bool:
    """Return whether the bounds of a percentile are near enough to be read as one figure."""
    lower, upper = ends["lower_us"], ends["upper_us"]
    return bool(lower) and upper is not None and upper <= _NARROW * (lower or 0)


def _range(ends: Mapping[str, float | None]) -> str:
    lower, upper = ends["lower_us"], ends["upper_us"]
    if lower is None or (upper is None and not lower):
        return _UNKNOWN
    if upper is None:
        return f"at least {_time(lower, math.floor)}"
    if lower == upper:
        return _time(lower, round)
    first, last = _time(lower, math.floor), _time(upper, math.ceil)
    return first if first == last else f"{first} to {last}"


def _time(time_us: float, to_whole: Callable[[float], int]) -> str:
    """Return a time with three significant digits, bounds outwards; the exact ones are in --verbose and
    --json.
    """
    if not time_us:
        return "0"
    unit, name = next((each for each in _UNITS if abs(time_us) >= each[0]), _UNITS[-1])
    value = time_us / unit
    step = 10.0 ** (math.floor(math.log10(value)) - 2)
    # A whole number of steps, but for the double's last digit, stays a whole number.
    steps = round(value / step, 6)
    return f"{to_whole(steps) * step:.3g} {name}"


def _problems(problems: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the problems, the worst first; notes are for --verbose."""
    worst = [problem for problem in problems if problem["severity"] == "error"]
    worst += [problem for problem in problems if problem["severity"] == "warning"]
    for each in worst[:_SHOWN_PROBLEMS]:
        where = "" if each["line"] is None else f"line {each['line']}: "
        yield f"  {each['severity'].capitalize()}: {where}{each['reason']}"
    if len(worst) > _SHOWN_PROBLEMS:
        yield f"  {len(worst) - _SHOWN_PROBLEMS} more problems: --verbose"


def _missing(run: Mapping[str, Any]) -> Iterator[str]:
    missing = run["missing"]
    named = [words for field, words in _FACTS.items() if field in missing]
    rooms = {name.split(".")[0] for name in missing if name not in _FACTS}
    named += ["the machine"] if "host" in rooms else []
    named += ["the workload"] if "plan" in rooms else []
    if named:
        yield f"  Add: {', '.join(named)}."
