"""Runs of ACT logs that tests write, their series, counts and problems."""

from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.importers.act.importer import ACT
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries, Severity
from tailroom.importers.source import Source, from_bytes

S_NS = 10**9
COUNTS_BY_BUCKET = st.dictionaries(st.integers(0, 20), st.integers(1, 10**11), max_size=8)


def read(text: str | bytes, *beside: Source) -> list[ParsedRun]:
    """All runs of a log."""
    data = text.encode() if isinstance(text, str) else text
    return ACT.parse(from_bytes("x.log", data), beside)


def one(text: str | bytes, *beside: Source) -> ParsedRun:
    """The only run of a log."""
    (run,) = read(text, *beside)
    return run


def series(run: ParsedRun, operation: str, clock: str, device: str | None = None) -> ParsedSeries:
    """The one series of this kind."""
    (found,) = [
        one for one in run.series if (one.operation, one.clock, one.device) == (operation, clock, device)
    ]
    return found


def counted(found: ParsedSeries) -> dict[int, int]:
    """Counts by bucket of the whole run."""
    assert isinstance(found.record, LatencyDist)
    counts = found.record.counts
    return dict(zip(counts.indices.tolist(), counts.counts.tolist(), strict=True))


def reasons(run: ParsedRun, severity: Severity | None = None) -> str:
    """All problems as one text."""
    return "\n".join(
        f"{problem.line}: {problem.reason}"
        for problem in run.problems
        if severity is None or problem.severity is severity
    )
