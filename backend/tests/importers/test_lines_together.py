"""What is read of a thousand lines at once is what each of them says by itself."""

import re
from itertools import pairwise

import numpy as np
import pytest
from backend.tests.importers.reading import run_of_text, series
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.bounds import Int64s
from tailroom.importers.fio import histogram_log
from tailroom.importers.inspection import inspect_sources
from tailroom.importers.inspection_json import json_lines
from tailroom.importers.line_shapes import line_ranges, shapes_of
from tailroom.importers.period_columns import PeriodCollector, PeriodColumns
from tailroom.importers.slices import exceedance
from tailroom.importers.source import Block, from_bytes
from tailroom.importers.statements import hdr_ranks, hdr_ranks_each, merged
from tailroom.importers.ycsb import importer as ycsb

WORDS = st.sampled_from(["a ", "[READ: Count=", ", Max=", "°", "sec: ", "-", "x"])
NUMBERS = st.sampled_from(["0", "7", "12345", "1.5", "0.25", "99.9", "1.2.3", ".", "9" * 19, ""])
LINES = st.lists(st.tuples(WORDS, NUMBERS, WORDS, NUMBERS), min_size=1, max_size=4)


@given(LINES, st.lists(st.integers(0, 3), min_size=8, max_size=60), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_columns_of_a_shape_are_the_numbers_of_its_lines(lines: list, order: list[int], chance) -> None:  # type: ignore[no-untyped-def,type-arg]
    made = []
    for at in order:
        one, two, three, four = lines[at % len(lines)]
        made.append(f"{one}{two or chance.randrange(10**6)}{three}{four or chance.randrange(1000) / 100}")
    text = "\n".join(made)
    shapes = shapes_of(Block(1, text.encode()))
    for shape in shapes:
        places = [found.span() for found in re.finditer(r"[0-9.]+", shape.example.decode())]
        for begin, end in places:
            column = shape.numbers(begin, end)
            for row, line_no in enumerate(shape.lines.tolist()):
                said = re.findall(r"[0-9.]+", made[line_no])[places.index((begin, end))]
                assert shape.line(row).decode() == made[line_no]
                assert shape.texts(begin)[row] == said
                if column is not None:
                    assert float(said) == pytest.approx(float(column.values[row]), rel=1e-15)
    covered = [one[:2] for one in line_ranges(shapes, len(made))]
    assert covered[0][0] == 0
    assert covered[-1][1] == len(made)
    assert all(one[1] == two[0] for one, two in pairwise(covered))


@given(st.fractions(0, 1, max_denominator=10**4), st.lists(st.integers(1, 2**40), min_size=1, max_size=20))
def test_ranks_of_many_are_those_of_each(quantile, counts: list[int]) -> None:  # type: ignore[no-untyped-def]
    low, high = hdr_ranks_each(quantile, np.array(counts, np.int64))
    assert list(zip(low.tolist(), high.tolist(), strict=True)) == [hdr_ranks(quantile, one) for one in counts]


def _row(
    count: int, least: list[tuple[int, int]], most: list[tuple[int, int]], mean: float = np.nan
) -> PeriodColumns:
    def whole(number: int) -> Int64s:
        return np.array([number], np.int64)

    return PeriodColumns.of(
        whole(0),
        whole(1),
        whole(count),
        [(whole(at), whole(held)) for at, held in least],
        [(whole(at), whole(held)) for at, held in most],
        mean_ns=(np.array([mean]), np.array([mean * 1.5 + 10])),
    )


def _columns(rng: np.random.Generator, rows: int) -> PeriodColumns:
    """Rows as percentiles of made-up latencies would be, some with a mean that is too small, or with none."""
    parts = []
    for _ in range(rows):
        values = np.sort(rng.integers(1, 100, int(rng.integers(1, 8))))
        count = values.size
        ranks = rng.integers(1, count + 1, 3)
        at = (values[ranks - 1] * 10).tolist()
        mean = float(values.mean()) * 10 * float(rng.choice([0.1, 1.0, 1.0, np.nan]))
        least = [*zip([one + 10 for one in at], ranks.tolist(), strict=True), (values[-1] * 10 + 10, count)]
        most = [*zip(at, (ranks - 1).tolist(), strict=True), (values[0] * 10, 0)]
        parts.append(_row(count, least, most, mean))
    return PeriodColumns.joined(parts)


@pytest.mark.parametrize("seed", range(8))
def test_columns_say_of_a_threshold_what_their_records_say(seed: int) -> None:
    columns = _columns(np.random.default_rng(seed), 60)
    for threshold_ns in (1, 10, 95, 300, 500, 777, 990, 1_000, 5_000):
        lower, upper = columns.over(threshold_ns)
        said = [one.record.at_or_over(threshold_ns) for one in columns]
        assert lower.tolist() == [one.lower for one in said]
        assert upper.tolist() == [one.upper for one in said]


@pytest.mark.parametrize("seed", range(4))
def test_columns_added_up_are_their_statements_together(seed: int) -> None:
    columns = _columns(np.random.default_rng(seed), 50)
    held = PeriodCollector(20)
    for begin in range(0, 50, 7):
        held.add(columns.chosen(slice(begin, begin + 7)))
    expected = merged(columns.statements(row) for row in range(50))
    found = held.merged()
    assert (found.parts(), found.mean_ns) == (expected.parts(), expected.mean_ns)
    assert len(held.periods()) == 20


def test_a_row_that_contradicts_itself_is_kept_apart() -> None:
    wrong = _row(10, [(100, 9)], [(100, 3)])
    collector = PeriodCollector(5)
    collector.add(wrong)
    assert (len(collector.periods()), len(collector.contradictions)) == (0, 1)


STATUS = (
    "2026-02-28 23:{:02d}:{:02d}:123 {} sec: {} operations; {} current ops/sec; est completion in {} seconds "
    "[READ: Count={}, Max={}, Min={}, Avg={}, 90={}, 99={}, 99.9={}] [CLEANUP: Count=0, Max=0, Min={}, "
    "Avg=NaN, 90=0, 99=0, 99.9=0]"
)


def _status(rows: int) -> list[str]:
    rng = np.random.default_rng(3)
    found, done = [], 0
    for second in range(1, rows + 1):
        values = np.sort(rng.integers(1, 90_000, int(rng.choice([0, 1, 3, 400]))))
        count = values.size
        done += count
        ranks = [int(values[-(-count * share // 1000) - 1]) if count else 0 for share in (900, 990, 999)]
        ends = (int(values[-1]), int(values[0])) if count else (0, 2**63 - 1)
        mean = f"{values.mean():.2f}".rstrip("0").rstrip(".") if count else "NaN"
        at = divmod(second, 60)
        rate = rng.choice(["48663.34", "9.5", "12"])
        numbers = (*at, second, done, rate, rows - second, count, *ends, mean, *ranks, 2**63 - 1)
        found.append(STATUS.format(*numbers))
    return found


def _inspected(lines: list[str]) -> str:
    source = from_bytes("status.txt", "\n".join(lines).encode())
    (file,) = inspect_sources([source], 60, (1_000_000, 8_000_000))
    return "".join(json_lines([file.document]))


@pytest.mark.parametrize(
    "damage",
    [
        {},
        {100: lambda line: line.replace("99.9=", "99.8=", 1)},
        {100: lambda line: line.replace("Max=", "Max=9999999999999", 1)},
        {
            100: lambda line: line.replace("23:01", "25:01", 1),
            101: lambda line: line.replace("-02-28", "-02-30"),
        },
        {100: lambda _: "java.io.IOException: lost", 120: lambda line: line + "\n" + line},
        {100: lambda line: re.sub(r"\d+ operations;", "5 operations;", line)},
        {100: lambda line: line.replace(" current", ",34 current")},
        {100: lambda line: line.replace("[READ: ", "[SCAN: ")},
        {80: lambda line: re.sub(r"90=\d+", "90=80000", line, count=1)},
    ],
    ids=range(9),
)
def test_status_lines_read_together_say_what_each_says(monkeypatch, damage) -> None:  # type: ignore[no-untyped-def]
    lines = [damage.get(number, str)(line) for number, line in enumerate(_status(200))]
    together = _inspected(lines)
    monkeypatch.setattr(ycsb, "_MANY", 10**9)
    assert together == _inspected(lines)


def test_periods_beyond_the_first_are_added_up_and_named(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """A log of days: the record is of all of them."""
    whole = series(run_of_text("\n".join(_status(300))), "read")
    monkeypatch.setattr("tailroom.importers.ycsb.status._MAX_PERIODS", 50)
    run = run_of_text("\n".join(_status(300)))
    read = series(run, "read")
    assert (len(read.periods), read.record) == (50, whole.record)
    assert any("the first 50 of" in one.reason and "added up" in one.reason for one in run.problems)
    assert exceedance(read, 1_000_000, 10**10) is not None


def _histogram_lines(rows: int) -> list[str]:
    rng = np.random.default_rng(5)
    found = []
    for row in range(rows):
        counts = np.zeros(1856, int)
        counts[rng.integers(0, 1856, 30)] = rng.integers(0, 5_000, 30)
        found.append(f"{1000 * (row // 2 + 1)}, {row % 2}, 4096, " + ", ".join(map(str, counts)))
    return found


@pytest.mark.parametrize(
    "damage",
    [
        {},
        {10: lambda line: line.replace(", ", ",")},
        {10: lambda line: line.replace(", 0, ", ", x, ", 1)},
        {10: lambda line: line.rpartition(", ")[0]},
        {10: lambda line: line.replace("6000, 0", "1, 0", 1)},
        {10: lambda line: line.replace(", 0, ", ", 9, ", 1)},
        {10: lambda line: line + "\r", 20: lambda _: ""},
        {0: lambda line: "9" * 19 + line},
        {39: lambda line: line[: len(line) // 2]},
    ],
    ids=range(9),
)
def test_histogram_lines_read_together_say_what_each_says(monkeypatch, damage) -> None:  # type: ignore[no-untyped-def]
    text = "\n".join(damage.get(number, str)(line) for number, line in enumerate(_histogram_lines(40)))

    def read() -> str:
        files = inspect_sources([from_bytes("x_clat_hist.1.log", text.encode())], 5, (10**6,))
        return "".join(json_lines(file.document for file in files))

    together = read()
    monkeypatch.setattr(histogram_log, "_histogram_block", lambda *_: False)
    assert together == read()
