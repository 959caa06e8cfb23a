"""Whether a measured configuration would have carried a load that was counted in production.

A record holds for the load at which it was taken. That it would also have met a lower load follows only if
more load never shortens latencies, which every answer states as an assumption. So a PASS at the needed rate
or above carries the load, a FAIL at or below that rate does not, and everything else is not shown. The needed
rate is that of the busiest recorded interval: within it the load may have been higher for a shorter time.
Source: docs/method.md section 1.8.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from tailroom.domain.units import NS_PER_S, duration_text
from tailroom.domain.verdicts.budget_kinds import OPERATIONS_PER_S
from tailroom.domain.verdicts.evidence import OperationEvidence, RateBounds
from tailroom.domain.verdicts.rates import rate_text, rates_text
from tailroom.domain.verdicts.verdict import Verdict

MORE_LOAD_IS_SLOWER = "a lower load is taken to be served no slower than the measured one"
BUSIEST_IS_A_MEAN = "within the busiest stretch the load may have been higher for a shorter time"
MIX_IS_UNKNOWN = (
    "what the requests read and wrote, and how large it was, is not in a histogram of times: the measured "
    "operations stand for them"
)


class Carried(StrEnum):
    """Whether a configuration would have carried a load."""

    YES = "yes"
    NO = "no"
    NOT_SHOWN = "not_shown"


@dataclass(frozen=True, slots=True)
class CountedLoad:
    """Requests per second that were counted in production, on average and in the busiest interval.
    `stretches` is the number of intervals of known duration. The start is in ns from that of the run.
    """

    mean_per_s: float
    busiest_per_s: float
    busiest_start_ns: int
    busiest_duration_ns: int
    stretches: int


@dataclass(frozen=True, slots=True)
class CarriedAnswer:
    """Whether a configuration carries the load, with the reason as a sentence."""

    carried: Carried
    text: str


def counted_load(operation: OperationEvidence) -> CountedLoad | None:
    """Return the load counted in production; None without requests in slices of known duration."""
    course = operation.course
    if course is None or not course.size:
        return None
    lasted_s = course.duration_ns / NS_PER_S
    timed = lasted_s > 0.0
    totals = course.totals
    if not timed.any() or not totals[timed].sum():
        return None
    rates = np.where(timed, totals / np.where(timed, lasted_s, 1.0), 0.0)
    busiest = int(np.argmax(rates))
    return CountedLoad(
        float(totals[timed].sum() / lasted_s[timed].sum()),
        float(rates[busiest]),
        int(course.start_ns[busiest]),
        int(course.duration_ns[busiest]),
        int(timed.sum()),
    )


def load_of_record(operation: OperationEvidence) -> RateBounds | None:
    """Return the rate per second at which a record was taken: without failed operations (lower) and with them
    (upper), else the load that the source states; None if it states none.
    """
    total = operation.record.total
    if total is None or operation.measured_ns <= 0:
        stated = operation.load_per_s
        return None if stated is None else RateBounds(stated, stated)
    lasted_s = operation.measured_ns / NS_PER_S
    return RateBounds((total - operation.record.misses.total) / lasted_s, total / lasted_s)


def carries(
    verdict: Verdict, reason_text: str | None, measured: RateBounds | None, needed_per_s: float
) -> CarriedAnswer:
    """Return whether a record shows that its configuration carries the needed rate: YES for a PASS at that
    rate or above, NO for a FAIL at that rate or below, else NOT_SHOWN. `measured` is the load of the record
    (`load_of_record`, None if unknown), `reason_text` the reason of an undecided verdict.
    """
    needed = rate_text(OPERATIONS_PER_S, needed_per_s)
    reason = reason_text or "the reason is not stated"
    if measured is None:
        unknown = "the load at which it was measured is not on record"
        why = reason if verdict is Verdict.INDETERMINATE else unknown
        return CarriedAnswer(Carried.NOT_SHOWN, f"{verdict.value}: {why}.")
    at = rates_text(OPERATIONS_PER_S, measured)
    if verdict is Verdict.PASS:
        if measured.lower >= needed_per_s:
            return CarriedAnswer(Carried.YES, f"It passes at {at}; {needed} were needed.")
        return CarriedAnswer(
            Carried.NOT_SHOWN, f"It passes at {at}, and {needed} were needed: measure it at that load."
        )
    if verdict is Verdict.FAIL:
        if measured.upper <= needed_per_s:
            return CarriedAnswer(Carried.NO, f"It fails at {at} already; {needed} were needed.")
        return CarriedAnswer(
            Carried.NOT_SHOWN,
            f"It fails at {at}, which is more than the {needed} that were needed: measure it at that load.",
        )
    return CarriedAnswer(Carried.NOT_SHOWN, f"Undecided at {at}: {reason}.")


def combined_answer(answers: Sequence[CarriedAnswer]) -> CarriedAnswer:
    """Return the answer of several tests of one configuration: the first YES, else the first NO, else the
    first. It is NOT_SHOWN without a test, or if YES and NO both occur.
    """
    first_of = {answer.carried: answer for answer in reversed(answers)}
    if {Carried.YES, Carried.NO} <= first_of.keys():
        return CarriedAnswer(
            Carried.NOT_SHOWN,
            "One of its tests carries the load, and another fails at or below it: their conditions decide.",
        )
    untested = CarriedAnswer(Carried.NOT_SHOWN, "No test of it is on record.")
    return next((first_of[outcome] for outcome in Carried if outcome in first_of), untested)


def stretches_text(load: CountedLoad) -> str:
    """Return the load as text: `340/s on average, 1.2 thousand/s in the busiest 15 s`."""
    mean, most = (rate_text(OPERATIONS_PER_S, rate) for rate in (load.mean_per_s, load.busiest_per_s))
    return f"{mean} on average, {most} in the busiest {duration_text(load.busiest_duration_ns)}"
