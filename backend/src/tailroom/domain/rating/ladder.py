"""What the verdicts of a load ladder prove together: which loads kept the limits, and which broke them.

A ladder measures one load after another, some of them twice (raised to, then held). All conditions but load
and length are the same, so a limit that was broken in one step is broken at that load, whatever a shorter
step says; separate tests of a drive (`interval.combine`) would leave it undecided. Only verdicts count: what
the generator made of its own figures while it climbed is no proof. Source: docs/method.md 6.4.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.domain.rating.interval import LoadState, TestedLoad, rating_of
from tailroom.domain.verdicts.verdict import Verdict


@dataclass(frozen=True, slots=True)
class LadderStep:
    """One step with its final verdict; none where there is none yet."""

    load: float
    verdict: Verdict | None
    is_complete: bool
    """It ran to its end: one that was cut short breaks a limit as any other, but proves no load."""
    is_certified: bool = False

    @property
    def state(self) -> LoadState:
        """What the step says of its load."""
        if self.verdict is Verdict.FAIL:
            return LoadState.FAILED
        passed = self.verdict is Verdict.PASS and self.is_complete
        return LoadState.PASSED if passed else LoadState.UNDECIDED


@dataclass(frozen=True, slots=True)
class LadderFinding:
    """Loads as multiples; none where no step proves one."""

    kept_load: float | None
    """The highest load that passed below every load that failed."""
    broken_load: float | None
    """The lowest load that failed."""
    certified_load: float | None
    """The highest of the kept loads that was also held for as long as a certification takes."""
    every_step_passed: bool
    """Every step at or below the kept load passed; False where there is no kept load."""


def ladder_of(steps: Sequence[LadderStep]) -> LadderFinding:
    """What steps in any order prove together."""
    states: dict[float, set[LoadState]] = {}
    for step in steps:
        states.setdefault(step.load, set()).add(step.state)
    rating = rating_of([TestedLoad(load, _together(found), {}) for load, found in states.items()])
    kept = rating.passed_load
    below = [] if kept is None else [step for step in steps if step.load <= kept]
    certified = [step.load for step in below if step.is_certified and step.state is LoadState.PASSED]
    return LadderFinding(
        kept,
        rating.failed_load,
        max(certified, default=None),
        bool(below) and all(step.state is LoadState.PASSED for step in below),
    )


def _together(states: set[LoadState]) -> LoadState:
    for state in (LoadState.FAILED, LoadState.PASSED):
        if state in states:
            return state
    return LoadState.UNDECIDED
