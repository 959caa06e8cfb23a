"""The importer of sysbench."""

from tailroom.importers.importer import Certainty, Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.sysbench.report import BANNER, INTERVAL, SysbenchReportReader
from tailroom.importers.text_runs import ToolImporter

_WORDS = ("Threads started!", "total number of events:", "Threads fairness:", "Test execution summary:")
_MAX_RUNS = 1_000
_FIRST_OF_REPORT = ("Running the test with following options", "Initializing random number generator")
_FIRST_OF_STATISTICS = (
    *("SQL statistics:", "OLTP test statistics:", "CPU speed:", "File operations:", "Throughput:"),
    *("Operations performed:", "Total operations:", "General statistics:", "Test execution summary:"),
)
_RATES = ("tps:", "eps:", "qps:", "MiB/s", "queue length:")


def _detect(head: Head) -> Detection | None:
    """Recognise the format by banner and words of the report, or by intermediate lines; else None."""
    lines = [line.strip() for line in head.lines]
    banner = next((match for line in lines if (match := BANNER.fullmatch(line))), None)
    words = [word for word in _WORDS if word in head.text]
    if banner is not None and ("Running the test with following options" in head.text or words):
        return Detection(
            "sysbench", "sysbench", banner[1].rstrip(":"), "the banner of sysbench and its report"
        )
    intervals = [match for line in lines if (match := INTERVAL.fullmatch(line))]
    if any("thds:" in interval[2] for interval in intervals) or len(words) > 1:
        return Detection("sysbench", "sysbench", None, "lines of a report of sysbench")
    if intervals and any(word in interval[2] for interval in intervals for word in _RATES):
        return Detection(
            "sysbench", "sysbench", None, "lines of seconds and rates as sysbench's", Certainty.LIKELY
        )
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return the reports with a result, 1,000 at most. Raise ContentUnreadable without any."""
    readers = [SysbenchReportReader(Problems())]
    for line_no, line in source.lines():
        text = line.decode("utf-8", "replace")
        if _is_next_report(text, readers[-1]) and len(readers) < _MAX_RUNS:
            readers.append(SysbenchReportReader(Problems()))
        readers[-1].line(line_no, text)
    filled = [reader for reader in readers if reader.begun] or readers[:1]
    return [reader.finish(source) for reader in filled]


def _is_next_report(text: str, before: SysbenchReportReader) -> bool:
    """Return whether a line begins another report: a banner after any result of the report `before`.

    After its number of events, this is also the first line of options or of statistics, since reports are
    copied without their banner too.
    """
    if not before.begun:
        return False
    if "sysbench " in text and BANNER.fullmatch(text.strip()) is not None:
        return True
    if before.statistics.events is None:
        return False
    return text.lstrip().startswith((*_FIRST_OF_REPORT, *_FIRST_OF_STATISTICS))


SYSBENCH = ToolImporter("sysbench", "sysbench", _detect, _runs)
