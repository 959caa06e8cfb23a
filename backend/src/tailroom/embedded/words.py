"""Sentences about measurements and verdicts: units beside numbers, bounds beside statements."""

import math
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from tailroom.domain.errors import sentence
from tailroom.domain.units import (
    latencies,
    latency_down,
    latency_text,
    latency_up,
    proven_share_text,
    share_text,
)
from tailroom.embedded.console import Console

_NS_PER_UNIT = ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs"))
_DETAIL_COLUMNS = 22


def latency(ns: int | None) -> str:
    """Return a latency in three digits, below 1 µs in whole ns, with its unit; `–` for None."""
    if ns is None:
        return "–"
    if ns < 0:
        return f"−{latency(-ns)}"
    for size, unit in _NS_PER_UNIT:
        if ns >= size:
            return f"{_three_digits(ns / size)} {unit}"
    return f"{ns} ns"


def share(ratio: float | None) -> str:
    """Return a ratio as per cent, rounded; `–` for None.

    Only exactly 0 and 1 become `0 %` and `100 %`; values close to them are `< 0.0001 %` and `> 99.9999 %`.
    """
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
    """Return a line about a running measurement: time, rate against target, p99, shares over the limits.

    `event`: progress as the agent reports it; parts that it does not state are left out.
    """
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
    """Return a line about the agent's connection to the API, lost or restored, from an event of the agent."""
    unsent = event.get("unsent", 0)
    if event.get("state") == "up":
        return "the API takes measurements again"
    return f"the API does not answer ({event.get('reason')}): measuring goes on, {unsent} wait on disk"


STRENGTHS = (
    "“In this run” holds for what was measured; “proven” holds for the next run too, with 95 % confidence."
)


def verdict_lines(verdict: Mapping[str, Any], console: Console) -> Iterator[str]:
    """Yield the lines of a verdict (JSON of the API): question, answer, figures, reason, missing evidence."""
    words = console.verdict_colour(verdict["verdict"], verdict["words"])
    yield f"  {console.bold(verdict['budget']['question'] or verdict['budget']['title'])}"
    yield f"  {words}. {sentence(verdict['headline']['text'])}"
    if verdict.get("exceedance"):
        yield from _exceedance_lines(verdict["exceedance"])
    if verdict.get("transaction"):
        yield from _transaction_lines(verdict)
    if verdict["strength"] != "proven" and verdict["reason_text"]:
        yield _line("why:", verdict["reason_text"])
    if verdict["decided_by"]:
        yield _line("would prove it:" if verdict["strength"] else "would decide it:", verdict["decided_by"])


def _exceedance_lines(exceedance: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each limit with the shares over it, and a line about the certificate."""
    for row in exceedance["rows"]:
        limit = row["limit_ratio"]
        shown = _shares(row["share_lower"], row["share_upper"], limit)
        proven = _shares(row["ratio_lower"], row["ratio_upper"], limit)
        text = f"{shown} in this run, {proven} with 95 % confidence, limit {share(limit)} ({row['words']})"
        yield _line(f"{latency_text(row['threshold_ns'])} or longer:", text)
    certification = exceedance.get("certification")
    if certification:
        why = f"; {certification['reason_text']}" if certification["reason_text"] else ""
        yield _line("as a certificate:", f"{certification['words']}{why}")


def _transaction_lines(verdict: Mapping[str, Any]) -> Iterator[str]:
    """Yield lines about transactions: those in time, the success rate, and the room left in the window."""
    transaction = verdict["transaction"]
    window, objective = latency_text(transaction["window_ns"]), transaction["objective_ratio"]
    measured, proven = transaction.get("measured"), verdict["proven"]
    if measured:
        counts = f"{measured['within_count']:,} of {measured['total_count']:,} in time"
        yield _line("in this run:", f"{counts}, each of {measured['reads']} reads in {window}")
    if proven["lower"] is not None:
        shown = proven_share_text(proven["lower"], proven["upper"], objective)
        yield _line("with 95 % confidence:", f"{shown} in time; {share(objective)} asked")
    lower, upper = transaction["room_lower_ns"], transaction["room_upper_ns"]
    if upper is not None:
        if upper <= 0:
            room = f"none: at least {latency_down(-upper, 3)} more than {window}"
        else:
            basis = "as measured" if transaction["evidence"] == "measured" else "by the model"
            is_certain = lower is not None and lower > 0
            left = latencies(lower, upper, 3) if is_certain else f"at most {latency_up(upper, 3)}"
            room = f"{left} of {window}, {basis}"
        yield _line("room left:", room)


def _shares(lower: float | None, upper: float | None, limit: float) -> str:
    return "–" if lower is None or upper is None else share_text(lower, upper, limit)


def _line(name: str, text: str) -> str:
    """Return an indented line: `name`, padded to a column of 22 characters, then `text`."""
    return f"      {name:<{_DETAIL_COLUMNS}} {text}"


def _three_digits(value: float) -> str:
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _close_to_whole(per_cent: float) -> str:
    """Return a percentage above 50 with as many digits as its nines need: 99.95 %, never 100 % for less."""
    short_of_whole = 100.0 - per_cent
    if short_of_whole < 0.0001:
        return "> 99.9999 %"
    digits = max(1, math.ceil(round(-math.log10(short_of_whole), 9)))
    return f"{min(per_cent, 100.0 - 10.0**-digits):.{digits}f} %"
