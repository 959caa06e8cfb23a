"""P16: published results judged again by their own criteria, and by both clocks.

Shares are ratios of requests at or over a limit in ns; `limits` and `own` map limits to the share that must
not be reached. Source: docs/method.md 6.1 (strict comparison) and 7; findings C01, A07, A08, A09, A11.
"""

from collections.abc import Iterator, Mapping, Sequence

from tailroom.domain import act
from tailroom.domain.claims.claim import Publication
from tailroom.domain.plausibility.finding import (
    Finding,
    FindingFigure,
    NumberBounds,
    Severity,
    consistent,
    figure,
    undecided,
)
from tailroom.domain.plausibility.material import ACT, DEVICE, TOTAL, DriveRow, limits_of
from tailroom.domain.units import latency_text, percent_text

PASS, FAIL, OPEN = "PASS", "FAIL", "UNDECIDED"


Shares = Mapping[int, tuple[NumberBounds, str]]
"""Shares that a table row reports over limits in ns, each with the key of its claim."""


def criteria(publication: Publication, rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the findings of check P16 by the document's own limits, by those of ACT, and by both clocks."""
    if not rows:
        return
    own, keep = limits_of(publication)
    official = {**act.LIMITS} if any(row.tool == ACT for row in rows) else own
    if keep:
        failing = _failing(rows, own)
        words = f"{len(failing)} of {len(rows)} rows miss the criteria printed with them"
        yield from _failing_rows("high", "listed although failing", words, failing, own)
        if not failing:
            words = f"All {len(rows)} rows keep the criteria printed with them, or are undecided."
            yield consistent("P16", words)
    elif own and not own.keys() >= official.keys():
        failing = [row for row in _failing(rows, official) if judge(row.overall[1], own) == PASS]
        named = ", ".join(f"{100 * share:g} % over {latency_text(at)}" for at, share in own.items())
        words = (
            f"The document judges by {named} only. Passing that, and missing a limit of the official criteria"
        )
        yield from _failing_rows("medium", "criterion incomplete", words, failing, official)
    yield from _undecided_rows(rows, official)
    yield from _flipped_by_clock(rows, official)


def judge(shares: Shares, limits: Mapping[int, float]) -> str:
    """Return PASS, FAIL or UNDECIDED for a row, by the limits that it reports; UNDECIDED without any."""
    words = [_judge_one(share, limits[at]) for at, (share, _) in shares.items() if at in limits]
    if FAIL in words:
        return FAIL
    return PASS if words and set(words) == {PASS} else OPEN


def _judge_one(share: NumberBounds, limit: float) -> str:
    if share.upper is not None and share.upper < limit:
        return PASS
    return FAIL if share.lower is not None and share.lower >= limit else OPEN


def _is_on_boundary(share: NumberBounds, limit: float) -> bool:
    """Return whether the printed share equals the allowed share, so that both results are possible."""
    is_open = _judge_one(share, limit) == OPEN
    return is_open and share.value is not None and abs(share.value - limit) <= 1e-12


def _undecided_rows(rows: Sequence[DriveRow], limits: Mapping[int, float]) -> Iterator[Finding]:
    for row in rows:
        for at, (share, key) in row.overall[1].items():
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


def _flipped_by_clock(rows: Sequence[DriveRow], limits: Mapping[int, float]) -> Iterator[Finding]:
    """Yield the finding on rows that pass by total latency and fail by device latency, or the reverse."""
    both = [row for row in rows if TOTAL in row.shares and DEVICE in row.shares]
    flipped = [
        row for row in both if {judge(row.shares[clock], limits) for clock in (TOTAL, DEVICE)} == {PASS, FAIL}
    ]
    if flipped:
        places = [(row, clock) for row in flipped for clock in (TOTAL, DEVICE)]
        yield Finding(
            "P16",
            "medium",
            "total versus device changes the verdict",
            f"{len(flipped)} of {len(both)} rows pass by the device alone and fail by the whole latency, or "
            "the other way round: " + "; ".join(row.label for row in flipped) + ".",
            (
                figure("rows", len(flipped), "count"),
                *(number for row, clock in places for number in _figures(row, clock, limits)),
            ),
            tuple(key for row, clock in places for _, key in row.shares[clock].values()),
        )


def accepted_anyway(accepted: Sequence[DriveRow], own: Mapping[int, float]) -> Iterator[Finding]:
    """Yield the finding on accepted rows that reach the document's own limits, if any."""
    failing = _failing(accepted, own)
    words = (
        f"{len(failing)} rows reach the level of concern that the document itself sets, without being "
        "called so"
    )
    yield from _failing_rows("medium", "judged against its own criterion", words, failing, own)


def _failing(rows: Sequence[DriveRow], limits: Mapping[int, float]) -> list[DriveRow]:
    return [row for row in rows if judge(row.overall[1], limits) == FAIL]


def _failing_rows(
    severity: Severity, kind: str, words: str, failing: Sequence[DriveRow], limits: Mapping[int, float]
) -> Iterator[Finding]:
    if failing:
        each = "; ".join(f"{row.label} {_broken_limits_text(row, limits)}" for row in failing)
        figures = tuple(number for row in failing for number in _figures(row, row.overall[0], limits))
        keys = tuple(key for row in failing for _, key in row.overall[1].values())
        yield Finding("P16", severity, kind, f"{words}: {each}.", figures, keys)


def _broken_limits_text(row: DriveRow, limits: Mapping[int, float]) -> str:
    parts = [
        f"{percent_text(share.value or 0.0)} over {latency_text(at)}"
        for at, (share, _) in row.overall[1].items()
        if at in limits and _judge_one(share, limits[at]) == FAIL
    ]
    return f"({', '.join(parts)})" if parts else "(undecided)"


def _figures(row: DriveRow, clock: str, limits: Mapping[int, float]) -> list[FindingFigure]:
    """Return a figure for each share of a row that has a limit and is not certainly below it."""
    return [
        figure(f"{row.label}, {clock}, over {latency_text(at)}", share, "ratio")
        for at, (share, _) in row.shares.get(clock, {}).items()
        if at in limits and _judge_one(share, limits[at]) != PASS
    ]
