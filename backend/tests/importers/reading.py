"""What the tests of importers share: samples by name, read through the registry as anybody's file."""

from pathlib import Path

from tailroom.domain.latency.distribution import TimeBounds
from tailroom.importers.parsed_run import Claim, ParsedRun, ParsedSeries
from tailroom.importers.registry import read
from tailroom.importers.source import from_bytes, from_path

SAMPLES = Path(__file__).parent / "samples"


def runs_of(sample: str) -> tuple[ParsedRun, ...]:
    """Every run of a sample."""
    return read(from_path(SAMPLES / sample)).runs


def run_of(sample: str) -> ParsedRun:
    """The one run of a sample."""
    (run,) = runs_of(sample)
    return run


def run_of_text(text: str | bytes, name: str = "upload.txt") -> ParsedRun:
    """The one run of a file made here."""
    (run,) = runs_of_text(text, name)
    return run


def runs_of_text(text: str | bytes, name: str = "upload.txt") -> tuple[ParsedRun, ...]:
    """Every run of a file made here."""
    return read(from_bytes(name, text if isinstance(text, bytes) else text.encode())).runs


def series(run: ParsedRun, operation: str, clock: str = "service") -> ParsedSeries:
    """The series of an operation on a clock."""
    (found,) = [one for one in run.series if (one.operation, one.clock) == (operation, clock)]
    return found


def claim(run: ParsedRun, operation: str, quantity: str, quantile: float | None = None) -> Claim:
    """The one claim about the whole run."""
    (found,) = [
        one
        for one in run.claims
        if (one.operation, one.quantity, one.quantile) == (operation, quantity, quantile)
        and one.start_ns is None
    ]
    return found


def holds(bounds: TimeBounds, time_ns: int) -> bool:
    """Whether a time lies between the ends."""
    return bounds.lower_ns <= time_ns and (bounds.upper_ns is None or time_ns <= bounds.upper_ns)
