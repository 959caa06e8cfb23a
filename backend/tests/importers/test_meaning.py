"""What every importer must never say, whatever its tool: quick operations out of nothing.

Every sample is read with each of its numbers a zero, and cut in the middle: the answer is right, named as
unknown, or refused.
"""

import re
from functools import cache
from pathlib import Path

import pytest
from backend.tests.importers.reading import SAMPLES

from tailroom.domain.errors import DomainError
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.registry import read
from tailroom.importers.source import from_bytes

MICROSECOND_NS = 1_000
SMALL_BYTES = 200_000


def _samples() -> list[str]:
    found = []
    for path in sorted(SAMPLES.rglob("*")):
        name = str(path.relative_to(SAMPLES))
        if not path.is_file() or re.search(r"\.(?:cmd|conf|zst)$|\.latency\d+\.txt$", name):
            continue
        if path.stat().st_size < SMALL_BYTES:
            found.append(name)
    return found


TEXTS = _samples()


def runs_of_bytes(name: str, data: bytes) -> list[ParsedRun]:
    """Every run of a file with the name of a sample; none where it is refused."""
    try:
        return list(read(from_bytes(Path(name).name, data)).runs)
    except DomainError:
        return []


@cache
def runs_of_whole(name: str) -> list[ParsedRun]:
    """Every run of a sample, which is read once for all tests."""
    return runs_of_bytes(name, (SAMPLES / name).read_bytes())


@cache
def runs_of_part(name: str, part: int) -> list[ParsedRun]:
    """Every run of the beginning of a sample, without the last of so many parts."""
    data = (SAMPLES / name).read_bytes()
    return runs_of_bytes(name, data[: len(data) * (part - 1) // part])


@cache
def runs_of_zeros(name: str) -> list[ParsedRun]:
    """Every run of a sample with zeros for its digits."""
    lines = (SAMPLES / name).read_bytes().split(b"\n")
    zeros = [line if _is_head(line) else re.sub(rb"\d+", b"0", line) for line in lines]
    return runs_of_bytes(name, b"\n".join(zeros))


def _says_quick(run: ParsedRun) -> list[str]:
    """Series of which something is certainly below a microsecond."""
    found = []
    for one in run.series:
        if one.record.total == 0:
            continue
        least, _ = one.record.cdf_bounds(MICROSECOND_NS)
        if least > 0.0:
            found.append(f"{one.operation}/{one.clock}: {least}")
    return found


def is_zeroed(name: str, data: bytes) -> bool:
    """Whether zeros for its digits make it a file of no operation."""
    is_binary = name == "ddsketch/requests.bin"
    return b"HIST" not in data and not is_binary and not name.startswith(("agent/", "distribution/"))


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_is_never_quick(name: str) -> None:
    """All counts, times and rates zero: no operation, or none that is known."""
    data = (SAMPLES / name).read_bytes()
    if not is_zeroed(name, data):
        pytest.skip("counts are not written as decimal digits, or are exact by contract")
    for run in runs_of_zeros(name):
        assert _says_quick(run) == []


def _is_head(line: bytes) -> bool:
    """Lines by which a tool is recognised: their numbers are no measurements."""
    heads = rb"(?i)version|fio-|sysbench|pgbench|percentile|th=\[|Running|slice|%>|p\d+"
    return re.search(heads, line) is not None


@pytest.mark.parametrize("name", TEXTS)
def test_a_cut_file_contradicts_nothing(name: str) -> None:
    """Cut anywhere: what is left is read or refused, and its numbers of operations are not larger."""
    most = max((one.record.total or 0 for run in runs_of_whole(name) for one in run.series), default=0)
    for part in (3, 2):
        for run in runs_of_part(name, part):
            # Two scrapes show what was counted between them, a single scrape all since the program began.
            is_since_start = run.parameters.get("scrapes") == 1
            for one in run.series:
                total = one.record.total or 0
                assert total <= max(most, 1) or run.format.endswith("percentiles") or is_since_start


@pytest.mark.parametrize("name", TEXTS)
def test_what_a_sample_says_of_its_ends_holds_its_printed_numbers(name: str) -> None:
    """A printed percentile lies between the ends that are shown beside it, or is a problem of the file."""
    for run in runs_of_whole(name):
        for one in run.series:
            for claim in one.printed:
                if claim.quantity != "latency_quantile_ns" or claim.quantile is None or run.problems:
                    continue
                if run.tool == "db_bench" or one.record.misses.total:
                    continue
                bounds = one.record.quantile_bounds(min(1.0, claim.quantile))
                assert bounds.lower_ns <= claim.upper * 1.01 + 1_000
                assert bounds.upper_ns is None or bounds.upper_ns >= claim.lower * 0.99 - 1_000


def _named(name: str, *replacements: tuple[bytes, bytes]) -> ParsedRun:
    data = (SAMPLES / name).read_bytes()
    for old, new in replacements:
        data = re.sub(old, new, data)
    (run,) = read(from_bytes(Path(name).name, data)).runs
    return run


@pytest.mark.parametrize("count", [0, 1])
def test_a_count_of_none_or_one_is_what_is_said(count: int) -> None:
    """YCSB prints percentiles of 0 for no operation: nothing was quick."""
    run = _named(
        "ycsb/y1.stdout.txt",
        (rb"(\[INSERT\], (?:Operations|Return=OK)), \d+", rb"\1, %d" % count),
        (rb"(\[INSERT\], \w*Latency\(us\)), [\d.]+", rb"\1, %d" % (count * 250)),
    )
    reads = [one for one in run.series if one.operation == "insert"]
    assert [one.record.total for one in reads] == ([1] if count else [])
    for one in reads:
        bounds = one.record.quantile_bounds(0.5)
        assert bounds.lower_ns <= 250_000 <= (bounds.upper_ns or 0)


def test_times_in_two_units_of_one_file_are_each_in_their_own() -> None:
    """wrk prints each time with its own unit."""
    run = _named(
        "wrk/latency.txt",
        (rb"( 50%\s+)[\d.]+\w+", rb"\g<1>900.00us"),
        (rb"( (?:75|90|99)%\s+)[\d.]+\w+", rb"\g<1>0.04s"),
    )
    printed = {claim.quantile: (claim.lower, claim.upper) for one in run.series for claim in one.printed}
    assert printed[0.5][0] <= 900_000 <= printed[0.5][1]
    assert printed[0.99][0] <= 40_000_000 <= printed[0.99][1]
