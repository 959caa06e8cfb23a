"""Result files as a report, without a server: the verdicts of a pack and the figures of a comparison."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime

from tailroom.analysis.schemas import CurveOut
from tailroom.analysis.shares import quantile_points
from tailroom.catalogue.disclosure import label_of
from tailroom.domain.errors import DomainError
from tailroom.domain.simulated import is_simulated
from tailroom.domain.units import duration_text
from tailroom.domain.verdicts.other_tools import load_text
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries
from tailroom.reports.content import SIMULATED_FACT, Fact, Report, SourceFile, Subject, flattened
from tailroom.reports.file_verdicts import Verdict, answer_first

_ENDED = {
    "finished": "it reached its end",
    "device_too_slow": "what was measured could not keep up",
    "generator_too_slow": "the generator could not keep up",
    "failed": "it failed",
    "killed": "it was killed",
    "growing": "it was still running",
    "unknown": "not stated",
}


class NothingToReport(DomainError):
    """Files without a run."""


def report_of_files(
    files: Mapping[str, bytes], runs: Sequence[ParsedRun], verdicts: Sequence[Verdict], made_at: datetime
) -> Report:
    """What was read of the files and concluded from it. `verdicts` speak of the runs by their number.

    Raises NothingToReport.
    """
    if not runs:
        raise NothingToReport("no run is in these files: there is nothing to report")
    sources = tuple(
        SourceFile(name, hashlib.sha256(data).hexdigest(), len(data)) for name, data in files.items()
    )
    subjects = tuple(
        Subject(
            title=_title(run, number, len(runs)),
            facts=_facts(run),
            verdicts=tuple(
                one.assessment.document()
                for one in answer_first(run, [one for one in verdicts if one.run == number])
            ),
            curves=tuple(_curve(one) for one in run.series if one.record.total != 0),
            configuration=tuple(flattened(dict(run.parameters))),
            not_disclosed=tuple(label_of(name) for name in run.missing),
            problems=tuple(
                f"{one.file or 'file'}{f', line {one.line}' if one.line else ''}: {one.reason}"
                for one in run.problems
            ),
            files=sources,
        )
        for number, run in enumerate(runs)
    )
    return Report(", ".join(files), made_at, subjects)


def _title(run: ParsedRun, number: int, count: int) -> str:
    tool = " ".join(one for one in (run.tool, run.tool_version) if one)
    return tool if count == 1 else f"Run {number + 1}: {tool}"


def _facts(run: ParsedRun) -> tuple[Fact, ...]:
    ended = _ENDED.get(run.state.value, run.state.value)
    return (
        *([SIMULATED_FACT] if is_simulated({"parameters": run.parameters}) else []),
        Fact("Measured by", " ".join(one for one in (run.tool, run.tool_version) if one)),
        Fact("Format", run.format),
        Fact("Began", f"{run.started_at:%Y-%m-%d %H:%M:%S %Z}" if run.started_at else "not stated"),
        Fact("Lasted", "not stated" if run.duration_ns is None else duration_text(run.duration_ns)),
        Fact("Ended", f"{ended} ({run.state_text})" if run.state_text else ended),
        Fact("Load", load_text(run.tool, closed_loop=run.closed_loop)),
    )


def _curve(series: ParsedSeries) -> CurveOut:
    record = series.record
    named = [series.operation, *(one for one in (series.device, series.phase) if one)]
    return CurveOut.model_validate(
        {
            "operation": " · ".join(named),
            "clock": series.clock,
            "count": None if record.total is None else record.total - record.misses.total,
            "miss_count": record.misses.total,
            "max_ns": getattr(record, "max_ns", None),
            "points": quantile_points(record),
            "printed": [],
        }
    )
