"""Runs from the histograms of a file: a run for each metric, the sum of its labelled histograms first.

Real clients decide which requests came, and when; no histogram states how many clients there were, or whether
requests waited for each other. A server's histogram has every request that it answered, late or not; whether
it covers the wait before the program's clock depends on the program. A verdict covers this time alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from tailroom.domain.units import NS_PER_S, count_text
from tailroom.importers.disclosure import not_stated
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.metric_choice import MetricChoice
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Problem, Value
from tailroom.importers.problems import Problems
from tailroom.importers.production.counts_per_period import CountedHistograms, PeriodCounts, sum_of
from tailroom.importers.production.ladders import TimeUnit, unit_of
from tailroom.importers.source import Source

MOST_LABELLED = 1_000
"""Of a metric with more labelled histograms, only their sum is a series."""
MOST_METRICS = 500
_LONGEST_LABELS = 300
_NAMES_SHOWN = 20
_SUM_SLACK = 1e-6
"""Relative distance by which a mean may be outside of the bounds of its buckets."""
_ADDED_FLOATS = 1e-6
"""Relative error of a sum of many floating-point numbers."""
CLOCK = "operation"
SEMANTICS = (
    "as the program that counts it times it; a bucket holds what took at most its edge, so that answers "
    "about an edge hold within 1 ns"
)


@dataclass(slots=True)
class Metric:
    """A metric: its unit, labels and counts of each histogram (`labelled`), problems, and run parameters."""

    name: str
    unit: TimeUnit
    labelled: list[tuple[Mapping[str, str], PeriodCounts]] = field(default_factory=list)
    problems: Problems = field(default_factory=Problems)
    parameters: dict[str, Value] = field(default_factory=dict)

    def add(self, counts: PeriodCounts, labels: Mapping[str, str]) -> None:
        """Add the counts of a histogram with these labels; report and leave out counts too large to add."""
        if counts.is_countable:
            self.labelled.append((labels, counts))
        else:
            reason = f"{labels_text(labels)} counts more than can be added exactly"
            self.problems.error("size", reason)

    def note_scrapes(self, scrapes: int) -> None:
        """Raise the run parameter `scrapes` to the number of scrapes of a histogram, if it is smaller."""
        self.parameters["scrapes"] = max(int(self.parameters.get("scrapes") or 0), scrapes)


@dataclass(slots=True)
class MetricFile:
    """A file of histograms during reading: its problems, the names of its histograms, and its metrics."""

    source: Source
    problems: Problems = field(default_factory=Problems)
    """Problems of the file as a whole."""
    names: dict[str, None] = field(default_factory=dict)
    """Names of all histograms of the file, as keys in their order."""
    metrics: dict[str, Metric] = field(default_factory=dict)
    """The requested metrics by name."""

    def metric(self, name: str, stated_unit: str | None) -> Metric:
        """Return the metric of this name, which may be new; `stated_unit` is its unit in the file, if any."""
        if name not in self.metrics:
            unit = unit_of(name, stated_unit, self.source.stated_unit_ns)
            self.metrics[name] = Metric(name, unit)
        return self.metrics[name]

    def is_chosen(self, metric: str, labels: Mapping[str, str]) -> bool:
        """Return whether a histogram was requested by name and labels; True if there is no choice."""
        choice = self.source.metric
        return choice is None or (choice.names(metric) and choice.fits(labels))

    def runs(self, form: str, tool: str) -> list[ParsedRun]:
        """Return runs of the first 500 metrics of time; report others. Raise ContentUnreadable if none."""
        problems, choice = self.problems, self.source.metric
        every = list(self.metrics.values())
        filled = [metric for metric in every if metric.labelled]
        refused = [problem for metric in every if not metric.labelled for problem in metric.problems.all()]
        if choice is not None and choice.name is not None and len(filled) > 1:
            # An exact name goes before a name that differs by its unit.
            filled = [metric for metric in filled if metric.name == choice.name] or filled
        times = [metric for metric in filled if metric.unit.is_time]
        others = sorted({metric.name for metric in filled if not metric.unit.is_time})
        if others:
            problems.note("no time", f"left out, because they count no time: {_listed(others, 5)}")
        if len(times) > MOST_METRICS:
            problems.add("metrics", f"only the first {MOST_METRICS} of {len(times)} metrics were read")
        runs = [_run(metric, choice, form, tool) for metric in times[:MOST_METRICS]]
        if not runs:
            raise ContentUnreadable(f"{self.source.name} holds {self._refusal_text(others, refused)}")
        return [replace(run, problems=(*run.problems, *refused, *problems.all())) for run in runs]

    def _refusal_text(self, others: Sequence[str], refused: Sequence[Problem]) -> str:
        """Return the reason why no histogram was read: no time, refused, or not in the file."""
        choice = self.source.metric
        reasons = [problem.reason for problem in refused[:3]]
        if not reasons and choice is not None and others:
            reasons = [f"{others[0]} counts no time"]
        elif not reasons and choice is not None and any(map(choice.names, self.names)):
            reasons = [
                "no histogram of that name has these labels; `tailroom inspect` lists those that it has"
            ]
        elif not reasons:
            shown = _listed(list(self.names), _NAMES_SHOWN)
            reasons = [f"it has {shown}"] if shown else []
            reasons += [problem.reason for problem in self.problems.all()[:3]] if choice is None else []
        sought = f" called {choice.text()}" if choice is not None else ""
        return f"no histogram of times{sought}" + (f": {'; '.join(reasons)}" if reasons else "")


def _listed(names: Sequence[str], most: int) -> str:
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def labels_text(labels: Mapping[str, str]) -> str:
    """Return labels as `name="value",…`, sorted by name, as a user writes them to choose a histogram."""
    return ",".join(f'{name}="{value}"' for name, value in sorted(labels.items()))


def _run(metric: Metric, choice: MetricChoice | None, form: str, tool: str) -> ParsedRun:
    """Return the run of a metric: the sum and, for 2 to 1,000 labelled histograms, each of them."""
    problems = metric.problems
    total = sum_of([counts for _, counts in metric.labelled])
    series = [_series(metric, total, None)]
    size = len(metric.labelled)
    if size > MOST_LABELLED:
        problems.note(
            "labels",
            f"{metric.name} has {count_text(size)} labelled histograms; only their sum was kept, choose "
            "among them by their labels",
        )
    elif size > 1:
        series += [
            _series(metric, sum_of([counts]), labels_text(labels)[:_LONGEST_LABELS])
            for labels, counts in metric.labelled
        ]
    _report_limits(total, metric)
    started_at = _utc_time(total.started_ns)
    parameters = {
        "metric": metric.name,
        "latency_unit": metric.unit.name,
        "labelled_histograms": size,
        **({"chosen": choice.text()} if choice is not None else {}),
        **({"labels": labels_text(metric.labelled[0][0])} if size == 1 else {}),
        **({"counter_restarts": total.restarts} if total.restarts else {}),
        **metric.parameters,
    }
    open_facts = [] if started_at is not None else ["started_at"]
    open_facts += [] if metric.unit.is_stated else ["latency_unit"]
    return ParsedRun(
        format=form,
        tool=tool,
        tool_version=None,
        series=tuple(series),
        state=EndState.UNKNOWN,
        state_text="counters of a running system have no end",
        problems=problems.all(),
        missing=not_stated(*open_facts, "tool_version"),
        parameters=parameters,
        started_at=started_at,
        duration_ns=total.duration_ns,
    )


def _series(metric: Metric, total: CountedHistograms, labels: str | None) -> ParsedSeries:
    """Return the series of a histogram with labels as text, or of the sum of all if `labels` is None."""
    return ParsedSeries(
        metric.name,
        CLOCK,
        total.record,
        device=labels,
        intervals=total.intervals,
        semantics=SEMANTICS,
        source_name=f"{metric.name}{{{labels}}}" if labels else metric.name,
        printed=_mean_claims(metric, total),
    )


def _mean_claims(metric: Metric, total: CountedHistograms) -> tuple[Claim, ...]:
    """Return the claim of the mean by the stated sum; none without a sum, or if the buckets exclude it."""
    mean_ns = total.mean_ns
    if mean_ns is None:
        return ()
    lower, upper = mean_ns * (1 - _ADDED_FLOATS), mean_ns * (1 + _ADDED_FLOATS)
    bounds = total.record.mean_ns
    least = bounds[0] if bounds is not None else total.record.quantile_bounds(0.0).lower_ns
    most = bounds[1] if bounds is not None else float("inf")
    if not least * (1 - _SUM_SLACK) <= mean_ns <= most * (1 + _SUM_SLACK) + 1:
        reason = "the sum of a histogram does not fit its buckets, and no mean follows from it"
        metric.problems.add("sum", reason)
        return ()
    shown = f"{mean_ns / metric.unit.ns:.6g} {metric.unit.name}"
    return (Claim(metric.name, "latency_mean_ns", shown, lower, upper),)


def _report_limits(total: CountedHistograms, metric: Metric) -> None:
    """Report restarts, periods left out, a unit that is not stated, and a metric without operations."""
    problems = metric.problems
    if total.restarts:
        often = "once" if total.restarts == 1 else f"{count_text(total.restarts)} times"
        problems.add(
            "restart",
            f"counters started again {often}; what was counted between the last "
            "state before and the end of a process is not in the file",
        )
    if total.left_out:
        problems.add(
            "left out",
            f"{count_text(total.left_out)} stretches in which a sum over processes fell were left out: one "
            "of them started again, and its part is not known; ask for the histograms of each instance",
        )
    if not metric.unit.is_stated:
        problems.add(
            "unit", f"the file does not say in which unit {metric.name} counts; {metric.unit.name} was taken"
        )
    if total.record.total == 0:
        problems.add("nothing", f"{metric.name} counted nothing")


def _utc_time(since_1970_ns: int | None) -> datetime | None:
    if since_1970_ns is None or since_1970_ns <= 0:
        return None
    try:
        return datetime.fromtimestamp(since_1970_ns / NS_PER_S, UTC)
    except (ValueError, OverflowError, OSError):
        return None
