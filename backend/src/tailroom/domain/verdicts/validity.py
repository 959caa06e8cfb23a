"""Slices that an overloaded load generator makes unreliable, and their effect on a FAIL.

A slice is *late* if 1 % of its operations began later than a tenth of the budget's smallest threshold because
of the generator; it is *busy* if a measuring thread used more than 70 % of its time. Both only add to
latencies: a PASS stands as recorded, and a FAIL stands if it remains one with every unreliable slice at its
best. Without notes on the generator a slice is neither unreliable nor reliable. Source: docs/method.md 4.4;
docs/adr/0017.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tailroom.domain.latency.bounds import Bools, Int64s
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.units import count_text, latency_text, percent_text
from tailroom.domain.verdicts.verdict import Judgement, Reason, Scope, Strength, Verdict, undecided

LATENESS_DIVISOR = 10
"""The smallest threshold divided by this is the tolerated lateness."""
BUSY_RATIO = 0.7
"""Largest share of its time that a measuring thread may be busy."""
_BUSY_TENTHS = round(BUSY_RATIO * 10)
_PARTS_PER_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class UnreliableSlices:
    """Masks of late and busy slices, and the busy share of the busiest thread in millionths, by slice."""

    late: Bools
    busy: Bools
    busy_ppm: Int64s
    """`UNKNOWN` if the source does not state it."""

    @property
    def any(self) -> Bools:
        """Mask of the unreliable slices: those that are late or busy."""
        unreliable: Bools = self.late | self.busy
        return unreliable


def unreliable_slices(
    lateness_p99_ns: Int64s, busy_ns: Int64s, duration_ns: Int64s, limit_ns: int | None
) -> UnreliableSlices:
    """Return which slices of a series are late or busy, from times in ns; a value that is `UNKNOWN` makes
    none unreliable, and without a limit of lateness none is late.
    """
    late = np.zeros(lateness_p99_ns.shape, np.bool_) if limit_ns is None else lateness_p99_ns > limit_ns
    # Whole numbers that cannot overflow: n > 7 d / 10 for n > ⌊7 d / 10⌋.
    tens, rest = np.divmod(duration_ns, 10)
    busy = (duration_ns > 0) & (busy_ns > tens * _BUSY_TENTHS + rest * _BUSY_TENTHS // 10)
    share = busy_ns / np.maximum(duration_ns, 1) * _PARTS_PER_MILLION
    is_noted = (busy_ns != UNKNOWN) & (duration_ns > 0)
    ppm = np.where(is_noted, np.minimum(np.rint(share), 1e12), UNKNOWN).astype(np.int64)
    return UnreliableSlices(late, busy, ppm)


def late_limit_ns(thresholds_ns: Collection[int]) -> int | None:
    """Return the lateness in ns tolerated by default, a tenth of the smallest threshold; None without."""
    return min(thresholds_ns) // LATENESS_DIVISOR if thresholds_ns else None


def late_limit_of_question(threshold_ns: int) -> int:
    """Return the lateness in ns that a question about a threshold tolerates: a tenth, rounded down to 1, 2 or
    5 times a power of ten, so that every result can be computed beforehand (`compact_evidence`).
    """
    tenth = max(1, threshold_ns // LATENESS_DIVISOR)
    decade = int(10 ** (len(str(tenth)) - 1))
    return max(step * decade for step in (1, 2, 5) if step * decade <= tenth)


def unreliable_slices_of(records: IntervalRecords, limit_ns: int | None) -> UnreliableSlices:
    """Return which slices of a record are late by `limit_ns` or busy; without a limit no slice is late."""
    return unreliable_slices(records.lateness_p99_ns, records.busy_ns, records.duration_ns, limit_ns)


@dataclass(frozen=True, slots=True)
class Validity:
    """Numbers of all and of unreliable slices, and the worst values of any slice; None if not stated."""

    slices: int = 0
    late: int = 0
    busy: int = 0
    doubtful: int = 0
    """Number of slices that are late or busy."""
    lateness_p99_ns: int | None = None
    """The largest 99th percentile of lateness of any slice."""
    busy_ratio: float | None = None
    """The largest share of a slice that a measuring thread used."""
    late_limit_ns: int | None = None
    """Lateness in ns above which a slice is late; None: no slice is late."""

    @property
    def is_known(self) -> bool:
        """Whether the record states anything about its load generator."""
        return self.lateness_p99_ns is not None or self.busy_ratio is not None

    @staticmethod
    def from_records(records: IntervalRecords, limit_ns: int | None) -> "Validity":
        """Return counts and worst values over all slices. Without a limit no slice is late."""
        unreliable = unreliable_slices_of(records, limit_ns)
        lateness_ns, ppm = int(records.lateness_p99_ns.max(initial=UNKNOWN)), unreliable.busy_ppm
        return Validity(
            records.size,
            int(unreliable.late.sum()),
            int(unreliable.busy.sum()),
            int(unreliable.any.sum()),
            None if lateness_ns == UNKNOWN else lateness_ns,
            ratio_of_ppm(int(ppm.max(initial=UNKNOWN))),
            limit_ns,
        )

    @staticmethod
    def added_over_time(parts: Iterable["Validity"]) -> "Validity":
        """Return the sums of counts, the largest lateness and busy share, and the smallest limit."""
        validities = list(parts)
        return Validity(
            sum(part.slices for part in validities),
            sum(part.late for part in validities),
            sum(part.busy for part in validities),
            sum(part.doubtful for part in validities),
            *_extremes(validities),
        )

    @staticmethod
    def worst(parts: Iterable["Validity"]) -> "Validity":
        """Return the counts of the record with most unreliable slices, and the worst values of all."""
        validities = list(parts)
        if not validities:
            return Validity()
        most = max(validities, key=lambda part: (part.doubtful, part.slices))
        lateness_ns, busy_ratio, limit_ns = _extremes(validities)
        return replace(most, lateness_p99_ns=lateness_ns, busy_ratio=busy_ratio, late_limit_ns=limit_ns)

    def document(self) -> dict[str, Any]:
        """Return the JSON document of the API."""
        return {
            "slices": self.slices,
            "doubtful": self.doubtful,
            "late": self.late,
            "busy": self.busy,
            "lateness_p99_ns": self.lateness_p99_ns,
            "busy_ratio": self.busy_ratio,
            "late_limit_ns": self.late_limit_ns,
            "is_known": self.is_known,
        }

    def undecided(self) -> Judgement:
        """Return the undecided judgement that replaces a FAIL which rests on unreliable slices."""
        return undecided(Reason.GENERATOR, f"{self.text}; without them this is no FAIL", self._remedy_text())

    @property
    def text(self) -> str:
        """Number of unreliable slices and, if known, the reasons, as part of a sentence."""
        verb = "is" if self.doubtful == 1 else "are"
        why: list[str] = []
        if self.late and self.late_limit_ns is not None:
            limit, largest = latency_text(self.late_limit_ns), latency_text(self.lateness_p99_ns or 0)
            why.append(f"the load generator began 1 % of operations over {limit} late (largest {largest})")
        if self.busy:
            largest = percent_text(self.busy_ratio or 0.0)
            why.append(f"its busiest thread used more than {percent_text(BUSY_RATIO)} (largest {largest})")
        counts = f"{count_text(self.doubtful)} of {count_text(self.slices)} slices {verb} unreliable"
        return f"{counts}: {', and '.join(why)}" if why else counts

    def _remedy_text(self) -> str:
        remedies: list[str] = []
        if self.late and self.late_limit_ns is not None:
            remedies.append(f"begins 99 % of operations at most {latency_text(self.late_limit_ns)} late")
        if self.busy:
            remedies.append(f"is at most {percent_text(BUSY_RATIO)} busy")
        return f"a run whose load generator {' and '.join(remedies)} in every slice"


def confirm_fail(recorded: Judgement, at_best: Judgement, validity: Validity) -> Judgement:
    """Return a judgement unchanged unless it is a FAIL that is none with every unreliable slice at its best
    (`at_best`): it becomes undecided, or observed if only the proof is lost.
    """
    if recorded.verdict is not Verdict.FAIL:
        return recorded
    in_run = _confirm_scope(recorded.observed, at_best.observed)
    in_next = _confirm_scope(recorded.proven, at_best.proven)
    if in_run.verdict is not Verdict.FAIL:
        return replace(validity.undecided(), observed=in_run, proven=in_next)
    if recorded.strength is Strength.PROVEN and in_next.verdict is not Verdict.FAIL:
        return replace(
            recorded,
            reason_text=f"{recorded.reason_text}; {validity.text}",
            decided_by=validity._remedy_text(),
            strength=Strength.OBSERVED,
            unproven=Reason.GENERATOR,
            observed=in_run,
            proven=in_next,
        )
    return replace(recorded, observed=in_run, proven=in_next)


def _confirm_scope(recorded: Scope, at_best: Scope) -> Scope:
    """Return a scope with bounds for both; a FAIL as recorded that is none at best becomes undecided."""
    bounds = recorded.bounds and at_best.bounds and recorded.bounds.around(at_best.bounds)
    fails = recorded.verdict is Verdict.FAIL and at_best.verdict is Verdict.FAIL
    if recorded.verdict is Verdict.FAIL and not fails:
        return Scope(Verdict.INDETERMINATE, bounds)
    return Scope(recorded.verdict, bounds or recorded.bounds)


def ratio_of_ppm(ppm: int) -> float | None:
    """Return a share in millionths as a ratio; None for `UNKNOWN`."""
    return None if ppm == UNKNOWN else ppm / _PARTS_PER_MILLION


def _extremes(validities: Sequence[Validity]) -> tuple[int | None, float | None, int | None]:
    return (
        max((part.lateness_p99_ns for part in validities if part.lateness_p99_ns is not None), default=None),
        max((part.busy_ratio for part in validities if part.busy_ratio is not None), default=None),
        min((part.late_limit_ns for part in validities if part.late_limit_ns is not None), default=None),
    )
