"""What every importer says where numbers mean little: right, named as unknown, or refused."""

import pytest
from backend.tests.importers.meanings import MEANINGS, Case

from tailroom.domain.errors import DomainError
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries, Severity
from tailroom.importers.registry import IMPORTERS, detect, read
from tailroom.importers.source import from_bytes

NAMES = [one.name for one in IMPORTERS]


def _runs(case: Case) -> list[ParsedRun]:
    return list(read(from_bytes(case.name, case.text.encode())).runs)


def _about(runs: list[ParsedRun], case: Case) -> list[ParsedSeries]:
    return [one for run in runs for one in run.series if case.operation in ("", one.operation)]


def test_every_importer_has_a_row() -> None:
    assert sorted(MEANINGS) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["one", "units", "rounding", "contradiction"])
def test_the_case_is_a_file_of_the_tool_or_a_reason(name: str, kind: str) -> None:
    case = getattr(MEANINGS[name], kind)
    if isinstance(case, str):
        assert len(case) > 5
        return
    _, importer = detect(from_bytes(case.name, case.text.encode()))
    assert importer.name == name


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["one", "units", "rounding"])
def test_what_is_said_holds_the_truth(name: str, kind: str) -> None:
    """Its median does not exclude what the printed number stands for; its count is that of the file."""
    case = getattr(MEANINGS[name], kind)
    if isinstance(case, str):
        pytest.skip(case)
    found = _about(_runs(case), case)
    if case.ends is not None:
        assert found
    for one in found:
        if case.count is not None:
            assert one.record.total in (case.count, None)
        if case.ends is None:
            continue
        bounds = one.record.quantile_bounds(0.5)
        assert bounds.lower_ns <= case.ends[0]
        assert bounds.upper_ns is None or bounds.upper_ns >= case.ends[1]


@pytest.mark.parametrize("name", NAMES)
def test_what_contradicts_itself_is_named_or_refused(name: str) -> None:
    case = MEANINGS[name].contradiction
    if isinstance(case, str):
        pytest.skip(case)
    try:
        runs = _runs(case)
    except DomainError:
        return
    named = [one for run in runs for one in run.problems if one.severity is not Severity.NOTE]
    assert named or not _about(runs, case)


@pytest.mark.parametrize("name", NAMES)
def test_a_printed_zero_is_never_a_certain_one(name: str) -> None:
    """A number that is rounded to 0 is anything up to half its last digit."""
    case = MEANINGS[name].rounding
    if isinstance(case, str) or case.ends is None or case.ends[0] > 0:
        pytest.skip("its rounding has no zero")
    for one in _about(_runs(case), case):
        least, _ = one.record.cdf_bounds(max(1, case.ends[1]))
        assert least == 0.0
