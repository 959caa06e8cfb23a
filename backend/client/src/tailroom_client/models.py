"""What the client answers with. Fields that a newer server adds are left out; `raw` has the whole answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

Word = Literal["PASS", "FAIL", "INDETERMINATE"]
Strength = Literal["proven", "observed"]
Json = Mapping[str, Any]


class MissingFromRun(LookupError):
    """An operation or a quantity that a run does not have; the message says what it has."""


@dataclass(frozen=True, slots=True)
class VerdictWord:
    """A verdict in a list."""

    budget_name: str
    budget_title: str
    verdict: Word
    strength: Strength | None
    words: str | None
    reason: str | None
    provisional: bool

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        return cls(
            found["budget_name"],
            found["budget_title"],
            found["verdict"],
            found.get("strength"),
            found.get("words"),
            found["reason"],
            found["provisional"],
        )


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run in a list."""

    run_id: UUID
    title: str
    workload: str
    state: str
    outcome: str | None
    started_at: datetime
    measured_duration_ns: int | None
    host_name: str | None
    tool: str | None
    tool_version: str | None
    visibility: str
    verdicts: tuple[VerdictWord, ...]
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        return cls(verdicts=tuple(VerdictWord.of(one) for one in found["verdicts"]), **_of_run(found))


@dataclass(frozen=True, slots=True)
class Headline:
    """The number of a verdict: what was found, between two ends, beside what is asked."""

    text: str
    lower: float | None
    upper: float | None
    asked: float | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict with everything that it rests on in `raw`."""

    budget_name: str
    verdict: Word
    strength: Strength | None
    """How far it carries; None where undecided."""
    words: str | None
    """Verdict and strength as a person reads them."""
    reason_text: str | None
    headline: Headline | None
    provisional: bool
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        headline = found["headline"]
        names = ("text", "lower", "upper", "asked")
        return cls(
            found["budget"]["name"],
            found["verdict"],
            found.get("strength"),
            found.get("words"),
            found["reason_text"],
            None if headline is None else Headline(*(headline[name] for name in names)),
            found["provisional"],
            found,
        )


@dataclass(frozen=True, slots=True)
class Run:
    """A run with its verdicts, the answer first."""

    run_id: UUID
    title: str
    workload: str
    state: str
    outcome: str | None
    started_at: datetime
    measured_duration_ns: int | None
    host_name: str | None
    tool: str | None
    tool_version: str | None
    visibility: str
    target_name: str | None
    host: Json
    plan: Json
    verdicts: tuple[Verdict, ...]
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        return cls(
            target_name=found["target_name"],
            host=found["host"],
            plan=found["plan"],
            verdicts=tuple(Verdict.of(one) for one in found["verdicts"]),
            **_of_run(found),
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """A quantity: the ends that the record holds for certain, and limits with chance where they are known."""

    quantity: str
    lower: float
    upper: float | None
    lower_limit: float | None
    upper_limit: float | None
    why_no_limits: str

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        return cls(**{name: found[name] for name in cls.__slots__})


@dataclass(frozen=True, slots=True)
class OperationFigures:
    """Figures of one operation on one clock."""

    operation: str
    clock: str
    samples: int | None
    figures: tuple[Figure, ...]

    def figure(self, quantity: str) -> Figure:
        """One of them, such as `latency_p99_ns`. Raises MissingFromRun."""
        for one in self.figures:
            if one.quantity == quantity:
                return one
        raise MissingFromRun(f"no {quantity}; there is {', '.join(one.quantity for one in self.figures)}")


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a run."""

    run_id: UUID
    operations: tuple[OperationFigures, ...]

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        return cls(
            UUID(found["run_id"]),
            tuple(
                OperationFigures(
                    one["operation"],
                    one["clock"],
                    one["samples"],
                    tuple(Figure.of(figure) for figure in one["figures"]),
                )
                for one in found["operations"]
            ),
        )

    def of_operation(self, operation: str, clock: str | None = None) -> OperationFigures:
        """One operation, on the first clock that it has where none is named. Raises MissingFromRun."""
        for one in self.operations:
            if one.operation == operation and clock in {None, one.clock}:
                return one
        there = ", ".join(f"{one.operation} ({one.clock})" for one in self.operations)
        raise MissingFromRun(f"no {operation}; there is {there or 'nothing'}")


@dataclass(frozen=True, slots=True)
class QuantilePoint:
    """A quantile between the edges of the bucket that holds it."""

    quantile: float
    lower_ns: int
    upper_ns: int | None


@dataclass(frozen=True, slots=True)
class Curve:
    """Percentiles of one operation on one clock."""

    operation: str
    clock: str
    count: int | None
    miss_count: int
    points: tuple[QuantilePoint, ...]

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        points = (QuantilePoint(one["quantile"], one["lower_ns"], one["upper_ns"]) for one in found["points"])
        return cls(found["operation"], found["clock"], found["count"], found["miss_count"], tuple(points))


@dataclass(frozen=True, slots=True)
class Gain:
    """How one quantity differs from the base: limits of new / base."""

    quantity: str
    ratio_lower: float | None
    ratio_upper: float | None
    significant: bool
    effect: str
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        ratio = found["ratio_lower"], found["ratio_upper"]
        return cls(found["quantity"], *ratio, found["significant"], found["effect"], found)


@dataclass(frozen=True, slots=True)
class Pair:
    """A subject against the base."""

    verdict: str
    headline: str
    comparable: bool
    reasons: tuple[str, ...]
    gains: tuple[Gain, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Subjects against the first of them."""

    operation: str
    pairs: tuple[Pair, ...]
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        pairs = (
            Pair(
                one["verdict"],
                one["headline"],
                one["comparable"],
                tuple(str(reason) for reason in one["reasons"]),
                tuple(Gain.of(gain) for gain in one["gains"]),
            )
            for one in found["pairs"]
        )
        return cls(found["operation"], tuple(pairs), found)


@dataclass(frozen=True, slots=True)
class BaselineComparison:
    """A run against the runs of a branch; `basis`: `history`, or the `latest_run` alone."""

    branch: str
    verdict: str
    basis: str
    comparison: Comparison
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        compared = Comparison.of(found["comparison"])
        return cls(found["branch"], found["verdict"], found["basis"], compared, found)


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A drive under one set of conditions: holds `passed_load`, fails `failed_load`; none: not shown."""

    drive_slug: str
    drive: str
    passed_load: float | None
    failed_load: float | None
    rank_best: int | None
    rank_worst: int | None
    visibility: str
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        drive, rating, rank = found["drive"], found["rating"], found["rank"] or {}
        return cls(
            drive["slug"],
            f"{drive['vendor']} {drive['name']}",
            rating["passed_load"],
            rating["failed_load"],
            rank.get("best"),
            rank.get("worst"),
            found["visibility"],
            found,
        )


@dataclass(frozen=True, slots=True)
class WithdrawnTest:
    """What is left of a test that was public."""

    drive_slug: str
    drive: str
    load: float
    run_id: UUID | None
    withdrawn_at: datetime | None
    reason: str | None
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        drive, run_id, at = found["drive"], found["run_id"], found["withdrawn_at"]
        return cls(
            drive["slug"],
            f"{drive['vendor']} {drive['name']}",
            found["load"],
            None if run_id is None else UUID(run_id),
            None if at is None else datetime.fromisoformat(at),
            found["reason"],
            found,
        )


@dataclass(frozen=True, slots=True)
class Watch:
    """A watched configuration with the verdict on its latest run."""

    watch_id: UUID
    name: str
    budget_name: str
    verdict: Word | None
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        return cls(UUID(found["watch_id"]), found["name"], found["budget_name"], found["verdict"], found)


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """A run of a trend; `facts_changed` against the run before, as (name, before, after)."""

    run_id: UUID
    title: str
    started_at: datetime
    verdict: Word
    strength: Strength | None
    words: str | None
    figures: tuple[Figure, ...]
    facts_changed: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Trend:
    """A watched configuration over its runs; `steps` says from which run on a quantity has another level."""

    name: str
    operation: str | None
    points: tuple[TrendPoint, ...]
    steps: tuple[tuple[str, UUID], ...]
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, found: Json) -> Self:
        """Of an answer of the API."""
        points = (
            TrendPoint(
                UUID(one["run_id"]),
                one["title"],
                datetime.fromisoformat(one["started_at"]),
                one["verdict"],
                one.get("strength"),
                one.get("words"),
                tuple(Figure.of(figure) for figure in one["figures"]),
                tuple((fact["name"], fact["before"], fact["after"]) for fact in one["facts_changed"]),
            )
            for one in found["points"]
        )
        steps = tuple((one["quantity"], UUID(one["run_id"])) for one in found["steps"])
        return cls(found["name"], found["operation"], tuple(points), steps, found)


def _of_run(found: Json) -> dict[str, Any]:
    names = ("title", "workload", "state", "outcome", "measured_duration_ns", "host_name", "tool")
    return {
        "run_id": UUID(found["run_id"]),
        "started_at": datetime.fromisoformat(found["started_at"]),
        "raw": found,
        **{name: found[name] for name in (*names, "tool_version", "visibility")},
    }
