"""Which stretches of a run are in doubt because of the generator, and what that leaves of a FAIL.

A slice is *late* when one operation in a hundred began later than a tenth of the smallest threshold that is
asked about, by the generator's own fault; it is *busy* when a measuring thread used more than 70 % of it.
Both only add to latencies: a PASS stands as recorded, and a FAIL stands where it is one with every stretch in
doubt at its best. What nobody noted is no doubt, and no proof. Source: docs/method.md 4.4; docs/adr/0017.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tailroom.domain.latency.bounds import Bools, Int64s
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.units import count_text, latency_text, percent_text
from tailroom.domain.verdicts.verdict import Judgement, Reason, Scope, Strength, Verdict, undecided

LATENESS_DIVISOR = 10
"""A tenth of the smallest threshold may be late."""
BUSY_RATIO = 0.7
"""Share of the time that a measuring thread may use."""
_BUSY_TENTHS = round(BUSY_RATIO * 10)
_PARTS_PER_MILLION = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Doubts:
    """Of each stretch: whether it is late, whether it is busy, and its busy share in millionths."""

    late: Bools
    busy: Bools
    busy_ppm: Int64s
    """`UNKNOWN` where nobody noted it."""

    @property
    def any(self) -> Bools:
        """Which stretches are in doubt."""
        found: Bools = self.late | self.busy
        return found


def doubts_of(lateness_p99_ns: Int64s, busy_ns: Int64s, duration_ns: Int64s, limit_ns: int | None) -> Doubts:
    """Return which slices of a series are late or busy; `UNKNOWN` stands for what is not on record.

    Without a limit of lateness no slice is late.
    """
    late = np.zeros(lateness_p99_ns.shape, np.bool_) if limit_ns is None else lateness_p99_ns > limit_ns
    # Whole numbers that cannot overflow: n > 7 d / 10 for n > ⌊7 d / 10⌋.
    tens, rest = np.divmod(duration_ns, 10)
    busy = (duration_ns > 0) & (busy_ns > tens * _BUSY_TENTHS + rest * _BUSY_TENTHS // 10)
    share = busy_ns / np.maximum(duration_ns, 1) * _PARTS_PER_MILLION
    known = (busy_ns != UNKNOWN) & (duration_ns > 0)
    ppm = np.where(known, np.minimum(np.rint(share), 1e12), UNKNOWN).astype(np.int64)
    return Doubts(late, busy, ppm)


def late_limit_ns(thresholds_ns: Collection[int]) -> int | None:
    """Return the lateness up to which a slice is not late where nothing is asked; None without threshold."""
    return min(thresholds_ns) // LATENESS_DIVISOR if thresholds_ns else None


def late_limit_of_question(threshold_ns: int) -> int:
    """Return the lateness that a question about a threshold tolerates: a tenth, rounded down to 1, 2 or 5.

    The few steps let what a question needs of a record be worked out before it is asked.
    """
    tenth = max(1, threshold_ns // LATENESS_DIVISOR)
    decade = int(10 ** (len(str(tenth)) - 1))
    return max(step * decade for step in (1, 2, 5) if step * decade <= tenth)


def doubts_of_records(records: IntervalRecords, limit_ns: int | None) -> Doubts:
    """Return which slices of a record are late or busy."""
    return doubts_of(records.lateness_p99_ns, records.busy_ns, records.duration_ns, limit_ns)


@dataclass(frozen=True, slots=True)
class Validity:
    """How many stretches of a record are in doubt, and how far the worst of them goes."""

    slices: int = 0
    late: int = 0
    busy: int = 0
    doubtful: int = 0
    """Late or busy."""
    lateness_p99_ns: int | None = None
    """The largest that was noted."""
    busy_ratio: float | None = None
    """The largest that was noted."""
    late_limit_ns: int | None = None

    @property
    def is_known(self) -> bool:
        """Whether anything was noted about the generator at all."""
        return self.lateness_p99_ns is not None or self.busy_ratio is not None

    @staticmethod
    def of_records(records: IntervalRecords, limit_ns: int | None) -> "Validity":
        """Return what slices that note their generator add up to."""
        doubts = doubts_of_records(records, limit_ns)
        lateness_ns, ppm = int(records.lateness_p99_ns.max(initial=UNKNOWN)), doubts.busy_ppm
        return Validity(
            records.size,
            int(doubts.late.sum()),
            int(doubts.busy.sum()),
            int(doubts.any.sum()),
            None if lateness_ns == UNKNOWN else lateness_ns,
            ratio_of_ppm(int(ppm.max(initial=UNKNOWN))),
            limit_ns,
        )

    @staticmethod
    def together(parts: Iterable["Validity"]) -> "Validity":
        """Stretches of several records added up."""
        known = list(parts)
        return Validity(
            sum(one.slices for one in known),
            sum(one.late for one in known),
            sum(one.busy for one in known),
            sum(one.doubtful for one in known),
            *_extremes(known),
        )

    @staticmethod
    def worst(parts: Iterable["Validity"]) -> "Validity":
        """Of records of the same time: the counts of that with most in doubt, the extremes of all."""
        known = list(parts)
        if not known:
            return Validity()
        most = max(known, key=lambda one: (one.doubtful, one.slices))
        lateness_ns, busy_ratio, limit_ns = _extremes(known)
        return replace(most, lateness_p99_ns=lateness_ns, busy_ratio=busy_ratio, late_limit_ns=limit_ns)

    def document(self) -> dict[str, Any]:
        """As the API says it."""
        return {
            "slices": self.slices,
            "doubtful": self.doubtful,
            "late": self.late,
            "busy": self.busy,
            "lateness_p99_ns": self.lateness_p99_ns,
            "busy_ratio": self.busy_ratio,
            "is_known": self.is_known,
        }

    def undecided(self) -> Judgement:
        """Return what is said instead of a FAIL that the unreliable slices are needed for."""
        return undecided(Reason.GENERATOR, f"{self.text}; without them this is no FAIL", self._cure())

    @property
    def text(self) -> str:
        """How many slices are unreliable, and why."""
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

    def _cure(self) -> str:
        cures: list[str] = []
        if self.late and self.late_limit_ns is not None:
            cures.append(f"begins 99 % of operations at most {latency_text(self.late_limit_ns)} late")
        if self.busy:
            cures.append(f"is at most {percent_text(BUSY_RATIO)} busy")
        return f"a run whose load generator {' and '.join(cures)} in every slice"


def standing(recorded: Judgement, at_best: Judgement, validity: Validity) -> Judgement:
    """Return a judgement as recorded, but for a FAIL that needs unreliable slices.

    A FAIL stands in each scope where it is one with every unreliable slice at its best as well.
    """
    if recorded.verdict is not Verdict.FAIL:
        return recorded
    in_run = _standing_scope(recorded.observed, at_best.observed)
    in_next = _standing_scope(recorded.proven, at_best.proven)
    if in_run.verdict is not Verdict.FAIL:
        return replace(validity.undecided(), observed=in_run, proven=in_next)
    if recorded.strength is Strength.PROVEN and in_next.verdict is not Verdict.FAIL:
        return replace(
            recorded,
            reason_text=f"{recorded.reason_text}; {validity.text}",
            decided_by=validity._cure(),
            strength=Strength.OBSERVED,
            unproven=Reason.GENERATOR,
            observed=in_run,
            proven=in_next,
        )
    return replace(recorded, observed=in_run, proven=in_next)


def _standing_scope(recorded: Scope, at_best: Scope) -> Scope:
    bounds = recorded.bounds and at_best.bounds and recorded.bounds.around(at_best.bounds)
    fails = recorded.verdict is Verdict.FAIL and at_best.verdict is Verdict.FAIL
    if recorded.verdict is Verdict.FAIL and not fails:
        return Scope(Verdict.INDETERMINATE, bounds)
    return Scope(recorded.verdict, bounds or recorded.bounds)


def ratio_of_ppm(ppm: int) -> float | None:
    """A share of millionths; none for `UNKNOWN`."""
    return None if ppm == UNKNOWN else ppm / _PARTS_PER_MILLION


def _extremes(parts: Iterable[Validity]) -> tuple[int | None, float | None, int | None]:
    """Largest lateness, largest busy share, smallest limit of lateness."""
    known = list(parts)
    return (
        max((one.lateness_p99_ns for one in known if one.lateness_p99_ns is not None), default=None),
        max((one.busy_ratio for one in known if one.busy_ratio is not None), default=None),
        min((one.late_limit_ns for one in known if one.late_limit_ns is not None), default=None),
    )
