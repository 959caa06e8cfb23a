"""Whether the load was really applied: a generator that fell behind or lost records cannot prove a PASS.

Too little load flatters the measured thing, so a FAIL under it stands; too much load is unfair to it, so a
FAIL under it does not. A generator that waits for each answer before it sends the next request (closed loop)
applies too little load exactly while the measured thing is slow. Source: docs/method.md sections 4.3 and 4.4.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tailroom.domain.units import count_text, percent_text
from tailroom.domain.verdicts.verdict import Doubt, Ends, Reason

_TOLERANCE_RATIO = 0.01
_UNDER_WAY_ALLOWANCE = 8
"""Operations that may be under way at the last interval's edge without being counted yet."""
_STEADY = "a run whose generator keeps its schedule within 1 %"


@dataclass(frozen=True, slots=True)
class Generation:
    """Operations that the schedule intended (none: not on record) and that were counted, and lost records."""

    intended: int | None
    counted: int
    missing_intervals: int = 0
    closed_loop: bool = False
    """The next operation waited for the answer: time that requests would have waited is not on record."""
    fell_behind: str | None = None
    """In words, that the tool itself says it did not keep its schedule."""

    @property
    def allowance(self) -> float:
        """Operations by which counted and intended may differ."""
        return max(_TOLERANCE_RATIO * (self.intended or 0), _UNDER_WAY_ALLOWANCE)

    @property
    def is_too_little(self) -> bool:
        """Less load than intended, none while it was slow, or parts of the record are missing."""
        return (
            self.missing_intervals > 0
            or self.closed_loop
            or self.fell_behind is not None
            or (self.intended is not None and self.counted < self.intended - self.allowance)
        )

    @property
    def is_too_much(self) -> bool:
        """More load than intended."""
        return self.intended is not None and self.counted > self.intended + self.allowance

    def widened(self, ends: Ends) -> Ends:
        """Ends that remain when the load cannot be trusted."""
        return Ends(
            0.0 if self.is_too_little or self.is_too_much else ends.lower,
            1.0 if self.is_too_much or self.missing_intervals else ends.upper,
        )

    def beside(self, others: Sequence[Doubt], without: Ends) -> list[Doubt]:
        """Other doubts, none of which goes away with its removal while the load is doubtful, and that one."""
        kept = [replace(doubt, without=self.widened(doubt.without)) for doubt in others]
        return [*kept, *self.doubts(without)]

    def doubts(self, without: Ends) -> list[Doubt]:
        """The doubt about the load, if there is one."""
        if self.missing_intervals:
            return [
                Doubt(
                    Reason.GENERATOR,
                    without,
                    f"{count_text(self.missing_intervals)} intervals of the record have not arrived",
                    "the missing intervals: `tailroom-agent drain` sends what the agent still holds",
                )
            ]
        if self.fell_behind is not None:
            return [Doubt(Reason.GENERATOR, without, self.fell_behind, _STEADY)]
        if self.closed_loop:
            return [
                Doubt(
                    Reason.GENERATOR,
                    without,
                    "the generator waited for each answer before it sent the next request (closed loop): "
                    "requests that would have waited are not on record, so this proves no PASS",
                    "a run at a fixed arrival rate, with times counted from the schedule",
                )
            ]
        if not (self.is_too_little or self.is_too_much) or self.intended is None:
            return []
        share = percent_text(self.counted / self.intended) if self.intended else "more than 100 %"
        return [
            Doubt(
                Reason.GENERATOR,
                without,
                f"the generator applied {share} of the intended load; more than 1 % off proves nothing",
                _STEADY,
            )
        ]
