"""What holds of every importer: blanks at the end of lines, excerpts, and numbers of twin series."""

import re
from collections import Counter

import pytest
from backend.tests.importers.reading import SAMPLES
from backend.tests.importers.test_meaning import TEXTS, runs_of_bytes, runs_of_whole

from tailroom.importers.parsed_run import ParsedRun

_LONGEST = 1.6
"""Of an excerpt's stretches, how much longer than the longest of the whole file one may be."""


def _said(runs: list[ParsedRun]) -> list[object]:
    claims = [
        (one.operation, one.quantity, one.printed, one.quantile, one.start_ns)
        for run in runs
        for one in run.claims
    ]
    series = [(one.operation, one.clock, one.device, one.record.total) for run in runs for one in run.series]
    return [*claims, *series]


@pytest.mark.parametrize("name", [name for name in TEXTS if not name.endswith(".bin")])
def test_blanks_at_the_end_of_lines_change_nothing(name: str) -> None:
    """Terminals and mails pad lines, also the titles that a test begins with."""
    data = (SAMPLES / name).read_bytes()
    padded = re.sub(rb"(?m)(?<=\S)(?=\r?$)", b"    ", data)
    assert _said(runs_of_bytes(name, padded)) == _said(runs_of_whole(name))


def _lengths(runs: list[ParsedRun]) -> list[int]:
    found = [one.duration_ns for run in runs for one in run.claims if one.duration_ns is not None]
    for run in runs:
        for held in run.series:
            found += [one.duration_ns for one in held.periods]
            if held.intervals is not None:
                found += held.intervals.duration_ns.tolist()
    return found


def _begins(runs: list[ParsedRun]) -> set[int]:
    found = {one.start_ns for run in runs for one in run.claims if one.start_ns is not None}
    for run in runs:
        for held in run.series:
            found |= {one.start_ns for one in held.periods}
            if held.intervals is not None:
                found |= set(held.intervals.start_ns.tolist())
    return found


@pytest.mark.parametrize("name", TEXTS)
def test_an_excerpt_says_nothing_of_the_time_before_it(name: str) -> None:
    whole = _lengths(runs_of_whole(name))
    if not whole:
        pytest.skip("it has no course")
    lines = (SAMPLES / name).read_bytes().splitlines(keepends=True)
    for part in (2, 3):
        excerpt = b"".join(lines[len(lines) * (part - 1) // part :])
        runs = runs_of_bytes(name, excerpt)
        # Of a single row nothing says whether it is the first.
        if len(_begins(runs)) > 1:
            assert max(_lengths(runs), default=0) <= _LONGEST * max(whole)


@pytest.mark.parametrize("name", TEXTS)
def test_twin_series_have_the_numbers_that_are_printed_of_each(name: str) -> None:
    """Where one name stands for several series, a number of the run does not say which one it is of."""
    quantities = {f"latency_{one}_ns" for one in ("mean", "min", "max", "deviation")}
    for run in runs_of_whole(name):
        names = Counter(one.operation for one in run.series)
        held = {(one.operation, one.quantity, one.printed) for each in run.series for one in each.printed}
        phases = {each.operation for each in run.series if each.phase is not None}
        lost = [
            (one.operation, one.quantity, one.printed)
            for one in run.claims
            if one.quantity in quantities
            and one.start_ns is None
            and names[one.operation] > 1
            # Numbers of all phases together are of none of them.
            and one.operation not in phases
        ]
        assert [one for one in lost if one not in held] == []
