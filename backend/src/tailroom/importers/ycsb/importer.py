"""The importer of YCSB: standard output and error, exported files, raw files (HDR logs: `hdr_log`)."""

import re

import numpy as np

from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.line_shapes import line_ranges, shapes_of
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.printed import MAX_TEXT_BYTES
from tailroom.importers.source import Block, Head, Source
from tailroom.importers.text_runs import ToolImporter
from tailroom.importers.ycsb.entries import (
    COMMAND,
    JSON_MARK,
    VERSION,
    json_entries,
    parameters_of,
    text_entry,
)
from tailroom.importers.ycsb.run import YcsbReader
from tailroom.importers.ycsb.status_columns import LINE as STATUS

_OVERALL = re.compile(r"\s{0,9}\[OVERALL\], ?(RunTime\(ms\)|Throughput\(ops/sec\)), .*")
_ENTRY = re.compile(
    r"\[[A-Za-z][\w-]*\], (?:Operations|Total Operations|AverageLatency\(\w\w\)|Return=\w+), \S+"
)
_RAW_HEADER = re.compile(r"(\S{1,80}) latency raw data: op, timestamp\(ms\), latency\(us\)")
_RAW = re.compile(rb"([^,\s]{1,80}),(\d{10,14}),(\d{1,10})")
_RAW_LINE = re.compile(rb"^[^,\s]{1,80},\d{13},\d", re.MULTILINE)
_RAW_HEAD = re.compile(r"[A-Za-z][\w-]{0,60},1\d{12},\d{1,10}")
_CRASH = re.compile(r"Exception in thread .*")
_EXCEPTION = re.compile(
    r"Caused by: .*|\tat .*|\t\.\.\. \d+ more|(?:[a-z]\w*\.)+[A-Z]\w*(?:Exception|Error)(?:: .*)?|"
    r"Exception while .*|Error (?:in|processing) .*"
)
_NOISE = re.compile(
    r"Loading workload.*|Starting test\.|DBWrapper: .*|Raw data measurement: .*|\s*|java .*|"
    r"Adding shutdown hook.*|"
    r"\[WARN\].*|SLF4J.*|.*(?:might take a few minutes.*)|mbind: .*|/\S+/java .*|Warning: .*"
)
_LAST_RAW_MS = 7_000_000_000_000
_MAX_LATENCY_US = (1 << 31) - 1
_STATUS_MARK, _MANY = b" operations; ", 16
"""Status lines by the thousand are read together; of a few each by itself."""
_MAX_RUNS = 100
_MAX_NOTED = 5
_ALIKE = 24


def _detect(head: Head) -> Detection | None:
    if JSON_MARK.search(head.text):
        return Detection("ycsb-json", "ycsb", None, "JSON objects with `metric` and `measurement`")
    version = VERSION.search(head.text)
    banner = version is not None and COMMAND.search(head.text) is not None
    if banner or any(_OVERALL.fullmatch(line) for line in head.lines):
        reason = "the banner `YCSB Client`" if banner else "`[OVERALL], …`"
        return Detection("ycsb-text", "ycsb", version[1] if version else None, reason)
    return _detect_by_lines(head)


def _runs(source: Source) -> list[ParsedRun]:
    """Return every run of the file. Raise ContentUnreadable if nothing was measured."""
    detection = _detect(source.head)
    form = detection.format if detection is not None else "ycsb-text"
    if form == "ycsb-json":
        return _json_runs(source)
    reader = _OutputParser(may_have_raw="raw" in source.head.text.lower() or form == "ycsb-raw")
    for block in source.blocks():
        if not reader.read(block):
            break
    begun = [run for run in reader.runs if run.begun or run.crashed or run.exceptions.first]
    if not begun:
        raise ContentUnreadable(f"{source.name} is output of YCSB, but nothing was measured in it")
    return [run.finish(form) for run in begun]


def _detect_by_lines(head: Head) -> Detection | None:
    """Return the detection by the first line of YCSB alone, or a majority of raw lines; None for others."""
    for line in head.lines:
        if _RAW_HEADER.fullmatch(line):
            return Detection("ycsb-raw", "ycsb", None, "the header `… latency raw data`")
        if STATUS.fullmatch(line):
            return Detection("ycsb-status", "ycsb", None, "status lines `… operations; …`")
        if _ENTRY.fullmatch(line):
            return Detection("ycsb-text", "ycsb", None, "entries `[READ], Operations, …`", Certainty.LIKELY)
    lines = head.lines[:-1] or head.lines
    if lines and sum(_RAW_HEAD.fullmatch(line) is not None for line in lines) > len(lines) // 2:
        reason = "lines `operation,milliseconds,microseconds`"
        return Detection("ycsb-raw", "ycsb", None, reason, Certainty.LIKELY)
    return None


class _OutputParser:
    """Parser of blocks with the `runs` so far; raw lines and status lines are read by the thousand."""

    def __init__(self, *, may_have_raw: bool) -> None:
        self.runs = [YcsbReader()]
        self._raw = may_have_raw
        self._unknown = set[str]()

    def read(self, block: Block) -> bool:
        """Add the lines of a block to the runs; return False, with a problem, for more than 100 runs."""
        if not self._raw and _RAW_LINE.search(block.data) is not None:
            self._raw = True
        if self._raw:
            others = list(self.runs[-1].raw.take(block))
            return all(self._read_line(line_no, raw) for line_no, raw in others)
        shapes = shapes_of(block) if block.data.count(_STATUS_MARK) >= _MANY else []
        lines = list(block.lines())
        for begin, end, shape in line_ranges(shapes, len(lines)):
            if shape is not None and self.runs[-1].status.lines(shape, block.first_line):
                continue
            if not all(self._read_line(line_no, raw) for line_no, raw in lines[begin:end]):
                return False
        return True

    def _read_line(self, line_no: int, raw: bytes) -> bool:
        """Add a line to the last or a new run; return False, with a problem, for more than 100 runs."""
        text = raw[:MAX_TEXT_BYTES].decode("utf-8", "replace")
        run = self.runs[-1]
        header = _RAW_HEADER.fullmatch(text)
        if self._begins_again(run, text, header):
            if len(self.runs) >= _MAX_RUNS:
                run.problems.error(f"more than {_MAX_RUNS} runs in one file", line_no)
                return False
            run = YcsbReader()
            self.runs.append(run)
        if header is not None:
            run.raw_headers.add(header[1])
        elif (status := STATUS.fullmatch(text)) is not None:
            run.status.line(line_no, status)
        elif (entry := text_entry(line_no, text)) is not None:
            run.entry(entry)
        elif (version := VERSION.fullmatch(text)) is not None:
            run.version = version[1]
        elif (command := COMMAND.fullmatch(text)) is not None:
            run.parameters.update(parameters_of(command[1]))
            run.has_command = True
        elif _CRASH.fullmatch(text):
            run.crashed = run.crashed or text[:200]
            run.problems.error(f"a thread of the client stopped: {text[:200]}", line_no)
        elif _EXCEPTION.fullmatch(text):
            run.exceptions.line(line_no, text)
        elif (single := _RAW.fullmatch(raw)) is not None:
            _read_single_raw_line(run, line_no, single)
        elif not _NOISE.fullmatch(text):
            self._note_unknown_line(run, line_no, text)
        return True

    @staticmethod
    def _begins_again(run: YcsbReader, text: str, header: re.Match[str] | None) -> bool:
        if header is not None:
            return header[1] in run.raw_headers
        if (overall := _OVERALL.fullmatch(text)) is not None:
            return overall[1] in run.overall
        return text.startswith("Command line:") and (run.has_command or bool(run.overall))

    def _note_unknown_line(self, run: YcsbReader, line_no: int, text: str) -> None:
        """Note a line of another program, once for each beginning of 24 characters, and five in all."""
        begin = text[:_ALIKE]
        if begin in self._unknown or len(self._unknown) > _MAX_NOTED:
            return
        self._unknown.add(begin)
        if len(self._unknown) <= _MAX_NOTED:
            run.problems.note(f"not a line of YCSB: {text[:80]!r}", line_no)
        elif len(self._unknown) == _MAX_NOTED + 1:
            run.problems.note("further lines that are not of YCSB are not listed", line_no)


def _read_single_raw_line(run: YcsbReader, line_no: int, match: re.Match[bytes]) -> None:
    """Add a raw line that was not read in a block; report and leave out an impossible time or latency."""
    at_ms, latency_us = int(match[2]), int(match[3])
    if latency_us > _MAX_LATENCY_US or not 10**12 <= at_ms < _LAST_RAW_MS:
        run.problems.error("a raw line has an impossible time or latency; it was left out", line_no)
        return
    run.raw.add(match[1], np.array([at_ms], dtype=np.int64), np.array([latency_us], dtype=np.int64))


def _json_runs(source: Source) -> list[ParsedRun]:
    """Return the runs; another run time begins another run. Raise ContentUnreadable without entries."""
    runs = [YcsbReader()]
    for entry in json_entries(source.whole(), runs[0].problems):
        is_run_time = (entry.metric, entry.measurement) == ("OVERALL", "RunTime(ms)")
        if is_run_time and "RunTime(ms)" in runs[-1].overall:
            if len(runs) >= _MAX_RUNS:
                runs[-1].problems.error(f"more than {_MAX_RUNS} runs in one file", entry.line_no)
                break
            runs.append(YcsbReader())
        runs[-1].entry(entry)
    begun = [run for run in runs if run.begun]
    if not begun:
        raise ContentUnreadable(f"{source.name} has no entry of YCSB that could be read")
    return [run.finish("ycsb-json") for run in begun]


YCSB = ToolImporter("ycsb", "YCSB", _detect, _runs)
