"""What somebody states about result files that leave it open: their unit, what was timed, and the load."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.domain.verdicts.unknown_conditions import (
    CLOSED,
    LATENCY_UNIT,
    LOOP,
    LOOPS,
    OPERATION,
    OTHER_NAMES,
    UNITS_NS,
    UNNAMED,
)
from tailroom.importers.parsed_run import ParsedRun


class AnswersInvalid(DomainError):
    """Answers that are none: an unknown fact, unit or loop."""


@dataclass(frozen=True, slots=True)
class Answers:
    """None: not answered. They hold for whatever of the files does not state the fact itself."""

    unit: str | None = None
    """By the name that runs give it: `ns`, `µs`, `ms`, `s`."""
    operation: str | None = None
    loop: str | None = None

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Answers":
        """From the names of disclosure fields; other facts decide nothing here. Raises AnswersInvalid."""
        found = {name: document.get(name) for name in (LATENCY_UNIT, OPERATION, LOOP)}
        unit, operation, loop = (None if one is None else str(one) for one in found.values())
        unit = OTHER_NAMES.get(unit, unit) if unit is not None else None
        if (unit is not None and unit not in UNITS_NS) or (loop is not None and loop not in LOOPS):
            raise AnswersInvalid(f"answers about files name no unit or load: {dict(found)}")
        return cls(unit, operation, loop)

    def document(self) -> dict[str, str]:
        """What was answered, by the names of disclosure fields."""
        every = {LATENCY_UNIT: self.unit, OPERATION: self.operation, LOOP: self.loop}
        return {name: value for name, value in every.items() if value is not None}

    @property
    def unit_ns(self) -> int | None:
        """Nanoseconds of the unit."""
        return None if self.unit is None else UNITS_NS[self.unit]

    def applied(self, runs: Sequence[ParsedRun]) -> list[ParsedRun]:
        """The runs with what is answered. A unit counts where the files were read with it."""
        return [self._applied(run) for run in runs]

    def _applied(self, run: ParsedRun) -> ParsedRun:
        known = set[str]()
        if self.loop is not None and LOOP in run.missing:
            run = replace(run, closed_loop=self.loop == CLOSED)
            known.add(LOOP)
        if self.operation is not None and OPERATION in run.missing:
            name = self.operation
            series = tuple(
                replace(one, operation=name) if one.operation == UNNAMED else one for one in run.series
            )
            run = replace(run, series=series)
            known.add(OPERATION)
        if self.unit is not None and run.parameters.get("latency_unit") == self.unit:
            # Formats that take another unit when they are told have done so while they were read.
            known.add(LATENCY_UNIT)
        return replace(run, missing=tuple(one for one in run.missing if one not in known)) if known else run


NOTHING = Answers()
