"""P20: a drive's own counters against a measurement.

The limits are conventions: bytes of other writers are reported from 64 MiB and a hundredth of the
measurement's own bytes on, because a file system writes a little beside every file.
"""

from collections.abc import Iterator, Sequence

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
        findings = [*_findings(drive)]
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


def _findings(drive: DriveSummary) -> Iterator[Finding]:
    """Yield the findings on a drive; an unknown figure gives none."""
    disk = drive.disk
    by_key = {figure.key: figure for figure in drive.figures if figure.is_known}
    least = {key: figure.lower or 0 for key, figure in by_key.items()}
    above_zero = {key for key, lower in least.items() if lower > 0}
    for key, unit in (("throttled_s", "s"), ("throttling_count", "times")):
        if key in above_zero:
            statement = (
                f"{disk} slowed itself down because of heat while it was measured, at least {least[key]:g} "
                f"{unit}. Latencies of that time are those of a hot drive."
            )
            yield _finding("high", "throttled", statement, by_key[key])
            break
    for key, whose in (("over_volume_limit_s", "the volume's"), ("over_instance_limit_s", "the machine's")):
        if key in above_zero:
            statement = (
                f"For {least[key]:.3g} s more was asked of {disk} than {whose} limit of operations or "
                "throughput allows, so the provider held operations back."
            )
            yield _finding("high", "limited-by-provider", statement, by_key[key])
            break
    if least.get("link_ratio", 1) < 1:
        statement = (
            f"The link of {disk} ran at {100 * least['link_ratio']:.0f} % of what drive and slot can do "
            "together. Another slot, cable or setting may be faster."
        )
        yield _finding("medium", "link-degraded", statement, by_key["link_ratio"])
    by_others, by_agent = by_key.get("foreign_written_bytes"), by_key.get("agent_written_bytes")
    if by_others is not None and by_agent is not None:
        written = least[by_others.key]
        if written >= max(_FOREIGN_LEAST_BYTES, _FOREIGN_LEAST_RATIO * (by_agent.upper or 0)):
            statement = (
                f"At least {written / 1e6:,.0f} MB were written to {disk} by others than the measurement: "
                "other programs of this machine, the agent's spool, or the file system."
            )
            yield _finding("medium", "other-writers", statement, by_others, by_agent)
    if (used := least.get("wear_used_pct", 0)) > 100:
        statement = f"{disk} states {used:g} % of its rated life as used, more than it is rated for."
        yield _finding("medium", "worn-out", statement, by_key["wear_used_pct"])
    if bits := int(least.get("critical_warning", 0)):
        named = [text for bit, text in enumerate(_WARNINGS) if bits >> bit & 1] or [f"bits {bits:#x}"]
        statement = f"{disk} gives a critical warning: {', '.join(named)}."
        yield _finding("high", "critical-warning", statement, by_key["critical_warning"])
    if "media_errors" in above_zero:
        statement = f"{disk} counted {least['media_errors']:g} errors of its media while it was measured."
        yield _finding("high", "media-errors", statement, by_key["media_errors"])
