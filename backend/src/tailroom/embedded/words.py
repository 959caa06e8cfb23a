"""How measurements and verdicts are put into words: units beside numbers, bounds beside claims."""

import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from tailroom.domain.units import latencies, latency_down, latency_up, least_percent_text, most_percent_text
from tailroom.embedded.console import Console

_NS_PER_UNIT = ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs"))
_DETAIL_COLUMNS = 26


def latency(ns: int | None) -> str:
    """A latency with three significant digits and its unit; a dash when there is none."""
    if ns is None:
        return "–"
    if ns < 0:
        return f"−{latency(-ns)}"
    for size, unit in _NS_PER_UNIT:
        if ns >= size:
            return f"{_three_digits(ns / size)} {unit}"
    return f"{ns} ns"


def share(ratio: float | None) -> str:
    """A share in per cent; never rounded to 0 % or 100 % when it is not."""
    if ratio is None:
        return "–"
    if ratio in {0.0, 1.0}:
        return f"{ratio * 100:.0f} %"
    per_cent = ratio * 100
    if per_cent > 50:
        return _close_to_whole(per_cent)
    if per_cent < 0.0001:
        return "< 0.0001 %"
    return f"{per_cent:.2g} %" if per_cent < 10 else f"{per_cent:.1f} %"


def progress_line(event: Mapping[str, Any], duration_s: float, limits_ns: Collection[int]) -> str:
    """One line about a running measurement: time, rate against target, p99, share over each limit."""
    elapsed_s = float(event.get("elapsed_s", 0.0))
    parts = [f"{min(elapsed_s, duration_s):.0f} of {duration_s:.0f} s", str(event.get("operation", ""))]
    rate, target = event.get("rate_per_s"), event.get("target_rate_per_s")
    if rate is not None:
        parts.append(f"{rate:,.0f}/s" + (f" of {target:,.0f}/s" if target else ""))
    if event.get("p99_ns") is not None:
        parts.append(f"p99 {latency(int(event['p99_ns']))}")
    over = [
        f"{share(ratio)} over {latency(int(threshold))}"
        for threshold, ratio in event.get("over") or []
        if int(threshold) in limits_ns
    ]
    if over:
        parts.append(", ".join(over))
    return "   ".join(part for part in parts if part)


def backend_line(event: Mapping[str, Any]) -> str:
    """One line about the connection to the backend while it is not as it should be."""
    unsent = event.get("unsent", 0)
    if event.get("state") == "up":
        return "the API takes measurements again"
    return f"the API does not answer ({event.get('reason')}): measuring goes on, {unsent} wait on disk"


def verdict_lines(verdict: Mapping[str, Any], console: Console) -> Iterator[str]:
    """A verdict with its bounds and its reason."""
    word = console.verdict_colour(verdict["verdict"])
    reason = f" ({verdict['reason']})" if verdict.get("reason") else ""
    budget = verdict["budget"]
    yield f"  {word}{reason}  {console.bold(budget['title'])}  [{budget['name']} v{budget['version']}]"
    if verdict.get("exceedance"):
        yield from _exceedance_lines(verdict["exceedance"])
    if verdict.get("transaction"):
        yield from _transaction_lines(verdict["transaction"])
    if verdict.get("reason_text"):
        yield f"      {verdict['reason_text']}"
    if verdict.get("decided_by"):
        yield f"      What would decide it: {verdict['decided_by']}"


def _exceedance_lines(exceedance: Mapping[str, Any]) -> Iterator[str]:
    for row in exceedance["rows"]:
        bounds = _bounds(row["ratio_lower"], row["ratio_upper"], "between {} and {}")
        what = f"over {latency(row['threshold_ns'])}:"
        yield (
            f"      {what:<{_DETAIL_COLUMNS}} {share(row['ratio'])} ({bounds}), "
            f"limit {share(row['limit_ratio'])}: {row['verdict']}"
        )
    certification = exceedance.get("certification")
    if certification:
        why = f": {certification['reason_text']}" if certification.get("reason_text") else ""
        yield f"      {'certification:':<{_DETAIL_COLUMNS}} {certification['verdict']}{why}"


def _transaction_lines(part: Mapping[str, Any]) -> Iterator[str]:
    window = latency(part["window_ns"])
    predicted = _bounds(part["p_lower"], part["p_upper"], "{} to {}")
    yield (
        f"      {'predicted from reads:':<{_DETAIL_COLUMNS}} {predicted} of "
        f"transactions of {part['reads']} reads within {window} (objective {share(part['objective_ratio'])})"
    )
    measured = part.get("measured")
    if measured:
        # The end on which the verdict rests: of few that kept the window, how many it can be at most.
        missed = (measured["ratio"] or 0.0) < part["objective_ratio"] and measured["ratio_upper"] is not None
        end = (
            f"at most {most_percent_text(measured['ratio_upper'])}"
            if missed
            else f"at least {least_percent_text(measured['ratio_lower'])}"
        )
        yield (
            f"      {'measured transactions:':<{_DETAIL_COLUMNS}} {measured['within_count']:,} of "
            f"{measured['total_count']:,} within {window}, that is {end}"
        )
    lower, upper = part["room_lower_ns"], part["room_upper_ns"]
    if upper is not None:
        if upper <= 0:
            room = f"none: at least {latency_down(-upper, 3)} more than {window}"
        else:
            basis = "as measured" if part["evidence"] == "measured" else "by the model"
            left = f"at most {latency_up(upper, 3)}" if lower is None else latencies(lower, upper, 3)
            room = f"{left} of {window}, {basis}"
        yield f"      {'room left:':<{_DETAIL_COLUMNS}} {room}"


def _bounds(lower: float | None, upper: float | None, form: str) -> str:
    """Two shares, rounded outward as everywhere else, or one where they are written alike."""
    if lower is None or upper is None:
        return "–"
    ends = least_percent_text(lower), most_percent_text(upper)
    return ends[0] if ends[0] == ends[1] else form.format(*ends)


def _three_digits(value: float) -> str:
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _close_to_whole(per_cent: float) -> str:
    """As many nines as there are: 99.95 %, never 100 % for something less."""
    short_of_whole = 100.0 - per_cent
    if short_of_whole < 0.0001:
        return "> 99.9999 %"
    digits = max(1, math.ceil(round(-math.log10(short_of_whole), 9)))
    return f"{min(per_cent, 100.0 - 10.0**-digits):.{digits}f} %"
