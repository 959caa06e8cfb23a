"""Ten lines about a result file for a person: what it is, whether it is whole, its figures, what is wrong.

Everything else is `--verbose`.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
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
_UNKNOWN = "unknown"
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
    """Of one document of `tailroom inspect`; at most ten."""
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
    """Number of operations, the median and high percentiles of the series that matter most."""
    series = sorted(run["series"], key=_rank)
    seen: set[tuple[str, str | None]] = set()
    for one in series:
        key = (one["operation"], one["phase"])
        if key not in seen and one["device"] is None and len(seen) < _SHOWN_SERIES:
            seen.add(key)
            yield f"  {_series(one)}"
    if not series:
        yield "  No distribution of latencies."
        yield from _means(run["claims"])
    elif len(series) > len(seen):
        yield f"  {len(series) - len(seen)} more series."
    rates = [one for one in run["claims"] if one["quantity"] == "throughput_ops_per_s"]
    rates = [one for one in rates if one["start_s"] is None]
    whole = [one for one in rates if one["operation"] in ("total", "event", "transaction", "request")]
    of_first = [one for one in rates if len(seen) == 1 and one["operation"] == series[0]["operation"]]
    for rate in (whole or of_first)[:1]:
        yield f"  {rate['printed']} operations a second."


def _means(claims: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Means of the whole run that are printed where no series could be made of them."""
    means = [one for one in claims if one["quantity"] == "latency_mean_ns" and one["start_s"] is None]
    for one in [one for one in means if one["lower"]][:_SHOWN_SERIES]:
        yield f"  {one['operation']}: mean {_printed(one)}"


def _printed(claim: Mapping[str, Any]) -> str:
    """A printed time with its unit, else its ends."""
    if claim["printed"].endswith(_WRITTEN_UNITS):
        return str(claim["printed"])
    return _range({"lower_us": claim["lower"] / NS_PER_US, "upper_us": claim["upper"] / NS_PER_US})


def _rank(one: Mapping[str, Any]) -> tuple[bool, int, int]:
    operation = one["operation"]
    place = _PREFERRED.index(operation) if operation in _PREFERRED else len(_PREFERRED)
    return operation in _LAST, place, list(_CLOCKS).index(one["clock"]) if one["clock"] in _CLOCKS else 9


def _series(one: Mapping[str, Any]) -> str:
    name = one["operation"] if one["phase"] is None else f"{one['operation']} ({one['phase']})"
    count = "number unknown" if one["count"] is None else f"{one['count']:,}"
    misses = sum(one["misses"].values())
    lost = f", {misses:,} failed" if misses else ""
    said = {claim["quantile"]: claim for claim in one["printed"] if claim["quantity"] == _QUANTILE}
    quantiles = [
        f"{label} {_printed(said[float(at)]) if float(at) in said else _range(one['quantiles'][at])}"
        for at, label in (("0.5", "p50"), ("0.99", "p99"), ("0.999", "p99.9"))
        if at in one["quantiles"]
    ]
    if not said and not any(_is_between(ends) for ends in one["quantiles"].values()):
        # Percentiles of which nothing is known; the mean as it is printed says more.
        mean = next((claim for claim in one["printed"] if claim["quantity"] == "latency_mean_ns"), None)
        quantiles = [words for words in quantiles if not words.endswith(_UNKNOWN)]
        quantiles = [*([f"mean {_printed(mean)}"] if mean is not None else []), *quantiles]
        quantiles = quantiles or ["percentiles unknown"]
    times = f"; {_CLOCKS.get(one['clock'], one['clock'])} {', '.join(quantiles)}" if quantiles else ""
    return f"{name}: {count}{lost}{times}"


def _is_between(ends: Mapping[str, float | None]) -> bool:
    """Whether a percentile has an end above and one below."""
    return bool(ends["lower_us"]) and ends["upper_us"] is not None


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
    """Three significant digits, ends outwards; the exact ones are in --verbose and --json."""
    if not time_us:
        return "0"
    unit, name = next((one for one in _UNITS if abs(time_us) >= one[0]), _UNITS[-1])
    value = time_us / unit
    step = 10.0 ** (math.floor(math.log10(value)) - 2)
    # What is a whole number of steps but for the double's last digit stays it.
    steps = round(value / step, 6)
    return f"{to_whole(steps) * step:.3g} {name}"


def _problems(problems: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The worst first; notes are for --verbose."""
    worst = [one for one in problems if one["severity"] == "error"]
    worst += [one for one in problems if one["severity"] == "warning"]
    for one in worst[:_SHOWN_PROBLEMS]:
        where = "" if one["line"] is None else f"line {one['line']}: "
        yield f"  {one['severity'].capitalize()}: {where}{one['reason']}"
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
