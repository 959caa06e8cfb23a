"""The importer of memtier_benchmark's JSON and text. Its HDR logs are read by `hdr_log`."""

from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.memtier.json_report import read_reports
from tailroom.importers.memtier.runs import measured_runs
from tailroom.importers.memtier.text_report import DISTRIBUTION, HEADER, TITLE, TextReader
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.printed import MAX_TEXT_BYTES
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import ToolImporter

_JSON_MARKS = ('"run information"', '"ALL STATS"', '"AGGREGATED AVERAGE RESULTS', '"Connections per thread"')


def _detect(head: Head) -> Detection | None:
    """Recognise JSON by its keys, text by the head of a table, a title or its progress; else None."""
    if head.text.lstrip().startswith("{"):
        marks = [mark for mark in _JSON_MARKS if mark in head.text]
        if not marks and not ('"configuration"' in head.text and '"key_pattern"' in head.text):
            return None
        return Detection(
            "memtier-json",
            "memtier_benchmark",
            None,
            f"JSON with {marks[0] if marks else 'its configuration'}",
        )
    for line in head.lines:
        if HEADER.fullmatch(line.rstrip()) or DISTRIBUTION.fullmatch(line):
            return Detection("memtier-text", "memtier_benchmark", None, "the table `Type Ops/sec …`")
        if TITLE.fullmatch(line) and line != "ALL STATS":
            return Detection("memtier-text", "memtier_benchmark", None, f"the title `{line}`")
    if "[RUN #1]" in head.text and "Launching threads now" in head.text:
        return Detection("memtier-text", "memtier_benchmark", None, "the progress `[RUN #1 …]`")
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return the runs of the report. Raise ContentUnreadable if it has no results."""
    if source.head.text.lstrip().startswith("{"):
        return measured_runs(read_reports(source.whole(), source.name), "memtier-json")
    reader = TextReader()
    for line_no, raw in source.lines():
        reader.line(line_no, raw[-MAX_TEXT_BYTES:].decode("utf-8", "replace"))
    reports = reader.finish()
    if not reports:
        raise ContentUnreadable(
            f"{source.name} is output of memtier_benchmark, but has no table of results: the run was "
            "stopped, or this is its standard error"
        )
    return measured_runs(reports, "memtier-text")


MEMTIER = ToolImporter("memtier", "memtier_benchmark", _detect, _runs)
