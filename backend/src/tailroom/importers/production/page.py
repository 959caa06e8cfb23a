"""A page that a program shows to Prometheus: text exposition 0.0.4 and OpenMetrics 1.0.

`name_bucket{…,le="0.3"} 17` counts operations that took at most 0.3 since the counters began. If a page is
twice in a file, or after `# EOF`, another scrape begins: two scrapes give the counts between them, many the
counts over time if their lines have times. A summary holds quantiles that its client estimated, whose
error has no certain end; counters and gauges are no latencies.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from tailroom.domain.units import count_text
from tailroom.importers.metric_choice import unescaped
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.printed import MAX_TEXT_BYTES
from tailroom.importers.production.metrics import MetricFile
from tailroom.importers.production.page_repeated import (
    BUCKET,
    COUNT,
    CREATED,
    END_OF_PAGE,
    MARKS,
    MOST_LINES,
    SUM,
    PageLine,
    PageSequence,
    Part,
    RepeatedPage,
    contiguous_histograms,
)
from tailroom.importers.production.page_scrapes import PageHistogram, number_of, states_of_each

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
_VALUES = re.compile(
    r"[ \t]++([-+]?[\d.]++(?:[eE][-+]?\d++)?|[-+]?Inf|NaN)(?:[ \t]++(-?[\d.]++(?:[eE][-+]?\d++)?))?\s*+",
    re.ASCII,
)
"""Value and time behind the name and the labels of a line without an exemplar."""
_MOST_HISTOGRAMS = 200_000
_GAUGES = "gaugehistogram"


@dataclass(slots=True)
class PageReader(MetricFile):
    """Parser of a file of one or several metrics pages; call `read` once."""

    types: dict[str, str] = field(default_factory=dict)
    """Stated type by name of the metric."""
    units: dict[str, str] = field(default_factory=dict)
    """Stated unit by name of the metric."""
    histograms: dict[tuple[str, str], PageHistogram] = field(default_factory=dict)
    """By name of the metric, and its labels as written. Histograms after the first 200,000 are ignored."""
    page: int = 0
    """Number of pages that have ended (`# EOF`)."""
    parts: dict[str, Part] = field(default_factory=dict)
    """The part of a histogram in a line, by the line's name and labels, which repeat in each scrape."""
    edges: dict[str, str] = field(default_factory=dict)
    """Texts of edges, so that equal texts are stored once."""
    repeats: bool = False
    """Whether a histogram was repeated, so that pages may repeat."""
    sequence: PageSequence = field(default_factory=PageSequence)
    repeated: RepeatedPage | None = None
    """The page whose lines repeat; None as long as lines are read one by one."""
    rest: bytes = b""
    """The beginning of a page whose end is in the next block."""

    def read(self) -> list[ParsedRun]:
        """Return a run for each requested metric. Raise ContentUnreadable without a histogram of times."""
        last_line = 1
        for block in self.source.blocks():
            if self.repeated is None:
                self._read_lines(block.first_line, block.data, may_repeat=True)
            else:
                lines = self.rest.count(b"\n")
                self._read_pages(block.first_line - lines, self.rest + block.data, self.repeated)
            last_line = block.first_line + block.data.count(b"\n")
        if self.rest:
            self._read_lines(last_line - self.rest.count(b"\n"), self.rest, may_repeat=False)
        self._report_other_types()
        self._add_up()
        return self.runs(FORM, TOOL)

    def _read_pages(self, first_line: int, data: bytes, repeated: RepeatedPage) -> None:
        """Add whole pages by `repeated`, or all of `data` line by line if one differs; store the rest."""
        read = repeated.read(data, self.page)
        if read is None:
            self.repeated, self.rest = None, b""
            self.sequence.clear()
            self._read_lines(first_line, data, may_repeat=False)
            return
        pages, read_bytes = read
        self.page += pages * repeated.ends
        self.repeated, self.rest = repeated, data[read_bytes:]

    def _read_lines(self, first_line: int, data: bytes, *, may_repeat: bool) -> None:
        """Add lines: contiguous histograms at once and, with `may_repeat`, pages as soon as they repeat."""
        text, line_no, at = data.decode("utf-8", "replace"), first_line, 0
        for histogram in () if self.repeats else contiguous_histograms(text):
            if histogram is None:
                break
            if at < histogram.begin:
                before = text[at : histogram.begin]
                self._read_line_by_line(line_no, before, may_repeat=False)
                line_no, at = line_no + before.count("\n"), histogram.begin
            key = histogram.metric, histogram.labels
            if not histogram.begin and key == next(reversed(self.histograms), None):
                # The rest of a histogram that began in the block before.
                continue
            if self.repeats or key in self.histograms or len(self.histograms) >= _MOST_HISTOGRAMS:
                break
            self.histograms[key] = PageHistogram(*key, line_no, scrapes=[histogram.scrape], page=self.page)
            line_no, at = line_no + histogram.lines, histogram.end
        self._read_line_by_line(line_no, text[at:], may_repeat=may_repeat)

    def _read_line_by_line(self, first_line: int, text: str, *, may_repeat: bool) -> None:
        """Add lines one by one; with `may_repeat`, as soon as pages repeat, add the rest by pages."""
        lines = text.split("\n")
        for at, line in enumerate(lines):
            is_comment, learns = line.startswith("#"), may_repeat and self.repeats
            if not learns and not is_comment and "_" not in line:
                continue
            before, behind = (line, "") if is_comment or not line else _split_line(line)
            if learns and (repeated := self.sequence.repeated_before(before)) is not None:
                rest = "\n".join(lines[at:]).encode()
                self._read_pages(first_line + at, rest, repeated)
                return
            part, begins = None, False
            if is_comment:
                self._read_comment(line)
            elif BUCKET in line or SUM in line or COUNT in line or CREATED in line:
                part, begins = self._read_sample(first_line + at, line, (before, behind))
            if learns:
                self.sequence.add(PageLine(before, part, begins, bool(behind)))

    def _read_comment(self, line: str) -> None:
        """Store a stated type or unit of a metric, or count the end of a page (`# EOF`)."""
        text = line.strip()[:MAX_TEXT_BYTES]
        if text == END_OF_PAGE:
            self.page += 1
        elif (stated := TYPE_LINE.fullmatch(text)) is not None:
            self.types[stated[1].strip('"')] = stated[2]
        elif (unit := _UNIT_LINE.fullmatch(text)) is not None:
            self.units[unit[1].strip('"')] = unit[2]

    def _read_sample(self, line_no: int, line: str, pieces: tuple[str, str]) -> tuple[Part | None, bool]:
        """Add the number of a line to its histogram; `pieces` are name with labels, and the text behind.

        Return the part of the histogram, None for any other line, and whether the line begins a scrape.
        """
        before, behind = pieces
        part = self.parts.get(before)
        values = None if part is None else _VALUES.fullmatch(behind)
        if part is not None and values is not None:
            return part, self._add_number(line_no, part, (values[1], values[2]))
        text = line.strip()
        match = SAMPLE.fullmatch(text) if len(text) <= MAX_TEXT_BYTES else None
        if match is None:
            if text:
                self.problems.error("line", f"no line of a page: {text[:80]!r}", line_no)
            self.sequence.clear()
            return None, False
        name, labels, value, at = match.groups()
        labels = labels or ""
        if name is None:
            quoted = _QUOTED_NAME.match(labels)
            if quoted is None:
                return None, False
            name, labels = unescaped(quoted[1]), labels[quoted.end() :]
        part = self._find_part(line_no, name, labels)
        if part is None:
            return None, False
        values = _VALUES.fullmatch(behind)
        # Behind the last brace of a line with an exemplar stands the value of the exemplar.
        has_exemplar = text.count("}", match.end(2) + 1 if match[2] is not None else 0) > 0
        if len(self.parts) < MOST_LINES and values is not None and not has_exemplar:
            self.parts[before] = part
        return part, self._add_number(line_no, part, (value, at))

    def _find_part(self, line_no: int, name: str, labels: str) -> Part | None:
        """Return the part of a histogram, which its first bucket creates (up to 200,000); else None."""
        metric, underscore, kind = name.rpartition("_")
        suffix = underscore + kind
        if suffix not in MARKS:
            return None
        edge, labels = _edge(labels) if suffix == BUCKET else (None, labels.strip(", \t"))
        if suffix == BUCKET and edge is None:
            return None
        histogram = self.histograms.get((metric, labels))
        if histogram is None:
            if suffix != BUCKET or len(self.histograms) >= _MOST_HISTOGRAMS:
                return None
            histogram = self.histograms[metric, labels] = PageHistogram(metric, labels, line_no)
        return histogram, suffix, None if edge is None else self.edges.setdefault(edge, edge)

    def _add_number(self, line_no: int, part: Part, stated: tuple[str, str | None]) -> bool:
        """Add value and time of a line, as written, to its histogram; return whether it begins a scrape."""
        (histogram, suffix, edge), (value, at) = part, stated
        if suffix == CREATED:
            histogram.created = value
            return False
        number = number_of(value)
        scrape = histogram.scrapes[-1] if histogram.scrapes else None
        begins = False
        if edge is not None:
            if scrape is None or histogram.page != self.page or edge in scrape.edges:
                self.repeats |= scrape is not None
                scrape = histogram.begin(at)
                histogram.page, begins = self.page, True
            if at != scrape.at:
                self.problems.add("time", "buckets of one histogram have different times", line_no)
            scrape.edges.append(edge)
            scrape.counts.append(number)
        elif scrape is not None and histogram.page == self.page:
            if suffix == SUM:
                scrape.sum = number
            else:
                scrape.total = number
        return begins

    def _add_up(self) -> None:
        """Add the counts of the requested histograms to their metrics; report those that are left out."""
        chosen: dict[str, list[tuple[PageHistogram, Mapping[str, str]]]] = {}
        choice = self.source.metric
        for histogram in self.histograms.values():
            name = histogram.metric
            self.names[name] = None
            if choice is not None and not choice.names(name):
                continue
            if self.types.get(name) == _GAUGES:
                self.problems.add("gauges", f"{name} is a gauge histogram, whose counts may fall")
                continue
            labels = labels_of(histogram.labels)
            if labels is None:
                self.problems.error("labels", f"no labels: {histogram.labels[:80]!r}", histogram.line)
                continue
            if self.is_chosen(name, labels):
                chosen.setdefault(name, []).append((histogram, labels))
        for name, labelled in chosen.items():
            metric = self.metric(name, self.units.get(name))
            each = states_of_each([histogram for histogram, _ in labelled], metric)
            for (_, labels), states in zip(labelled, each, strict=True):
                if states is not None:
                    metric.add(states.period_counts(), labels)

    def _report_other_types(self) -> None:
        """Report the number of summaries, counters and gauges, which were not read."""
        kinds = Counter(self.types.values())
        if kinds["summary"]:
            self.problems.note(
                "summary",
                f"{count_text(kinds['summary'])} summaries were not read: their quantiles are estimated by "
                "the program, without certain ends",
            )
        others = sum(number for kind, number in kinds.items() if kind not in ("histogram", "summary"))
        if others:
            self.problems.note("others", f"{count_text(others)} counters, gauges and the like were not read")


def _split_line(line: str) -> tuple[str, str]:
    """Return name and labels of a line as one text, and the text behind them."""
    before, brace, behind = line.rpartition("}")
    if brace:
        return before + brace, behind
    before, space, behind = line.partition(" ")
    return before, space + behind


def labels_of(text: str) -> Mapping[str, str] | None:
    """Return labels by name, of the text between braces; None for an invalid text."""
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
    """Return the value of the label `le` (None without it), and the text of the other labels."""
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
