"""Texts of a report: bounds rounded outward, open bounds stated as such, and one sentence as the answer.

The sentence and its two figures are those of the run's page (`frontend/src/entities/verdict/answer.ts`); the
tests of both use the same examples.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from tailroom.domain.comparison.figures import MEAN, MISSES, THROUGHPUT, is_share
from tailroom.domain.units import (
    exact_percent,
    latencies,
    latency_down,
    latency_up,
    rates,
    share_text,
)

_NOTHING = "not on record"


@dataclass(frozen=True, slots=True)
class Room:
    """Bounds (ns) of a transaction's time at its objective. None: lower bound unknown, upper bound open."""

    verdict: str
    window_ns: int
    reserve_ns: int
    used_lower_ns: int | None
    used_upper_ns: int | None

    @property
    def allowed_ns(self) -> int:
        """Time in ns that the operations may take: the window without the reserve."""
        return self.window_ns - self.reserve_ns

    @property
    def ends_ns(self) -> tuple[int, int] | None:
        """Bounds of the room left in ns; None if the time used is unknown, or no room is left."""
        if self.used_lower_ns is None or self.allowed_ns - self.used_lower_ns <= 0:
            return None
        used = self.allowed_ns if self.used_upper_ns is None else self.used_upper_ns
        return max(0, self.allowed_ns - used), self.allowed_ns - self.used_lower_ns


def room_of(verdict: Mapping[str, Any]) -> Room | None:
    """Return the room in a verdict's document; None if it is not about transactions.

    The time used is derived from the room left, so that both agree.
    """
    transaction = verdict.get("transaction")
    if not transaction:
        return None
    allowed = transaction["window_ns"] - transaction["reserve_ns"]
    lower, upper = transaction["room_lower_ns"], transaction["room_upper_ns"]
    return Room(
        str(verdict["verdict"]),
        transaction["window_ns"],
        transaction["reserve_ns"],
        transaction.get("quantile_lower_ns") if upper is None else allowed - upper,
        None if lower is None else allowed - lower,
    )


def answer_of(verdict: Mapping[str, Any]) -> str:
    """Return the answer of a verdict's document as a sentence: for PASS the room left, for FAIL the excess.

    An undecided verdict, or one not about transactions, gives the headline, else the reason, else the
    verdict.
    """
    room = room_of(verdict)
    if room is None or verdict["verdict"] == "INDETERMINATE":
        text = (verdict.get("headline") or {}).get("text") or verdict.get("reason_text") or verdict["verdict"]
        return f"{text}."
    if verdict["verdict"] == "PASS":
        ends = room.ends_ns
        spare = f", with at least {latency_down(ends[0], 2)} to spare" if ends and ends[0] else ""
        return f"It fits{spare}."
    missing = 0 if room.used_lower_ns is None else room.used_lower_ns - room.allowed_ns
    if missing > 0:
        return f"Too slow: at least {latency_down(missing, 2)} over the limit."
    return "Too slow for this share of transactions."


def room_text(room: Room) -> str:
    """Return the room bar as text: time of the reads, room left, reserve, deadline."""
    lower, upper, ends = room.used_lower_ns, room.used_upper_ns, room.ends_ns
    used = "an unknown time" if lower is None else latencies(max(lower, 0), upper, 2)
    parts = [f"Reads take {used}"]
    if ends is not None:
        left = f"at most {latency_up(ends[1], 2)}" if upper is None else latencies(*ends, 2)
        parts.append(f"room left {left}")
    if room.reserve_ns:
        parts.append(f"{latency_down(room.reserve_ns)} kept for scoring")
    return ", ".join([*parts, f"deadline {latency_down(room.window_ns)}"])


def quantity_of(quantity: str) -> str:
    """Return a quantity's name for people, such as `p99.9`, `mean`, `throughput` or `share over 8 ms`."""
    return {THROUGHPUT: "throughput", MEAN: "mean", MISSES: "share without an answer"}.get(
        quantity, quantity.removeprefix("latency_").removesuffix("_ns").replace("_", " ")
    )


def bounds_of(quantity: str, lower: float, upper: float | None) -> str:
    """Return the bounds of a comparison's figure as text with its unit; `upper` None: open."""
    if quantity == THROUGHPUT:
        return rates(lower, upper)
    if is_share(quantity):
        return share_text(lower, 1.0 if upper is None else upper)
    return latencies(lower, upper)


class LimitWords(NamedTuple):
    """A limit of a verdict as text: subject, limit, bounds in this run, and bounds with 95 % confidence."""

    what: str
    limit: str
    in_run: str
    proven: str


def row_of(row: Mapping[str, Any]) -> LimitWords:
    """Return a limit of a verdict as text; a method before version 8 has no bounds in the run."""
    limit = row["limit"]
    ends = (row.get("observed_lower"), row.get("observed_upper")), (row["value_lower"], row["value_upper"])
    if row["kind"] == "throughput":
        measured = [_NOTHING if lower is None else rates(lower, upper) for lower, upper in ends]
        return LimitWords(
            str(row["quantity"]).replace("_", " "), f"more than {rates(limit, limit)}", *measured
        )
    at = latency_down(row["threshold_ns"])
    measured = [
        _NOTHING if lower is None else share_text(lower, 1.0 if upper is None else upper, limit)
        for lower, upper in ends
    ]
    what = f"{row['operation']}, {row['clock']} time"
    if row["kind"] == "percentile":
        return LimitWords(f"{what}: shorter than {at}", f"at least {exact_percent(limit)}", *measured)
    return LimitWords(f"{what}: {at} or longer", f"less than {exact_percent(limit)}", *measured)
