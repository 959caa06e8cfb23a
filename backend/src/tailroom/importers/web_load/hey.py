"""The importer of hey: its report, and the CSV of `-o csv`.

A worker sends a request when its previous request is answered, also with `-q`: a closed loop. Times of the
CSV are rounded to a tenth of a millisecond. Source: hey `requester/`.
"""

import re
from collections import Counter
from collections.abc import Iterator

from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import PrintedRun, ToolImporter
from tailroom.importers.web_load.report import read_reports, report_tool
from tailroom.importers.web_load.rows import RAW_ENDING, read_rows, rounded_series

_HEAD = "response-time,DNS+dialup,DNS,Request-write,Response-delay,Response-read"
_ROW = re.compile(rb"(?m)^(\d{1,9})\.(\d{4}),[-\d.,]{0,200}\r?$")
_UNIT_NS = 100_000
_SEMANTICS = "from sending a request to the end of its answer, rounded to a tenth of a millisecond"
_MOST_VALUES = 1 << 22


def _is_csv(head: Head) -> bool:
    return any(line.startswith(_HEAD) for line in head.lines[:50])


def _detect(head: Head) -> Detection | None:
    if _is_csv(head):
        return Detection("hey-csv", "hey", None, f"the columns `{_HEAD[:30]}…`")
    if report_tool(head.text) == "hey":
        return Detection("hey", "hey", None, "`Summary:` with `Slowest: … secs`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    return _csv_run(source) if _is_csv(source.head) else read_reports(source, "hey")


def _csv_run(source: Source) -> Iterator[ParsedRun]:
    """Yield the run of rounded times, if any. Raise ContentUnreadable for over 4,194,304 different times."""
    run = PrintedRun(1)
    counts: Counter[int] = Counter()
    for block in source.blocks():
        rows = read_rows(block, _ROW, "hey", run.problems, head=_HEAD)
        counts.update(int(first + second) for first, second in rows)
        if len(counts) > _MOST_VALUES:
            raise ContentUnreadable(f"{source.name} has more different times than a test can have")
    if counts:
        series = rounded_series(source, counts, _UNIT_NS, _SEMANTICS, "response-time")
        run.problems.note("lost", "requests without an answer are not in the CSV")
        yield run.parsed("hey-csv", "hey", [], [series], RAW_ENDING)


HEY = ToolImporter("hey", "hey", _detect, _runs)
