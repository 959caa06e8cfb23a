"""The importer of pgbench: summaries, progress, and logs of transactions or intervals."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.pgbench import aggregated, raw
from tailroom.importers.pgbench.progress import PROGRESS
from tailroom.importers.pgbench.summary import BANNER, SummaryReader
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import MAX_RUNS

_FIRST_LINES = 50
_THREAD_FILE = re.compile(r"(.*\.\d+)\.\d+")
_PROCESS_FILE = re.compile(r".*\.\d+")
_SUFFIX = re.compile(r"\.(?:gz|zst|zstd)$")


@dataclass(frozen=True, slots=True)
class PgbenchImporter:
    """Importer of pgbench's summaries, progress lines, and logs of transactions or intervals."""

    name: str = "pgbench"

    def detect(self, head: Head) -> Detection | None:
        """Recognise summaries by words, logs by the shape of their first lines; None for others."""
        lines = [line.strip() for line in head.lines]
        summary = any(line.startswith("number of transactions actually processed:") for line in lines) or (
            any(line.startswith("transaction type:") for line in lines)
            and any(line.startswith("number of clients:") for line in lines)
        )
        if summary:
            banner = next((match for line in lines if (match := BANNER.fullmatch(line))), None)
            version = banner[1] if banner is not None else None
            return Detection("pgbench-summary", "pgbench", version, "the words of pgbench's summary")
        if any(PROGRESS.fullmatch(line) for line in lines):
            return Detection("pgbench-progress", "pgbench", None, "`progress: … s, … tps, lat … ms stddev …`")
        filled = [line for line in lines if line]
        if len(filled) > 1 and not head.data.endswith(b"\n"):
            filled.pop()
        filled = filled[:_FIRST_LINES]
        if not filled:
            return None
        if raw.columns_of(filled) is not None:
            reason = "lines of client, transaction, µs, script and time"
            group = f"log {_group(head.name)}"
            return Detection("pgbench-log", "pgbench", None, reason, Certainty.LIKELY, group=group)
        shaped = [line for line in filled if aggregated.LINE.fullmatch(line)]
        widths = {line.count(" ") + 1 for line in shaped}
        if 2 * len(shaped) > len(filled) and widths & set(aggregated.COLUMNS):
            reason, group = "lines of an interval's start and sums", f"intervals {_group(head.name)}"
            return Detection("pgbench-aggregated-log", "pgbench", None, reason, Certainty.LIKELY, group=group)
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:
        """Return a run for each summary, or the one of all threads. Raise ContentUnreadable without any."""
        detection = self.detect(source.head)
        form = detection.format if detection is not None else "pgbench-summary"
        if form in ("pgbench-log", "pgbench-aggregated-log"):
            parts = [source, *beside]
            return [_read_raw(parts) if form == "pgbench-log" else aggregated.read_aggregated(parts)]
        readers = [SummaryReader()]
        for line_no, line in source.lines():
            text = line.decode("utf-8", "replace")
            if readers[-1].is_over(text) and len(readers) < MAX_RUNS:
                readers.append(SummaryReader())
            readers[-1].take(line_no, text)
        complete_readers = [reader for reader in readers if reader.has_result]
        if not complete_readers:
            raise ContentUnreadable(f"{source.name} has no result of pgbench that can be read")
        return [reader.finish() for reader in complete_readers]


def _read_raw(parts: Sequence[Source]) -> ParsedRun:
    """Return the run in the logs of all threads. Raise ContentUnreadable if no line is a transaction."""
    lines = [line.strip() for line in parts[0].head.lines[:_FIRST_LINES] if line.strip()]
    reader = raw.PgbenchRawReader(raw.columns_of(lines) or 6)
    for part in parts:
        reader.read(part)
    return reader.finish(parts[0].name, len(parts))


def _group(name: str) -> str:
    """Return the group of a file: `prefix.process` of `prefix.process[.thread]`, else a group of its own."""
    name = _SUFFIX.sub("", name)
    thread = _THREAD_FILE.fullmatch(name)
    if thread is not None:
        return thread[1]
    return name if _PROCESS_FILE.fullmatch(name) else f"{name} alone"


PGBENCH = PgbenchImporter()
