"""Summary of a result file in ten lines: format, state, figures, problems; `--verbose` has everything."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from tailroom.cli.terminal import number_of
from tailroom.domain.units import NS_PER_US, latencies, latency_near, latency_up

MOST_LINES = 10
_SHOWN_PROBLEMS = 3
_SHOWN_SERIES = 3
_FIGURES = 3
"""Significant figures of times."""
_PREFERRED = ("read", "get", "select", "transaction", "event", "request", "write", "set", "total", "all")
"""Operations that are shown first, in this order."""
_CLOCKS = {
    "response": "response time",
    "service": "service time",
    "operation": "latency",
    "queue": "queueing",
}
_QUANTILE = "latency_quantile_ns"
_WRITTEN_UNITS = (" ns", " µs", " us", " ms", " s")
_GO_DURATION = re.compile(r"^([\d.]+)(ns|µs|us|ms|s)$")
"""A duration as Go prints it, such as `1.5ms`."""
_NEXT_UNIT = {"ns": "µs", "µs": "ms", "us": "ms", "ms": "s"}
_UNITS_BY_THOUSANDS = dict(enumerate(("ns", "µs", "ms", "s")))
_LONG_TIME = 10_000
"""Printed times from here on are written in the next larger unit."""
_MOST_DIGITS = 9
"""Longer numbers are rounded; `--verbose` has all digits."""
_SHARE = re.compile(r"share_over_(\d+)_ns_(?:mean|whole|(slice_\d+))_ratio")
_ACT_LIMITS_NS = (1_000_000, 8_000_000, 64_000_000)
_MACHINE_TEXTS = {
    "device_busy_percent_max": "busiest interval {} % busy",
    "queue_length_max": "longest queue {}",
    "cpu_idle_percent_min": "busiest interval {} % idle",
    "cpu_iowait_percent_max": "most waiting for I/O {} %",
}
"""Text about a machine's load by quantity."""
_PERIOD_UNITS = {
    "latency_mean_ns": "",
    "latency_window_ns": "",
    "throughput_ops_per_s": "operations a second",
    "operation_count": "operations",
    "bandwidth_bytes_per_s": "MB/s",
}
"""Unit of figures of periods by quantity; empty for times, which have their own."""
_UNKNOWN = "unknown"
_NO_PERCENTILES = ["percentiles unknown"]
_NARROW_RATIO = 1.5
"""If the bounds of a percentile are further apart, a printed mean or maximum is more precise."""
_LISTED_LAST = ("cleanup",)
"""Operations that are shown after all others."""
_STATES = {
    "finished": "Complete",
    "device_too_slow": "Stopped, the drive could not keep up",
    "generator_too_slow": "Stopped, the load generator could not keep up",
    "failed": "Failed",
    "killed": "Interrupted",
    "growing": "Not complete",
    "unknown": "Completeness unknown",
}
"""Words by the state in which a run ended."""
_FACTS = {
    "run.started_at": "when it ran",
    "tool.version": "the version of the tool",
    "tool.latency_unit": "the unit of the latencies",
    "tool.operation": "what was timed",
    "tool.loop": "whether the load was open or closed",
}
"""Facts that a reader may add, by field."""


def brief_lines(document: Mapping[str, Any], refusal: str | None) -> Iterator[str]:
    """Yield at most ten lines about one document of `tailroom inspect`; the last counts those left out.

    `refusal`: why the file was not read, or None.
    """
    lines = list(_lines(document, refusal))
    if len(lines) > MOST_LINES:
        left = len(lines) - MOST_LINES + 1
        lines = [*lines[: MOST_LINES - 1], f"  {left} more lines: --verbose"]
    yield from lines


def _lines(document: Mapping[str, Any], refusal: str | None) -> Iterator[str]:
    """Yield all lines about a document: format, state, figures, problems, missing facts."""
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
    ending = state_line(document["state"], document["state_text"])
    yield f"  {ending}{f' {further + 1} runs; the first:' if further else ''}"
    yield from _figures(document)
    yield from _problems(document["problems"])
    yield from _missing(document)


def state_line(state: str, text: str) -> str:
    """Return how a run ended as a sentence: its state, and the text of its tool or file."""
    return f"{_STATES[state]}: {text}." if text else f"{_STATES[state]}."


def _figures(run: Mapping[str, Any]) -> Iterator[str]:
    """Yield the figures of a run: of its most important series, then printed shares, load and rates."""
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
    elif all(each["count"] is None and _time_figures(each, 0) == _NO_PERCENTILES for each in series):
        yield from _periods(run["claims"])
    elif len(series) > len(seen):
        yield f"  {len(series) - len(seen)} more series."
    yield from _shares(run["claims"])
    yield from _machine(run["claims"])
    rates = _of_whole_run(run["claims"], "throughput_ops_per_s")
    of_all = [each for each in rates if each["operation"] in ("total", "event", "transaction", "request")]
    of_first = [each for each in rates if len(seen) == 1 and each["operation"] == series[0]["operation"]]
    for rate in (of_all or of_first)[:1]:
        yield f"  {rate['printed']} operations a second."
    for each in [claim for claim in run["claims"] if claim["quantity"] == "time_per_transaction_ns"][:1]:
        yield f"  {_printed_time(each)} a transaction, worked out from the rate and not measured."


def _of_whole_run(claims: Sequence[Mapping[str, Any]], quantity: str) -> list[Mapping[str, Any]]:
    return [claim for claim in claims if claim["quantity"] == quantity and claim["start_s"] is None]


def _counts(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    counts = _of_whole_run(claims, "operation_count")
    for each in [count for count in counts if count["upper"]][:_SHOWN_SERIES]:
        yield f"  {each['operation']}: {each['upper']:,.0f} operations"


def _shares(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line with printed shares over limits for each operation, at most three lines and limits.

    They are averages or those of one slice, whichever the tool prints first; if possible over ACT's own
    limits.
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
        named = [f"{shares[at]} over {latency_near(at, _FIGURES)}" for at in limits[:_SHOWN_SERIES]]
        yield f"  {operation}: {of} {', '.join(named)}"


def _machine(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    by_machine: dict[str, list[str]] = {}
    for claim in claims:
        if claim["quantity"] in _MACHINE_TEXTS:
            words = _MACHINE_TEXTS[claim["quantity"]].format(claim["printed"])
            by_machine.setdefault(claim["operation"], []).append(words)
    for name, words_of_one in list(by_machine.items())[-_SHOWN_SERIES:]:
        yield f"  {name}: {', '.join(words_of_one)}"


def _means(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    means = _of_whole_run(claims, "latency_mean_ns")
    for each in [mean for mean in means if mean["lower"]][:_SHOWN_SERIES]:
        yield f"  {each['operation']}: mean {_printed_time(each)}"


def _periods(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the smallest and largest printed figure of periods, for a log without figures of a whole run."""
    by_course: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for claim in claims:
        if claim["start_s"] is not None and claim["quantity"] in _PERIOD_UNITS:
            by_course.setdefault((claim["operation"], claim["quantity"]), []).append(claim)
    for (operation, quantity), of_periods in list(by_course.items())[:_SHOWN_SERIES]:
        bounds = [pick(of_periods, key=lambda each: float(each["lower"])) for pick in (min, max)]
        if quantity == "bandwidth_bytes_per_s":
            words = [f"{end['upper'] / 1e6:.3g}" for end in bounds]
        elif not _PERIOD_UNITS[quantity]:
            words = [_printed_time(end) for end in bounds]
        else:
            words = [str(end["printed"]) for end in bounds]
        of = _PERIOD_UNITS[quantity] and f" {_PERIOD_UNITS[quantity]}"
        between = words[0] if words[0] == words[1] else f"{words[0]} to {words[1]}"
        number = "1 period" if len(of_periods) == 1 else f"{len(of_periods):,} periods"
        yield f"  {operation}: {between}{of} in {number}"


def _printed_time(claim: Mapping[str, Any]) -> str:
    """Return a printed time with its unit, a long time in a larger unit; its bounds if it cannot be read."""
    text = _GO_DURATION.sub(r"\1 \2", str(claim["printed"]))
    number, _, unit = (text if text.endswith(_WRITTEN_UNITS) else f"{text} {_unit(claim)}").rpartition(" ")
    try:
        value = Decimal(number)
    except InvalidOperation:
        value, unit = Decimal(0), ""
    if not value or not unit:
        lower, upper = max(0, claim["lower"]), claim["upper"]
        return _range_text({"lower_us": lower / NS_PER_US, "upper_us": upper / NS_PER_US})
    if value < _LONG_TIME and len(number) <= _MOST_DIGITS:
        return f"{number} {unit}"
    while value >= _LONG_TIME and unit in _NEXT_UNIT:
        value, unit = value.scaleb(-3), _NEXT_UNIT[unit]
    return f"{round(value, _MOST_DIGITS - 6).normalize():f} {unit}"


def _unit(claim: Mapping[str, Any]) -> str:
    """Return the unit of a time printed without one, from its bounds; empty if they do not decide."""
    try:
        ratio = (claim["lower"] + claim["upper"]) / 2 / float(claim["printed"])
        return _UNITS_BY_THOUSANDS[round(math.log10(ratio) / 3)]
    except (ValueError, ZeroDivisionError, OverflowError, KeyError):
        return ""


def _rank(document: Mapping[str, Any]) -> tuple[bool, int, int]:
    """Return the sort key of a series: preferred operations first, `cleanup` last, then by kind of time."""
    operation = document["operation"]
    place = _PREFERRED.index(operation) if operation in _PREFERRED else len(_PREFERRED)
    return (
        operation in _LISTED_LAST,
        place,
        list(_CLOCKS).index(document["clock"]) if document["clock"] in _CLOCKS else 9,
    )


def _series(document: Mapping[str, Any], on: str) -> str:
    """Return a line about a series: operation, `on` (the device, may be empty), count and times."""
    name = (
        document["operation"]
        if document["phase"] is None
        else f"{document['operation']} ({document['phase']})"
    )
    count = "number unknown" if document["count"] is None else f"{document['count']:,}"
    misses = sum(document["misses"].values())
    lost = f", {misses:,} failed" if misses else ""
    times = (
        f"; {_CLOCKS.get(document['clock'], document['clock'])} {', '.join(_time_figures(document, misses))}"
    )
    return f"{name}{on}: {count}{lost}{times if document['quantiles'] else ''}"


def _time_figures(document: Mapping[str, Any], misses: int) -> list[str]:
    """Return median, p99 and p99.9 as texts, three equal times as one; `percentiles unknown` without any.

    A printed percentile is preferred. Wide bounds are replaced by a printed mean, other percentile or
    maximum. `misses`: number of failed operations.
    """
    printed = {c["quantile"]: c for c in document["printed"] if c["quantity"] == _QUANTILE}
    printed = {at: claim for at, claim in printed.items() if _is_plausible(document, claim, misses)}
    beside = {c["quantity"]: c for c in document["printed"] if c["quantity"] != _QUANTILE and c["upper"]}
    if misses:
        # Printed means and maxima leave out calls that were never answered.
        beside = {}
    others = sorted((at for at in printed if 0.5 < at < 0.9999), key=lambda at: abs(at - 0.99))
    names: list[str] = []
    for at, label in (("0.5", "p50"), ("0.99", "p99"), ("0.999", "p99.9")):
        bounds = document["quantiles"].get(at)
        if float(at) in printed:
            names.append(f"{label} {_printed_time(printed[float(at)])}")
        elif bounds is None:
            continue
        elif _is_narrow(bounds):
            names.append(f"{label} {_range_text(bounds)}")
        elif at == "0.5" and "latency_mean_ns" in beside:
            names.append(f"mean {_printed_time(beside['latency_mean_ns'])}")
        elif at == "0.99" and others:
            names.append(f"p{100 * others[0]:g} {_printed_time(printed[others[0]])}")
        elif at == "0.999" and "latency_max_ns" in beside:
            names.append(f"largest {_printed_time(beside['latency_max_ns'])}")
        else:
            names.append(f"{label} {_range_text(bounds)}")
    times = [words for words in names if not words.endswith(_UNKNOWN)]
    if len(times) == 3 and len({words.partition(" ")[2] for words in times}) == 1:
        # Three equal bounds are one figure.
        return [f"p50 to p99.9 {times[0].partition(' ')[2]}"]
    return times or _NO_PERCENTILES


def _is_plausible(document: Mapping[str, Any], claim: Mapping[str, Any], misses: int) -> bool:
    """Return whether a printed percentile overlaps the bounds of the series for the same share.

    If the series has no bounds, return whether no operation failed, because tools leave failed operations
    out.
    """
    bounds = document["quantiles"].get(str(claim["quantile"]))
    if bounds is None or bounds["lower_us"] is None:
        return not misses
    above = bounds["upper_us"] is None or bool(claim["lower"] <= bounds["upper_us"] * NS_PER_US)
    return above and bool(claim["upper"] >= bounds["lower_us"] * NS_PER_US)


def _is_narrow(bounds: Mapping[str, float | None]) -> bool:
    lower, upper = bounds["lower_us"], bounds["upper_us"]
    return bool(lower) and upper is not None and upper <= _NARROW_RATIO * (lower or 0)


def _range_text(bounds: Mapping[str, float | None]) -> str:
    """Return bounds in microseconds as text, rounded outward to three digits; `unknown` without bounds."""
    lower, upper = bounds["lower_us"], bounds["upper_us"]
    if lower is None or (upper is None and not lower):
        return _UNKNOWN
    if lower == upper:
        return latency_near(_in_ns(lower), _FIGURES) if lower else "0"
    if not lower and upper is not None:
        return f"0 to {latency_up(_in_ns(upper), _FIGURES)}"
    return latencies(_in_ns(lower), None if upper is None else _in_ns(upper), _FIGURES)


def _in_ns(time_us: float) -> float:
    """Return a time in ns to nine digits: the nanosecond by which an open end exceeds 1 s is left out."""
    return float(f"{time_us * NS_PER_US:.9g}")


def _problems(problems: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield at most three problems, errors before warnings, then the number of the others; no notes."""
    worst = [problem for problem in problems if problem["severity"] == "error"]
    worst += [problem for problem in problems if problem["severity"] == "warning"]
    for each in worst[:_SHOWN_PROBLEMS]:
        where = "" if each["line"] is None else f"line {each['line']}: "
        yield f"  {each['severity'].capitalize()}: {where}{each['reason']}"
    if len(worst) > _SHOWN_PROBLEMS:
        yield f"  {number_of(len(worst) - _SHOWN_PROBLEMS, 'more problem')}: --verbose"


def _missing(run: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line with facts that the file does not state and a reader may add, or nothing."""
    missing = run["missing"]
    named = [words for field, words in _FACTS.items() if field in missing]
    rooms = {name.split(".")[0] for name in missing if name not in _FACTS}
    named += ["the machine"] if "host" in rooms else []
    named += ["the workload"] if "plan" in rooms else []
    if named:
        yield f"  Add: {', '.join(named)}."
