"""P20: a drive's own counters against a measurement.

The limits are conventions: bytes of other writers are reported from 64 MiB and a hundredth of the
measurement's own bytes on, because a file system writes a little beside every file.
"""

from collections.abc import Callable, Iterator, Sequence

from tailroom.domain.drive_counters.summary import CounterFigure, DriveSummary
from tailroom.domain.plausibility.finding import Finding, FindingFigure, Severity, consistent

CHECK = "P20"
_FOREIGN_LEAST_BYTES = 64 * 1024**2
_FOREIGN_LEAST_RATIO = 0.01
_WARNINGS = (
    "spare blocks are below the threshold",
    "a temperature is beyond its threshold",
    "reliability is degraded",
    "the media are read-only",
    "the backup of volatile memory has failed",
    "the persistent memory region is read-only or unreliable",
)
"""Text of each bit of the critical warning, from bit 0."""


def drive_findings(drives: Sequence[DriveSummary]) -> Iterator[Finding]:
    """Yield the findings on each drive whose counters were read, or a `consistent` finding."""
    for drive in drives:
        if drive.reason is not None:
            continue
        findings = [finding for check in _CHECKS if (finding := check(drive)) is not None]
        yield from findings
        if not findings:
            statement = f"The counters of {drive.disk} that were read say nothing against the measurement."
            yield consistent(CHECK, statement)


def _finding(severity: Severity, kind: str, statement: str, *figures: CounterFigure) -> Finding:
    """Return a finding of check P20. Each counter becomes a figure, with its lower bound as the value."""
    shown = tuple(
        FindingFigure(figure.key, figure.lower, figure.lower, figure.upper, figure.unit) for figure in figures
    )
    return Finding(CHECK, severity, kind, statement, shown)


def _throttled(drive: DriveSummary) -> Finding | None:
    """Return the finding on a drive that slowed down because of heat; None if it did not, or if unknown."""
    seconds, count = drive.known("throttled_s"), drive.known("throttling_count")
    for figure in (seconds, count):
        if figure is not None and (figure.lower or 0) > 0:
            amount = (
                f"at least {figure.lower:g} s" if figure is seconds else f"at least {figure.lower:g} times"
            )
            statement = (
                f"{drive.disk} slowed itself down because of heat while it was measured, {amount}. Latencies"
                " of that time are those of a hot drive."
            )
            return _finding("high", "throttled", statement, figure)
    return None


def _held_back(drive: DriveSummary) -> Finding | None:
    """Return the finding on operations that a provider held back at a limit; None without any, or unknown."""
    names = {"over_volume_limit_s": "the volume's", "over_instance_limit_s": "the machine's"}
    for key, whose in names.items():
        figure = drive.known(key)
        if figure is not None and (figure.lower or 0) > 0:
            statement = (
                f"For {figure.lower:.3g} s more was asked of {drive.disk} than {whose} limit of operations or"
                " throughput allows, so the provider held operations back."
            )
            return _finding("high", "limited-by-provider", statement, figure)
    return None


def _link(drive: DriveSummary) -> Finding | None:
    """Return the finding on a link slower than drive and slot allow; None if it was not, or if unknown."""
    figure = drive.known("link_ratio")
    if figure is None or figure.lower is None or figure.lower >= 1:
        return None
    statement = (
        f"The link of {drive.disk} ran at {100 * figure.lower:.0f} % of what drive and slot can do together."
        " Another slot, cable or setting may be faster."
    )
    return _finding("medium", "link-degraded", statement, figure)


def _other_writers(drive: DriveSummary) -> Finding | None:
    """Return the finding on bytes that others wrote to the drive meanwhile; None if few, or if unknown."""
    foreign, own = drive.known("foreign_written_bytes"), drive.known("agent_written_bytes")
    if foreign is None or own is None or foreign.lower is None:
        return None
    if foreign.lower < max(_FOREIGN_LEAST_BYTES, _FOREIGN_LEAST_RATIO * (own.upper or 0)):
        return None
    statement = (
        f"At least {foreign.lower / 1e6:,.0f} MB were written to {drive.disk} by others than the measurement:"
        " other programs of this machine, the agent's spool, or the file system."
    )
    return _finding("medium", "other-writers", statement, foreign, own)


def _worn(drive: DriveSummary) -> Finding | None:
    """Return the finding on a drive past its rated life; None if it is not, or if unknown."""
    figure = drive.known("wear_used_pct")
    if figure is None or figure.lower is None or figure.lower <= 100:
        return None
    statement = (
        f"{drive.disk} states {figure.lower:g} % of its rated life as used, more than it is rated for."
    )
    return _finding("medium", "worn-out", statement, figure)


def _warning(drive: DriveSummary) -> Finding | None:
    """Return the finding on a critical warning of the drive; None if there is none, or if unknown."""
    figure = drive.known("critical_warning")
    if figure is None or not figure.lower:
        return None
    bits = int(figure.lower)
    named = [text for bit, text in enumerate(_WARNINGS) if bits >> bit & 1] or [f"bits {bits:#x}"]
    statement = f"{drive.disk} gives a critical warning: {', '.join(named)}."
    return _finding("high", "critical-warning", statement, figure)


def _media_errors(drive: DriveSummary) -> Finding | None:
    """Return the finding on media errors during the measurement; None if there were none, or if unknown."""
    figure = drive.known("media_errors")
    if figure is None or not figure.lower:
        return None
    statement = f"{drive.disk} counted {figure.lower:g} errors of its media while it was measured."
    return _finding("high", "media-errors", statement, figure)


_CHECKS: Sequence[Callable[[DriveSummary], Finding | None]] = (
    _throttled,
    _held_back,
    _link,
    _other_writers,
    _worn,
    _warning,
    _media_errors,
)
