"""The importer of hey: its report, and the CSV of `-o csv`.

A worker sends a request when its previous request is answered, also with `-q`: a closed loop. Times of the
CSV are rounded to a tenth of a millisecond. Source: hey `requester/`.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.domain.errors import DomainError
from tailroom.domain.units import NS_PER_S
from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import nothing_read, summarised_run
from tailroom.importers.web_load.report import read_reports, report_tool
from tailroom.importers.web_load.rows import read_rows, statements_of_rounded

_HEAD = "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read"
_ROW = re.compile(rb"(?m)^(\d{1,9})\.(\d{4}),[-\d.,]{0,200}\r?$")
_UNIT_NS = 100_000
_SEMANTICS = "from sending a request to the end of its answer, rounded to a tenth of a millisecond"
_MOST_VALUES = 1 << 22


@dataclass(frozen=True, slots=True)
class HeyImporter:
    """Importer of hey's report and CSV."""

    name: str = "hey"
    looks_for: str = "`Summary:` with `Slowest: … secs`, or a CSV with the column `response-time`"

    def detect(self, head: Head) -> Detection | None:
        """Recognise the format by the head of the CSV, or the lines of the summary.

        None for any other file.
        """
        if any(line.startswith(_HEAD) for line in head.lines[:50]):
            return Detection("hey-csv", "hey", None, f"the columns `{_HEAD[:30]}…`")
        if report_tool(head.text) == "hey":
            return Detection("hey", "hey", None, "`Summary:` with `Slowest: … secs`")
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """Return every report of the text, or the run of the CSV. Raise ContentUnreadable without results."""
        if any(line.startswith(_HEAD) for line in source.head.lines[:50]):
            return [_csv_run(source)]
        return read_reports(source, "hey", mark_unit_ns=NS_PER_S)


def _csv_run(source: Source) -> ParsedRun:
    """Return the run of the CSV, whose times are rounded.

    Raise ContentUnreadable without rows, or for more than 4,194,304 different times.
    """
    problems = Problems()
    counts: Counter[int] = Counter()
    for block in source.blocks():
        rows = read_rows(block, _ROW, "hey", problems, head=_HEAD)
        counts.update(int(first + second) for first, second in rows)
        if len(counts) > _MOST_VALUES:
            raise ContentUnreadable(f"{source.name} has more different times than a test can have")
    if not counts:
        raise nothing_read(source, "hey")
    try:
        record = statements_of_rounded(counts, _UNIT_NS).record()
    except DomainError as error:
        raise ContentUnreadable(f"{source.name}: {error}") from error
    series = ParsedSeries("request", "service", record, semantics=_SEMANTICS, source_name="response-time")
    problems.add("lost", "requests without an answer are not in the CSV", note=True)
    return summarised_run(
        "hey-csv",
        "hey",
        [],
        [series],
        problems,
        state=EndState.UNKNOWN,
        state_text="raw results have no mark at their end",
    )


HEY = HeyImporter()
