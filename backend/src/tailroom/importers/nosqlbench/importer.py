"""The importer of nosqlbench: see `metrics` for what its numbers mean.

Its HdrHistogram logs (`--log-histograms`) are read by `hdr_log`. Metrics of one folder are one session.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tailroom.importers.importer import Certainty, Detection
from tailroom.importers.nosqlbench.readers import (
    BANNER,
    COUNTS_BEGIN,
    CSV_OTHERS,
    CSV_TIMER,
    LOG_TIMER,
    SECTION,
    STATS_COMMENT,
    STATS_LEGEND,
    Session,
    read_console,
    read_csv,
    read_log,
    read_stats,
)
from tailroom.importers.nosqlbench.runs import run_of
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import nothing_read

_READERS: dict[str, Callable[[Source, Session], None]] = {
    "nosqlbench-csv": read_csv,
    "nosqlbench-stats": read_stats,
    "nosqlbench-log": read_log,
    "nosqlbench-summary": read_console,
}


@dataclass(frozen=True, slots=True)
class NosqlbenchImporter:
    """Importer of nosqlbench's CSV of timers, statistics of histograms, session log and console summary."""

    name: str = "nosqlbench"

    def detect(self, head: Head) -> Detection | None:
        """Recognise the format by the head of a table, its own comment, lines of its log, or
        the banner of its summary.

        Tables without latencies are companions. None for any other file.
        """
        first = next((line.strip() for line in head.lines if line.strip()), "")
        folder = head.name.replace("\\", "/").rpartition("/")[0]
        if first == CSV_TIMER:
            reason = "the columns of a timer"
            return Detection("nosqlbench-csv", self.name, None, reason, group=f"metrics in {folder}")
        if first in CSV_OTHERS:
            words = f"the columns of a {CSV_OTHERS[first]}, which has no latencies"
            certainty = Certainty.POSSIBLE if first == "t,value" else Certainty.CERTAIN
            return Detection("nosqlbench-other", self.name, None, words, certainty, companion=True)
        if first.startswith(STATS_COMMENT) or STATS_LEGEND in head.lines[:20]:
            return Detection("nosqlbench-stats", self.name, None, "`logging stats for session …`")
        banner = section = False
        for line in head.lines:
            if "type=TIMER" in line and LOG_TIMER.fullmatch(line) is not None:
                return Detection("nosqlbench-log", self.name, None, "lines `type=TIMER, name=…`")
            banner = banner or BANNER.fullmatch(line) is not None
            section = section or SECTION.fullmatch(line) is not None or line.startswith(COUNTS_BEGIN)
        if section and (banner or COUNTS_BEGIN in head.text):
            return Detection("nosqlbench-summary", self.name, None, "sections `-- Timers ---` below a banner")
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:
        """Return one run: of the timers of a folder (CSV, with the files `beside`), or of a single file.

        Raise ContentUnreadable if it has neither reports of timers nor counts.
        """
        session = Session()
        kind = self._kind(source)
        reader = _READERS.get(kind)
        if reader is None:
            raise nothing_read(source, "nosqlbench")
        reader(source, session)
        if kind == "nosqlbench-csv":
            for companion in beside:
                if self._kind(companion) == kind and companion.stem not in session.metrics:
                    read_csv(companion, session)
        if not any(metric.states for metric in session.metrics.values()) and not session.counts:
            raise nothing_read(source, "nosqlbench")
        return [run_of(session, kind)]

    def _kind(self, source: Source) -> str:
        """Return the format of a file; empty for a file of another tool."""
        detection = self.detect(source.head)
        return "" if detection is None else detection.format


NOSQLBENCH = NosqlbenchImporter()
