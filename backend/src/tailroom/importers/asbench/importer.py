"""The importer of asbench: its standard output, and the file of `--output-file`."""

from tailroom.importers.asbench import histograms
from tailroom.importers.asbench.log import HDR, RATES, STARTED, AsbenchReader
from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.parsed_run import ParsedRun, Problem, Severity
from tailroom.importers.printed import MAX_TEXT_BYTES
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import ToolImporter

_PREAMBLE_MARKS = ("hdr histogram format:", "cumulative HDR hist:", "write commit level:", "read mode AP:")
_MAX_RUNS = 100


def _detect(head: Head) -> Detection | None:
    marks = [mark for mark in _PREAMBLE_MARKS if mark in head.text]
    if len(marks) >= 2:
        return Detection("asbench-log", "asbench", None, f"the preamble of asbench (`{marks[0]}`)")
    for line in head.lines:
        if histograms.LINE.fullmatch(line):
            return Detection("asbench-histogram", "asbench", None, "a line `…_hist` with `lower edge:count`")
        if RATES.match(line):
            return Detection(
                "asbench-log", "asbench", None, "periodic lines `INFO write(tps=…`", Certainty.LIKELY
            )
        if HDR.fullmatch(line):
            return Detection("asbench-log", "asbench", None, "lines `hdr: read …`", Certainty.LIKELY)
    if "Total num buckets:" in head.text and "_hist:" in head.text:
        return Detection("asbench-histogram", "asbench", None, "the description of asbench's buckets")
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return up to 100 measured runs; report further runs. Raise ContentUnreadable without any."""
    detection = _detect(source.head)
    form = detection.format if detection is not None else "asbench-log"
    runs: list[AsbenchReader] = [AsbenchReader()]
    described: set[str] = set()
    for line_no, raw in source.lines():
        text = raw[:MAX_TEXT_BYTES].decode("utf-8", "replace").rstrip()
        title = histograms.TITLE.fullmatch(text)
        again = title is not None and title[1] in described and bool(runs[-1].histograms)
        if (again or text.startswith("hosts: ") or STARTED.match(text)) and runs[-1].has_measurements:
            if len(runs) >= _MAX_RUNS:
                reason = f"more than {_MAX_RUNS} runs in one file"
                runs[-1].problems.append(Problem(reason, line_no, Severity.ERROR))
                break
            runs.append(AsbenchReader())
            described.clear()
        if title is not None:
            described.add(title[1])
        if not runs[-1].total_fell:
            runs[-1].line(line_no, text)
    measured = [run for run in runs if run.has_measurements]
    if not measured:
        raise ContentUnreadable(f"{source.name} has the preamble of asbench, but no measurement follows")
    return [run.finish(form) for run in measured]


ASBENCH = ToolImporter("asbench", "asbench", _detect, _runs)
