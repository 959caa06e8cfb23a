"""The result of a load ladder: the loads that kept the limits, and the loads that broke them.

A ladder measures increasing loads, some of them twice (a short step, then a hold). All conditions but load
and length are equal, so a limit that any step broke is broken at that load, even if a shorter step passed;
separate tests of a drive (`interval.combine`) would leave it undecided. Only verdicts count: the generator's
own figures during the climb are no proof. Source: docs/method.md 6.4.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.domain.rating.interval import LoadState, TestedLoad, rating_of
from tailroom.domain.verdicts.verdict import Verdict


@dataclass(frozen=True, slots=True)
class LadderStep:
    """A step of a ladder with its load, a multiple of ACT's, and its final verdict; None: not judged yet."""

    load: float
    verdict: Verdict | None
    is_complete: bool
    """Whether the step ran to its end; an incomplete step can fail a load but cannot pass it."""
    is_certified: bool = False
    """Whether the step also passed for the duration of a certification."""

    @property
    def state(self) -> LoadState:
        """Result of the load of this step: FAILED for a FAIL, PASSED for a PASS of a complete step, else
        UNDECIDED.
        """
        if self.verdict is Verdict.FAIL:
            return LoadState.FAILED
        passed = self.verdict is Verdict.PASS and self.is_complete
        return LoadState.PASSED if passed else LoadState.UNDECIDED


@dataclass(frozen=True, slots=True)
class LadderFinding:
    """Loads as multiples of ACT's load; None if no step proves such a load."""

    kept_load: float | None
    """The highest load that passed, below every load that failed."""
    broken_load: float | None
    """The lowest load that failed."""
    certified_load: float | None
    """The highest load up to `kept_load` that passed for the duration of a certification."""
    every_step_passed: bool
    """Whether every step at or below `kept_load` passed; False without a kept load."""


def ladder_of(steps: Sequence[LadderStep]) -> LadderFinding:
    """Return the combined result of steps in any order."""
    states: dict[float, set[LoadState]] = {}
    for step in steps:
        states.setdefault(step.load, set()).add(step.state)
    rating = rating_of([TestedLoad(load, _combined_state(results), {}) for load, results in states.items()])
    passed_load = rating.passed_load
    below = [] if passed_load is None else [step for step in steps if step.load <= passed_load]
    certified = [step.load for step in below if step.is_certified and step.state is LoadState.PASSED]
    return LadderFinding(
        passed_load,
        rating.failed_load,
        max(certified, default=None),
        bool(below) and all(step.state is LoadState.PASSED for step in below),
    )


def _combined_state(states: set[LoadState]) -> LoadState:
    """Return the combined result of steps at one load: failed if any failed, else passed if any passed."""
    for state in (LoadState.FAILED, LoadState.PASSED):
        if state in states:
            return state
    return LoadState.UNDECIDED
