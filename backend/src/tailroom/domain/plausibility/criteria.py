"""P16: published results judged again by their own criteria, and by both clocks.

Shares are ratios of requests at or over a limit in ns; `limits` and `own` map limits to the share that must
not be reached. Source: docs/method.md 6.1 (strict comparison) and 7; findings C01, A07, A08, A09, A11.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tailroom.domain.plausibility.finding import (
    Finding,
    FindingFigure,
    NumberBounds,
    Severity,
    figure,
    undecided,
)
from tailroom.domain.units import latency_text, percent_text

PASS, FAIL, OPEN = "PASS", "FAIL", "UNDECIDED"


@dataclass(frozen=True, slots=True)
class ReportedShares:
    """Shares that a table row reports over limits in ns, each with the key of its claim. `clock` names the
    latency that they count: `total`, `device` or not stated.
    """

    label: str
    clock: str
    shares: Mapping[int, tuple[NumberBounds, str]]

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the claims of the row."""
        return tuple(key for _, key in self.shares.values())


def judge(row: ReportedShares, limits: Mapping[int, float]) -> str:
    """Return PASS, FAIL or UNDECIDED for a row, by the limits that it reports; UNDECIDED without any."""
    words = [_judge_one(share, limits[at]) for at, (share, _) in row.shares.items() if at in limits]
    if FAIL in words:
        return FAIL
    return PASS if words and set(words) == {PASS} else OPEN


def _judge_one(share: NumberBounds, limit: float) -> str:
    """Return PASS, FAIL or UNDECIDED for a share and the share that must not be reached."""
    if share.upper is not None and share.upper < limit:
        return PASS
    return FAIL if share.lower is not None and share.lower >= limit else OPEN


def _is_on_boundary(share: NumberBounds, limit: float) -> bool:
    """Return whether the printed share equals the allowed share, so that both results are possible."""
    is_open = _judge_one(share, limit) == OPEN
    return is_open and share.value is not None and abs(share.value - limit) <= 1e-12


def listed_as_passing(rows: Sequence[ReportedShares], limits: Mapping[int, float]) -> Iterator[Finding]:
    """Yield the finding on rows that are presented as passed and fail, if any."""
    failing = [row for row in rows if judge(row, limits) == FAIL]
    words = f"{len(failing)} of {len(rows)} rows miss the criteria printed with them"
    yield from _failing_rows("high", "listed although failing", words, failing, limits)


def undecided_rows(rows: Sequence[ReportedShares], limits: Mapping[int, float]) -> Iterator[Finding]:
    """Yield a finding for each row and limit that rounding leaves undecided."""
    for row in rows:
        for at, (share, key) in row.shares.items():
            if at not in limits or not _is_on_boundary(share, limits[at]):
                continue
            yield undecided(
                "P16",
                f"{row.label}: {percent_text(share.value or 0.0)} over {latency_text(at)} is printed, "
                "exactly the limit, which must not be reached. The true share may lie on either side: the "
                "row is undecided.",
                (figure(f"over {latency_text(at)}", share, "ratio"), figure("limit", limits[at], "ratio")),
                (key,),
            )


def flipped_by_clock(
    pairs: Sequence[tuple[ReportedShares, ReportedShares]], limits: Mapping[int, float]
) -> Iterator[Finding]:
    """Yield the finding on rows that pass by total latency and fail by device latency, or the reverse.
    `pairs` are `(total, device)`, each for one row.
    """
    flipped = [
        (total, device)
        for total, device in pairs
        if {judge(total, limits), judge(device, limits)} == {PASS, FAIL}
    ]
    if not flipped:
        return
    figures = [
        number for total, device in flipped for row in (total, device) for number in _figures(row, limits)
    ]
    yield Finding(
        "P16",
        "medium",
        "total versus device changes the verdict",
        f"{len(flipped)} of {len(pairs)} rows pass by the device alone and fail by the whole latency, or the "
        "other way round: " + "; ".join(total.label for total, _ in flipped) + ".",
        (figure("rows", len(flipped), "count"), *figures),
        tuple(key for pair in flipped for row in pair for key in row.keys),
    )


def criterion_incomplete(
    rows: Sequence[ReportedShares], own: Mapping[int, float], limits: Mapping[int, float]
) -> Iterator[Finding]:
    """Yield the finding on rows that pass the document's own, fewer limits and fail `limits`."""
    if not own or own.keys() >= limits.keys():
        return
    failing = [row for row in rows if judge(row, own) == PASS and judge(row, limits) == FAIL]
    named = ", ".join(f"{100 * share:g} % over {latency_text(at)}" for at, share in own.items())
    words = f"The document judges by {named} only. Passing that, and missing a limit of the official criteria"
    yield from _failing_rows("medium", "criterion incomplete", words, failing, limits)


def accepted_anyway(accepted: Sequence[ReportedShares], own: Mapping[int, float]) -> Iterator[Finding]:
    """Yield the finding on accepted rows that reach the document's own limits, if any."""
    failing = [row for row in accepted if judge(row, own) == FAIL]
    words = (
        f"{len(failing)} rows reach the level of concern that the document itself sets, without being "
        "called so"
    )
    yield from _failing_rows("medium", "judged against its own criterion", words, failing, own)


def _failing_rows(
    severity: Severity, kind: str, words: str, failing: Sequence[ReportedShares], limits: Mapping[int, float]
) -> Iterator[Finding]:
    """Yield the finding on failing rows, listed after `words` with the broken limits, if any."""
    if not failing:
        return
    each = "; ".join(f"{row.label} {_broken_limits_text(row, limits)}" for row in failing)
    figures = tuple(number for row in failing for number in _figures(row, limits))
    keys = tuple(key for row in failing for key in row.keys)
    yield Finding("P16", severity, kind, f"{words}: {each}.", figures, keys)


def _broken_limits_text(row: ReportedShares, limits: Mapping[int, float]) -> str:
    """Return the shares of a row that certainly reach a limit, in brackets; `(undecided)` if none does."""
    parts = [
        f"{percent_text(share.value or 0.0)} over {latency_text(at)}"
        for at, (share, _) in row.shares.items()
        if at in limits and _judge_one(share, limits[at]) == FAIL
    ]
    return f"({', '.join(parts)})" if parts else "(undecided)"


def _figures(row: ReportedShares, limits: Mapping[int, float]) -> list[FindingFigure]:
    """Return a figure for each share of a row that has a limit and is not certainly below it."""
    return [
        figure(f"{row.label}, {row.clock}, over {latency_text(at)}", share, "ratio")
        for at, (share, _) in row.shares.items()
        if at in limits and (_judge_one(share, limits[at]) != PASS)
    ]
