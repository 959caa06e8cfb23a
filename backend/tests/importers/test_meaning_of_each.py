"""What every importer says where numbers mean little: right, named as unknown, or refused."""

from contextlib import suppress
from pathlib import Path

import pytest
from backend.tests.importers.meanings import MEANINGS, WITHOUT_OPERATIONS, Case
from backend.tests.importers.reading import SAMPLES
from backend.tests.importers.test_meaning import TEXTS, is_zeroed

from tailroom.domain.errors import DomainError
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries, Severity
from tailroom.importers.registry import IMPORTERS, detect, read
from tailroom.importers.source import Source, from_bytes

NAMES = [one.name for one in IMPORTERS]


def _source(name: str, case: Case) -> Source:
    """The case as a file, which is one of the importer of this name."""
    source = from_bytes(case.name, case.text.encode())
    assert detect(source)[1].name == name
    return source


def _runs(name: str, case: Case) -> list[ParsedRun]:
    return list(read(_source(name, case)).runs)


def _about(runs: list[ParsedRun], case: Case) -> list[ParsedSeries]:
    return [one for run in runs for one in run.series if case.operation in ("", one.operation)]


def test_every_importer_has_a_row() -> None:
    assert sorted(MEANINGS) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["one", "units", "rounding"])
def test_what_is_said_holds_the_truth(name: str, kind: str) -> None:
    """Its median does not exclude what the printed number stands for; its count is that of the file."""
    case = getattr(MEANINGS[name], kind)
    if isinstance(case, str):
        pytest.skip(case)
    found = _about(_runs(name, case), case)
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
        if kind == "rounding" and case.ends[0] == 0:
            # A printed zero is never a certain one: it is anything up to half its last digit.
            assert one.record.cdf_bounds(max(1, case.ends[1]))[0] == 0.0


@pytest.mark.parametrize("name", NAMES)
def test_what_contradicts_itself_is_named_or_refused(name: str) -> None:
    case = MEANINGS[name].contradiction
    if isinstance(case, str):
        pytest.skip(case)
    source = _source(name, case)
    try:
        runs = list(read(source).runs)
    except DomainError:
        return
    named = [one for run in runs for one in run.problems if one.severity is not Severity.NOTE]
    assert named or not _about(runs, case)


def test_every_importer_has_a_sample_that_can_be_cut_and_one_without_operations() -> None:
    """`test_meaning` cuts every sample and makes its numbers zero: a new importer needs one for both."""
    zeroed = set[str]()
    for sample in TEXTS:
        data = (SAMPLES / sample).read_bytes()
        with suppress(DomainError):
            detection, importer = detect(from_bytes(Path(sample).name, data))
            if not detection.companion and is_zeroed(sample, data):
                zeroed.add(importer.name)
    assert sorted(zeroed | set(WITHOUT_OPERATIONS)) == sorted(NAMES)


@pytest.mark.parametrize("name", WITHOUT_OPERATIONS)
def test_of_no_operation_nothing_is_said(name: str) -> None:
    """Files whose counts are encoded, or exact by contract, and hold none."""
    source = _source(name, WITHOUT_OPERATIONS[name])
    try:
        runs = list(read(source).runs)
    except DomainError:
        return
    assert [one for run in runs for one in run.series if one.record.total] == []


def test_a_file_that_ends_in_a_number_says_so() -> None:
    """`590` that is cut is `5`: nobody knows, and it is named."""
    whole = (SAMPLES / "ycsb/y1.stdout.txt").read_bytes().rstrip()
    assert whole[-1:].isdigit()
    for data, cut in ((whole + b"\n", False), (whole, True), (whole[:-1], whole[-2:-1].isdigit())):
        found = read(from_bytes("y1.txt", data)).problems
        assert any("the last line has no end" in one.reason for one in found) == cut


def test_buckets_of_ycsb_that_are_cut_are_no_time_series() -> None:
    text = (SAMPLES / "ycsb/histogram.stdout.txt").read_text()
    cut = text[: text.index("[READ], 3,")]
    (run,) = read(from_bytes("x.txt", cut.encode())).runs
    assert any("the output is cut" in one.reason for one in run.problems)
    assert [one for one in run.claims if one.quantity == "latency_mean_ns" and one.start_ns is not None] == []
