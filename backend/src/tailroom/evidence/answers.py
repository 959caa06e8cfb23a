"""Facts that an uploader states about result files that omit them: unit, timed operation, and load."""

from collections.abc import Mapping
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
    """An answer has an unknown unit or loop."""


@dataclass(frozen=True, slots=True)
class Answers:
    """Facts that a person stated about a file, used only if the file states none; None: not stated."""

    unit: str | None = None
    """Unit of latencies by its usual name: `ns`, `µs`, `ms`, `s`."""
    operation: str | None = None
    loop: str | None = None
    """Kind of load: `open` or `closed` loop."""

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "Answers":
        """Return the answers in a document of disclosure fields. Raise AnswersInvalid."""
        facts = {name: document.get(name) for name in (LATENCY_UNIT, OPERATION, LOOP)}
        unit, operation, loop = (None if value is None else str(value) for value in facts.values())
        unit = OTHER_NAMES.get(unit, unit) if unit is not None else None
        if (unit is not None and unit not in UNITS_NS) or (loop is not None and loop not in LOOPS):
            raise AnswersInvalid(f"answers about files name no unit or load: {dict(facts)}")
        return cls(unit, operation, loop)

    def document(self) -> dict[str, str]:
        """Return the answers by the names of disclosure fields, without facts that are not stated."""
        every = {LATENCY_UNIT: self.unit, OPERATION: self.operation, LOOP: self.loop}
        return {name: value for name, value in every.items() if value is not None}

    @property
    def unit_ns(self) -> int | None:
        """Nanoseconds of the unit; None if no unit is stated."""
        return None if self.unit is None else UNITS_NS[self.unit]

    def apply(self, run: ParsedRun) -> ParsedRun:
        """Return the run with the answers in place of facts that its file does not state, which are removed
        from `missing` and added to `answered`. Only series without a name take the operation. A unit counts
        only if the file was read with it; latencies are not converted.
        """
        applied: dict[str, str] = {}
        if self.loop is not None and LOOP in run.missing:
            run = replace(run, closed_loop=self.loop == CLOSED)
            applied[LOOP] = self.loop
        if self.operation is not None and OPERATION in run.missing:
            name = self.operation
            series = tuple(
                replace(series, operation=name) if series.operation == UNNAMED else series
                for series in run.series
            )
            run = replace(run, series=series)
            applied[OPERATION] = name
        if self.unit is not None and run.parameters.get("latency_unit") == self.unit:
            applied[LATENCY_UNIT] = self.unit
        missing = tuple(name for name in run.missing if name not in applied)
        return replace(run, missing=missing, answered=applied)


NO_ANSWERS = Answers()
