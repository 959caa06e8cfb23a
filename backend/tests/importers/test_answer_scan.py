"""Pairs of whole numbers in an answer of Prometheus are read at once: that gives what any other way gives.

A blank behind a comma does not change what an answer says, but keeps its pairs from being read at once.
"""

import random

import pytest

from tailroom.importers.production.answer_scan import AnsweredSeries, series_of
from tailroom.importers.source import from_bytes


def _read(pairs: str) -> AnsweredSeries:
    text = f'{{"data":{{"result":[{{"metric":{{"le":"1"}},"values":{pairs}}}]}}}}'
    (series,) = series_of(from_bytes("answer.json", text.encode()))
    return series


@pytest.mark.parametrize("seed", range(12))
def test_whole_numbers_give_what_others_give(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - repeatable, not secret
    numbers = [
        (1_790_000_000 + 15 * at, rng.choice((0, 7, rng.randrange(10**9), rng.randrange(10**18))))
        for at in range(rng.choice((1, 2, 60)))
    ]
    pairs = "[" + ",".join(f'[{at},"{value}"]' for at, value in numbers) + "]"
    plain, spaced = _read(pairs), _read(pairs.replace("],[", "], ["))
    assert plain.problem is None
    assert plain.at_ns.tolist() == spaced.at_ns.tolist() == [at * 1_000_000_000 for at, _ in numbers]
    assert plain.values.tolist() == spaced.values.tolist() == [float(value) for _, value in numbers]


@pytest.mark.parametrize(
    "damaged",
    [
        '[[1790000000,"1"],[1790000015,""]]',
        '[[1790000000,"1"],[,"2"]]',
        '[[1790000000,"1"],[1790000015,7"2"]]',
        '[[1790000000,"1"],[1790000015,"2"7]]',
        '[[1790000000,"1"]3,[1790000015,"2"]]',
        '[3[1790000000,"1"],[1790000015,"2"]]',
        '[[1790000000,"1"],3[1790000015,"2"]]',
        '[[1790000000,"1"],[1790000015,2]]',
        '[[1790000000,"1"],["1790000015","2"]]',
        '[[0,"1"],[1790000015,"2"]]',
    ],
)
def test_damaged_pairs_are_refused(damaged: str) -> None:
    assert _read(damaged).problem is not None


def test_numbers_with_more_digits_are_read_too() -> None:
    series = _read('[[1790000000.125,"1"],[1790000015,"20000000000000000000"]]')
    assert series.at_ns.tolist() == [1_790_000_000_125_000_000, 1_790_000_015_000_000_000]
    assert series.values.tolist() == [1.0, 2e19]
