"""The importer of fio: recognises the kind of file by its beginning, and reads it."""

import re
from collections.abc import Sequence

from tailroom.importers.fio import logs, terse
from tailroom.importers.fio.documents import documents
from tailroom.importers.fio.histogram_log import histogram_columns, read_histogram_log
from tailroom.importers.fio.normal import read_normal
from tailroom.importers.fio.report import read_runs
from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import ToolImporter

_VERSION = re.compile(r'"fio version"\s*:\s*"(?:fio-)?([^"\n]{1,100})"')
_RESULT = ('"clat_ns"', '"clat"', '"total_ios"', '"io_bytes"')
_NORMAL = re.compile(r"(?m)(?:^|\r)[ \t]*(\S.{0,300}): \(groupid=\d+, jobs=\d+\): err=\s*\d+")
_FIRST_LINES = 20


def _detect(head: Head) -> Detection | None:
    version = _VERSION.search(head.text)
    jobs = '"jobname"' in head.text and any(word in head.text for word in _RESULT)
    if version is not None or jobs:
        form = "fio-json+" if '"bins" :' in head.text or '"bins":' in head.text else "fio-json"
        return Detection(
            form,
            "fio",
            version[1] if version is not None else None,
            '`"fio version"` in JSON' if version is not None else "jobs with latencies as fio writes them",
            Certainty.CERTAIN if version is not None else Certainty.LIKELY,
        )
    lines = [line for line in head.lines if line.strip()]
    if (normal := _NORMAL.search(head.text)) is not None:
        return Detection("fio-normal", "fio", None, f"a job `{normal[1][:60]}: (groupid=…): err=…`")
    for line in lines:
        if terse.LINE.fullmatch(line.strip()):
            match = re.match(r"[345];fio-([^;]{1,100});", line)
            return Detection(
                "fio-terse", "fio", match[1] if match else None, "a terse line with fio's columns"
            )
    return _detect_log(head, lines)


def _detect_log(head: Head, lines: Sequence[str]) -> Detection | None:
    if not lines:
        return None
    if histogram_columns(lines[0]) is not None:
        return Detection(
            "fio-histogram-log",
            "fio",
            None,
            f"{lines[0].count(',') + 1} columns: time, direction, size, bins",
        )
    complete = lines[:-1] if len(lines) > 1 and not head.data.endswith(b"\n") else lines
    if not logs.is_log(complete[:_FIRST_LINES]):
        return None
    quantity = logs.quantity_of(head.name)
    return Detection(
        f"fio-{quantity or 'unknown'}-log",
        "fio",
        None,
        "lines of time, value, direction and block size",
        Certainty.LIKELY if quantity is not None else Certainty.POSSIBLE,
    )


def _runs(source: Source) -> list[ParsedRun]:
    detection = _detect(source.head)
    problems = Problems()
    form = detection.format if detection is not None else ""
    if form.startswith("fio-json"):
        return read_runs(documents(source.whole(), problems), source.name, problems)
    if form == "fio-terse":
        return [terse.read_terse(source, problems)]
    if form == "fio-histogram-log":
        return [read_histogram_log(source, problems)]
    if form.endswith("-log"):
        return [logs.read_log(source, source.name, problems)]
    if form == "fio-normal":
        parsed = documents(source.whole(), problems)
        if parsed:
            return read_runs(parsed, source.name, problems)
        return read_normal(source, problems)
    raise ContentUnreadable(f"{source.name} has nothing that fio writes")


FIO = ToolImporter("fio", "fio", _detect, _runs, most_runs=100_000)
