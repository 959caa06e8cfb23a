"""A page that a program shows to Prometheus: text exposition 0.0.4 and OpenMetrics 1.0.

`name_bucket{…,le="0.3"} 17` counts what took at most 0.3 since the counters began. A page that stands twice
in a file, or `# EOF`, is a scrape of its own: two make the stretch between them, many a course where their
lines have times. A summary holds quantiles that its client estimated, whose error has no certain end;
counters and gauges are no latencies.
"""

import re
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from tailroom.domain.units import NS_PER_MS, NS_PER_S, count_text
from tailroom.importers.metric_choice import unescaped
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.printed import MAX_TEXT_BYTES
from tailroom.importers.problems import Problems
from tailroom.importers.production.classic import WHY_NOT, EdgesInvalid, buckets_of, edges_of, has_fractions
from tailroom.importers.production.metrics import Metric, OfFile, add, is_chosen, runs_of
from tailroom.importers.production.stretches import States
from tailroom.importers.production.units import unit_of
from tailroom.importers.source import Source

FORM = "prometheus-page"
TOOL = "prometheus"
_LABELS = r'\{((?:[^"{}]++|"(?:[^"\\]++|\\.)*+")*+)\}'
SAMPLE = re.compile(
    rf"([A-Za-z_:][\w:]*+)?(?:{_LABELS})?[ \t]*+(?<=[\s}}])([-+]?[\d.]++(?:[eE][-+]?\d++)?|[-+]?Inf|NaN)"
    r"(?:[ \t]++(-?[\d.]++(?:[eE][-+]?\d++)?))?[ \t]*+(?:#.*)?",
    re.ASCII,
)
LABEL = re.compile(r'[ \t]*+"?([^\s="{},]++)"?[ \t]*+=[ \t]*+"((?:[^"\\]++|\\.)*+)"[ \t]*+(?:,|$)')
_QUOTED_NAME = re.compile(r'[ \t]*+"((?:[^"\\]++|\\.)*+)"[ \t]*+(?:,|$)')
_LE = re.compile(r'(?:^|,)[ \t]*+le[ \t]*+=[ \t]*+"([^"\\]*+)"[ \t]*+(?:,|$)')
TYPE_LINE = re.compile(r"#[ \t]++TYPE[ \t]++(\S++)[ \t]++(\w++)[ \t]*+")
_UNIT_LINE = re.compile(r"#[ \t]++UNIT[ \t]++(\S++)[ \t]++(\S++)[ \t]*+")
_TIMES_IN_MS = 1e11
_LATEST_NS = 1 << 62
_VALUES = re.compile(
    r"[ \t]++([-+]?[\d.]++(?:[eE][-+]?\d++)?|[-+]?Inf|NaN)(?:[ \t]++(-?[\d.]++(?:[eE][-+]?\d++)?))?\s*+",
    re.ASCII,
)
"""What stands behind the name and the labels of a line without an exemplar."""
_MOST_HISTOGRAMS = 200_000
_MOST_NAMES = 100_000
_BUCKET, _SUM, _COUNT, _CREATED = "_bucket", "_sum", "_count", "_created"
_GAUGES = "gaugehistogram"


@dataclass(slots=True)
class _Scrape:
    """One state of a histogram: its edges as they are written, and what each holds."""

    edges: list[str] = field(default_factory=list)
    counts: "array[float]" = field(default_factory=lambda: array("d"))
    at: str | None = None
    total: float | None = None
    sum: float | None = None


@dataclass(slots=True)
class _Histogram:
    metric: str
    labels: str
    line: int
    scrapes: list[_Scrape] = field(default_factory=list)
    created: str | None = None
    page: int = -1
    """On which page the last scrape stands."""

    def begin(self, at: str | None) -> _Scrape:
        """Return a new scrape; the one before it is complete and shares edges that are the same."""
        last_two = self.scrapes[-2:]
        if len(last_two) > 1 and last_two[0].edges == last_two[1].edges:
            last_two[1].edges = last_two[0].edges
        scrape = _Scrape(at=at)
        self.scrapes.append(scrape)
        return scrape


@dataclass(slots=True)
class PageReader:
    """Takes the lines of one or several pages."""

    source: Source
    of_file: OfFile = field(default_factory=OfFile)
    types: dict[str, str] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    histograms: dict[tuple[str, str], _Histogram] = field(default_factory=dict)
    page: int = 0
    parts: dict[str, tuple[_Histogram, str, str | None]] = field(default_factory=dict)
    """What lines with these names and labels are parts of: in a course each stands again and again."""
    texts: dict[str, str] = field(default_factory=dict)
    """Edges, each of them once."""

    def read(self) -> list[ParsedRun]:
        """Return the runs of the file. Raise ContentUnreadable where it holds no histogram of times."""
        for block in self.source.blocks():
            text = block.data.decode("utf-8", "replace")
            for line_no, line in enumerate(text.split("\n"), block.first_line):
                if line.startswith("#"):
                    self._comment(line)
                elif _BUCKET in line or _SUM in line or _COUNT in line or _CREATED in line:
                    self._sample(line_no, line)
        self._say_what_is_none()
        return runs_of(self._metrics(), self.source, self.of_file, FORM, TOOL)

    @property
    def problems(self) -> Problems:
        """Problems of the file as a whole."""
        return self.of_file.problems

    def _comment(self, line: str) -> None:
        text = line.strip()[:MAX_TEXT_BYTES]
        if text == "# EOF":
            self.page += 1
        elif (stated := TYPE_LINE.fullmatch(text)) is not None:
            self.types[stated[1].strip('"')] = stated[2]
        elif (unit := _UNIT_LINE.fullmatch(text)) is not None:
            self.units[unit[1].strip('"')] = unit[2]

    def _sample(self, line_no: int, line: str) -> None:
        before, brace, behind = line.rpartition("}")
        if not brace:
            before, _, behind = line.partition(" ")
            behind = f" {behind}"
        part = self.parts.get(before)
        values = None if part is None else _VALUES.fullmatch(behind)
        if part is not None and values is not None:
            self._part(line_no, part, (values[1], values[2]))
            return
        text = line.strip()
        match = SAMPLE.fullmatch(text) if len(text) <= MAX_TEXT_BYTES else None
        if match is None:
            if text:
                self.problems.add("line", f"no line of a page: {text[:80]!r}", line_no, error=True)
            return
        name, labels, value, at = match.groups()
        labels = labels or ""
        if name is None:
            quoted = _QUOTED_NAME.match(labels)
            if quoted is None:
                return
            name, labels = unescaped(quoted[1]), labels[quoted.end() :]
        part = self._part_named(line_no, name, labels)
        if part is not None:
            if len(self.parts) < _MOST_NAMES and _VALUES.fullmatch(behind) is not None:
                self.parts[before] = part
            self._part(line_no, part, (value, at))

    def _part_named(self, line_no: int, name: str, labels: str) -> tuple[_Histogram, str, str | None] | None:
        """Return the histogram of a line, which part of it, and its edge; None for what is no part of one."""
        suffix = next((suffix for suffix in (_BUCKET, _SUM, _COUNT, _CREATED) if name.endswith(suffix)), None)
        if suffix is None:
            return None
        metric = name.removesuffix(suffix)
        edge, labels = _edge(labels) if suffix == _BUCKET else (None, labels.strip(", \t"))
        if suffix == _BUCKET and edge is None:
            return None
        histogram = self.histograms.get((metric, labels))
        if histogram is None:
            if suffix != _BUCKET or len(self.histograms) >= _MOST_HISTOGRAMS:
                return None
            histogram = self.histograms[metric, labels] = _Histogram(metric, labels, line_no)
        return histogram, suffix, None if edge is None else self.texts.setdefault(edge, edge)

    def _part(
        self, line_no: int, part: tuple[_Histogram, str, str | None], stated: tuple[str, str | None]
    ) -> None:
        """Take a line of a histogram: what it is part of, its value and time."""
        (histogram, suffix, edge), (value, at) = part, stated
        if suffix == _CREATED:
            histogram.created = value
            return
        number = _number(value)
        scrape = histogram.scrapes[-1] if histogram.scrapes else None
        if edge is not None:
            if scrape is None or histogram.page != self.page or edge in scrape.edges:
                scrape = histogram.begin(at)
                histogram.page = self.page
            if at != scrape.at:
                self.problems.add("time", "buckets of one histogram have different times", line_no)
            scrape.edges.append(edge)
            scrape.counts.append(number)
        elif scrape is not None and histogram.page == self.page:
            if suffix == _SUM:
                scrape.sum = number
            else:
                scrape.total = number

    def _metrics(self) -> Iterator[Metric]:
        metrics: dict[str, Metric] = {}
        choice = self.source.metric
        for histogram in self.histograms.values():
            name = histogram.metric
            self.of_file.names[name] = None
            if choice is not None and not choice.names(name):
                continue
            if self.types.get(name) == _GAUGES:
                self.problems.add("gauges", f"{name} is a gauge histogram, whose counts may fall", None)
                continue
            labels = labels_of(histogram.labels)
            if labels is None:
                self.problems.add(
                    "labels", f"no labels: {histogram.labels[:80]!r}", histogram.line, error=True
                )
                continue
            if not is_chosen(choice, name, labels):
                continue
            metric = metrics.get(name)
            if metric is None:
                unit = unit_of(name, self.units.get(name), self.source.stated_unit_ns)
                metric = metrics[name] = Metric(name, unit)
            states = _states(histogram, metric)
            if states is not None:
                add(states.stretches(), metric, labels)
        yield from metrics.values()

    def _say_what_is_none(self) -> None:
        kinds = Counter(self.types.values())
        if kinds["summary"]:
            self.problems.add(
                "summary",
                f"{count_text(kinds['summary'])} summaries were not read: their quantiles are estimated by "
                "the program, without certain ends",
                None,
                note=True,
            )
        others = sum(number for kind, number in kinds.items() if kind not in ("histogram", "summary"))
        if others:
            self.problems.add(
                "others", f"{count_text(others)} counters, gauges and the like were not read", None, note=True
            )


def labels_of(text: str) -> Mapping[str, str] | None:
    """Return labels by name; None for a text that is none."""
    labels: dict[str, str] = {}
    at = 0
    while at < len(text):
        match = LABEL.match(text, at)
        if match is None:
            return None if text[at:].strip(", \t") else labels
        labels[match[1]] = unescaped(match[2])
        at = match.end()
    return labels


def _edge(labels: str) -> tuple[str | None, str]:
    """Return the edge among labels, and the labels without it."""
    cut, value = None, 1
    if labels.count("le=") == 1:
        cut = _LE.search(labels)
    else:
        # The value of another label may look like an edge.
        at, value = 0, 2
        while (label := LABEL.match(labels, at)) is not None and cut is None:
            at = label.end()
            cut = label if label[1] == "le" else None
    if cut is None:
        return None, labels
    return cut[value], f"{labels[: cut.start()]},{labels[cut.end() :]}".strip(", \t")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _at_ns(text: str | None) -> int:
    """Return a time of a line in nanoseconds since 1970: pages count milliseconds, OpenMetrics seconds."""
    value = _number(text) if text is not None else float("nan")
    if not 0 < value < 1e14:
        return 0
    at_ns = round(value * (NS_PER_MS if value >= _TIMES_IN_MS else NS_PER_S))
    return at_ns if at_ns < _LATEST_NS else 0


def _states(histogram: _Histogram, metric: Metric) -> States | None:
    """Return the states of a histogram in the order of the file; None where it has none that can be."""
    problems, unit_ns = metric.problems, metric.unit.ns
    shown = f"{histogram.metric}{{{histogram.labels[:80]}}}"
    usual = max((tuple(scrape.edges) for scrape in histogram.scrapes), key=len)
    try:
        edges = edges_of(usual, unit_ns)
    except EdgesInvalid as error:
        problems.add("edges", f"{shown} was left out: {error}", histogram.line, error=True)
        return None
    like = [scrape for scrape in histogram.scrapes if tuple(scrape.edges) == usual]
    if len(like) < len(histogram.scrapes):
        problems.add(
            "scrape",
            f"{shown}: {count_text(len(histogram.scrapes) - len(like))} scrapes "
            "have other buckets and were left out",
            histogram.line,
            error=True,
        )
    cumulative = np.array([scrape.counts for scrape in like], np.float64)
    counts, right = buckets_of(edges, cumulative)
    if not right.all():
        why = WHY_NOT if has_fractions(cumulative) else "its buckets fall, or are no counts"
        problems.add("counts", f"{shown}: {why}; left out", histogram.line, error=True)
        like = [scrape for scrape, is_right in zip(like, right.tolist(), strict=True) if is_right]
        counts = counts[right]
    if not like:
        return None
    for scrape, total in zip(like, counts.sum(axis=1).tolist(), strict=True):
        if scrape.total is not None and scrape.total != total:
            problems.add(
                "total",
                f"{shown}: its count is {scrape.total:g}, its buckets hold {count_text(total)}; "
                "the buckets were taken",
                histogram.line,
            )
    return _without_copies(histogram, metric, like, States(edges.ladder, counts))


def _without_copies(histogram: _Histogram, metric: Metric, like: list[_Scrape], states: States) -> States:
    """Return the states with their times, and without those that stand twice because a page was copied."""
    at_ns = np.array([_at_ns(scrape.at) for scrape in like], np.int64)
    counts = states.counts
    if (at_ns == 0).any():
        again = np.flatnonzero((counts[1:] == counts[:-1]).all(axis=1)) + 1
        if again.size and again.size == len(like) - 1:
            metric.problems.add("copy", "the same page stands in the file more than once", None, note=True)
            like, counts, at_ns = like[:1], counts[:1], at_ns[:1]
    elif len(like) > 1:
        order = np.argsort(at_ns, kind="stable")
        kept = order[np.append(True, np.diff(at_ns[order]) > 0)]
        like, counts, at_ns = [like[one] for one in kept.tolist()], counts[kept], at_ns[kept]
    created_ns = _at_ns(histogram.created)
    sums = [scrape.sum for scrape in like]
    has_sums = all(one is not None and np.isfinite(one) and one >= 0 for one in sums)
    metric.parameters["scrapes"] = max(int(metric.parameters.get("scrapes") or 0), len(like))
    return States(
        states.ladder,
        counts,
        at_ns if (at_ns > 0).all() else None,
        np.array(sums, np.float64) * metric.unit.ns if has_sums else None,
        np.full(len(like), created_ns, np.int64) if created_ns else None,
    )
