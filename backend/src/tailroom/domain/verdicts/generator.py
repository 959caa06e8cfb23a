"""Whether the intended load was applied: a generator that fell behind or lost records cannot show a PASS.

Too little load flatters the measured system, so a FAIL under it stands; too much load is unfair to it, so a
FAIL under it does not. A generator that waits for each answer before it sends the next request (closed loop)
applies too little load exactly while the system is slow: its run can PASS for itself, but proves nothing
about requests that would have waited. Source: docs/method.md sections 4.3, 4.4 and 11.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from tailroom.domain.units import count_text, percent_text
from tailroom.domain.verdicts.verdict import Bounds, Reason, Uncertainty

_TOLERANCE_RATIO = 0.01
"""Relative difference of counted and intended operations that is tolerated."""
_UNDER_WAY_ALLOWANCE = 8
"""Operations that may be in flight at the end of the last interval and not counted yet."""
_STEADY_RUN = "a run whose generator keeps its schedule within 1 %"


@dataclass(frozen=True, slots=True)
class GeneratedLoad:
    """The load that was applied: the number of operations that the schedule intended (None: not recorded),
    the number that was counted, and the number of intervals of the record that have not arrived.
    """

    intended: int | None
    counted: int
    missing_intervals: int = 0
    closed_loop: bool = False
    """Whether each request waited for the last answer, so that waiting requests are not recorded."""
    fell_behind: str | None = None
    """The tool's statement that it did not keep its schedule, as text; None if it states no such thing."""
    is_production: bool = False
    """Whether real clients sent the requests, so that neither an intended number nor waiting is recorded."""

    @property
    def allowance(self) -> float:
        """Number of operations by which counted and intended may differ: 1 % of the intended, at least 8."""
        return max(_TOLERANCE_RATIO * (self.intended or 0), _UNDER_WAY_ALLOWANCE)

    @property
    def is_too_little(self) -> bool:
        """Whether less load than intended was issued, by counts or by the tool, or intervals are missing."""
        return (
            self.missing_intervals > 0
            or self.fell_behind is not None
            or (self.intended is not None and self.counted < self.intended - self.allowance)
        )

    @property
    def is_too_much(self) -> bool:
        """Whether more load than intended was issued; False if the intended number is not recorded."""
        return self.intended is not None and self.counted > self.intended + self.allowance

    @property
    def is_unreliable(self) -> bool:
        """Whether the load may prevent a decision: too little, too much, a closed loop, or production."""
        return self.is_too_little or self.is_too_much or self.closed_loop or self.is_production

    def observed(self, bounds: Bounds) -> Bounds:
        """Return bounds of the share that meets the objective in this run: a lower bound of 0 for too little
        load, no bounds for too much or for missing intervals.
        """
        return Bounds(
            0.0 if self.is_too_little or self.is_too_much else bounds.lower,
            1.0 if self.is_too_much or self.missing_intervals else bounds.upper,
        )

    def proven(self, bounds: Bounds) -> Bounds:
        """Return proven bounds, widened as in `observed`. A closed loop proves no PASS, and production
        nothing, because another load may come.
        """
        if self.is_production:
            return Bounds(0.0, 1.0)
        remaining = self.observed(bounds)
        return replace(remaining, lower=0.0) if self.closed_loop else remaining

    def undecided_by(self, others: Sequence[Uncertainty], without: Bounds) -> list[Uncertainty]:
        """Return the causes of wide bounds in this run: `others`, widened as in `observed`, and those in the
        load. `without` are the bounds that a reliable load would give.
        """
        remaining = [replace(cause, without=self.observed(cause.without)) for cause in others]
        return [*remaining, *self.causes(without)]

    def unproven_by(self, others: Sequence[Uncertainty], without: Bounds) -> list[Uncertainty]:
        """Return the causes of wide proven bounds, as `undecided_by`. Production and closed loop count only
        if the load was neither too little nor too much.
        """
        remaining = [replace(cause, without=self.proven(cause.without)) for cause in others]
        causes = self.causes(without)
        cause = partial(Uncertainty, Reason.GENERATOR, without)
        if not causes and self.is_production:
            text = "production: the load was what real clients sent, and is not on record"
            remaining.append(cause(text, "a run at a stated load"))
        if not causes and self.closed_loop:
            text = "closed loop: requests that would have waited are not in the record"
            remaining.append(
                cause(text, "a run at a fixed arrival rate, with times counted from the schedule")
            )
        return [*remaining, *causes]

    def causes(self, without: Bounds) -> list[Uncertainty]:
        """Return the reason that the load of this run is too little or too much, if it is."""
        way_out = _STEADY_RUN
        if self.missing_intervals:
            text = f"{count_text(self.missing_intervals)} intervals of the record have not arrived"
            way_out = "the missing intervals: `tailroom-agent drain` sends what the agent still holds"
        elif self.fell_behind is not None:
            text = self.fell_behind
        elif (self.is_too_little or self.is_too_much) and self.intended is not None:
            share = percent_text(self.counted / self.intended) if self.intended else "more than 100 %"
            text = f"the generator applied {share} of the intended load; more than 1 % off decides nothing"
        else:
            return []
        return [Uncertainty(Reason.GENERATOR, without, text, way_out)]
