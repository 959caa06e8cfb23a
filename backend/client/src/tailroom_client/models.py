"""Responses as the client returns them.

Fields that a newer server adds have no attribute; where there is `raw`, it holds the whole response.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

Word = Literal["PASS", "FAIL", "INDETERMINATE"]
Strength = Literal["proven", "observed"]
Json = Mapping[str, Any]


class MissingFromRun(LookupError):
    """A run lacks the operation or quantity; the message lists those it has."""


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
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        return cls(
            document["budget_name"],
            document["budget_title"],
            document["verdict"],
            document.get("strength"),
            document.get("words"),
            document["reason"],
            document["provisional"],
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
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        return cls(
            verdicts=tuple(VerdictWord.of(verdict) for verdict in document["verdicts"]), **_of_run(document)
        )


@dataclass(frozen=True, slots=True)
class RunPage:
    """The first runs of a list."""

    runs: tuple[RunSummary, ...]
    has_more: bool


@dataclass(frozen=True, slots=True)
class Headline:
    """The number of a verdict: the measured interval beside the limit or objective."""

    text: str
    lower: float | None
    upper: float | None
    asked: float | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict; its evidence is in `raw`."""

    budget_name: str
    verdict: Word
    strength: Strength | None
    """Whether the verdict is proven, or observed in this run only; None if undecided."""
    words: str | None
    """Verdict and strength as text."""
    reason_text: str | None
    headline: Headline | None
    provisional: bool
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        headline = document["headline"]
        names = ("text", "lower", "upper", "asked")
        return cls(
            document["budget"]["name"],
            document["verdict"],
            document.get("strength"),
            document.get("words"),
            document["reason_text"],
            None if headline is None else Headline(*(headline[name] for name in names)),
            document["provisional"],
            document,
        )


@dataclass(frozen=True, slots=True)
class Run:
    """A run with its verdicts."""

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
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        return cls(
            target_name=document["target_name"],
            host=document["host"],
            plan=document["plan"],
            verdicts=tuple(Verdict.of(verdict) for verdict in document["verdicts"]),
            **_of_run(document),
        )


@dataclass(frozen=True, slots=True)
class Figure:
    """A quantity: bounds of the value in this run, and confidence limits if known.

    `upper` is None if unbounded; `why_no_limits` is the reason if a confidence limit is missing.
    """

    quantity: str
    lower: float
    upper: float | None
    lower_limit: float | None
    upper_limit: float | None
    why_no_limits: str

    @classmethod
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        return cls(**{name: document[name] for name in cls.__slots__})


@dataclass(frozen=True, slots=True)
class OperationFigures:
    """Figures of one operation on one clock."""

    operation: str
    clock: str
    samples: int | None
    figures: tuple[Figure, ...]

    def figure(self, quantity: str) -> Figure:
        """Return the figure of a quantity such as `latency_p99_ns`. Raise MissingFromRun."""
        for figure in self.figures:
            if figure.quantity == quantity:
                return figure
        raise MissingFromRun(
            f"no {quantity}; there is {', '.join(figure.quantity for figure in self.figures)}"
        )


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of a run."""

    run_id: UUID
    operations: tuple[OperationFigures, ...]

    @classmethod
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        return cls(
            UUID(document["run_id"]),
            tuple(
                OperationFigures(
                    operation["operation"],
                    operation["clock"],
                    operation["samples"],
                    tuple(Figure.of(figure) for figure in operation["figures"]),
                )
                for operation in document["operations"]
            ),
        )

    def of_operation(self, operation: str, clock: str | None = None) -> OperationFigures:
        """Return the figures of an operation; without `clock`, on its first clock. Raise MissingFromRun."""
        for figures in self.operations:
            if figures.operation == operation and clock in {None, figures.clock}:
                return figures
        there = ", ".join(f"{figures.operation} ({figures.clock})" for figures in self.operations)
        raise MissingFromRun(f"no {operation}; there is {there or 'nothing'}")


@dataclass(frozen=True, slots=True)
class QuantilePoint:
    """A quantile, bounded by the edges of its bucket; `upper_ns` is None if unbounded."""

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
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        points = (
            QuantilePoint(point["quantile"], point["lower_ns"], point["upper_ns"])
            for point in document["points"]
        )
        return cls(
            document["operation"], document["clock"], document["count"], document["miss_count"], tuple(points)
        )


@dataclass(frozen=True, slots=True)
class Gain:
    """The difference of one quantity from the base: limits of the ratio new / base."""

    quantity: str
    ratio_lower: float | None
    ratio_upper: float | None
    significant: bool
    effect: str
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        ratio = document["ratio_lower"], document["ratio_upper"]
        return cls(document["quantity"], *ratio, document["significant"], document["effect"], document)


@dataclass(frozen=True, slots=True)
class Pair:
    """A comparison of a subject with the base."""

    verdict: str
    headline: str
    comparable: bool
    reasons: tuple[str, ...]
    gains: tuple[Gain, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of subjects with the first of them."""

    operation: str
    pairs: tuple[Pair, ...]
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        pairs = (
            Pair(
                pair["verdict"],
                pair["headline"],
                pair["comparable"],
                tuple(str(reason) for reason in pair["reasons"]),
                tuple(Gain.of(gain) for gain in pair["gains"]),
            )
            for pair in document["pairs"]
        )
        return cls(document["operation"], tuple(pairs), document)


@dataclass(frozen=True, slots=True)
class BaselineComparison:
    """A comparison of a run with the runs of a branch; `basis` is `history`, `runs`, or `latest_run`."""

    branch: str
    verdict: str
    basis: str
    comparison: Comparison
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        compared = Comparison.of(document["comparison"])
        return cls(document["branch"], document["verdict"], document["basis"], compared, document)


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A drive under one set of conditions: holds `passed_load`, fails `failed_load`; None if not shown."""

    drive_slug: str
    drive: str
    passed_load: float | None
    failed_load: float | None
    rank_best: int | None
    rank_worst: int | None
    visibility: str
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        drive, rating, rank = document["drive"], document["rating"], document["rank"] or {}
        return cls(
            drive["slug"],
            f"{drive['vendor']} {drive['name']}",
            rating["passed_load"],
            rating["failed_load"],
            rank.get("best"),
            rank.get("worst"),
            document["visibility"],
            document,
        )


@dataclass(frozen=True, slots=True)
class WithdrawnTest:
    """A withdrawn test."""

    drive_slug: str
    drive: str
    load: float
    run_id: UUID | None
    withdrawn_at: datetime | None
    reason: str | None
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        drive, run_id, at = document["drive"], document["run_id"], document["withdrawn_at"]
        return cls(
            drive["slug"],
            f"{drive['vendor']} {drive['name']}",
            document["load"],
            None if run_id is None else UUID(run_id),
            None if at is None else datetime.fromisoformat(at),
            document["reason"],
            document,
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
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        return cls(
            UUID(document["watch_id"]),
            document["name"],
            document["budget_name"],
            document["verdict"],
            document,
        )


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """A run of a trend; `facts_changed` since the previous run, as (name, before, after)."""

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
    """A watched configuration over its runs; `steps` has (quantity, first run at a new level)."""

    name: str
    operation: str | None
    points: tuple[TrendPoint, ...]
    steps: tuple[tuple[str, UUID], ...]
    raw: Json = field(repr=False, compare=False)

    @classmethod
    def of(cls, document: Json) -> Self:
        """Create from a response of the API."""
        points = (
            TrendPoint(
                UUID(point["run_id"]),
                point["title"],
                datetime.fromisoformat(point["started_at"]),
                point["verdict"],
                point.get("strength"),
                point.get("words"),
                tuple(Figure.of(figure) for figure in point["figures"]),
                tuple((fact["name"], fact["before"], fact["after"]) for fact in point["facts_changed"]),
            )
            for point in document["points"]
        )
        steps = tuple((step["quantity"], UUID(step["run_id"])) for step in document["steps"])
        return cls(document["name"], document["operation"], tuple(points), steps, document)


def _of_run(document: Json) -> dict[str, Any]:
    """Return the attributes that a run and its summary share."""
    names = ("title", "workload", "state", "outcome", "measured_duration_ns", "host_name", "tool")
    return {
        "run_id": UUID(document["run_id"]),
        "started_at": datetime.fromisoformat(document["started_at"]),
        "raw": document,
        **{name: document[name] for name in (*names, "tool_version", "visibility")},
    }
