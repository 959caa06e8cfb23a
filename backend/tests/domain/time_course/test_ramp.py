"""Ramp: cut where the rest is known best, at least ten minutes, at most half."""

import numpy as np
import pytest
from backend.tests.domain.courses import course
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.confidence.effective_samples import SeriesInvalid
from tailroom.domain.time_course.steady_state import mser5, ramp
from tailroom.domain.units import NS_PER_HOUR


@given(st.lists(st.floats(0.0, 100.0), min_size=20, max_size=120))
@settings(max_examples=80, deadline=None)
def test_the_cut_is_the_least_of_its_definition(values: list[float]) -> None:
    found = mser5(np.array(values))
    assert found is not None
    batches = [sum(values[i * 5 : i * 5 + 5]) / 5 for i in range(len(values) // 5)]
    scores = []
    for cut in range(len(batches) // 2 + 1):
        rest = batches[cut:]
        mean = sum(rest) / len(rest)
        scores.append(sum((one - mean) ** 2 for one in rest) / len(rest) ** 2)
    assert scores[found.values // 5] == pytest.approx(min(scores), rel=1e-6, abs=1e-9)
    assert found.values <= len(values) // 2
    assert found.at_half == (found.values // 5 == len(batches) // 2)


def test_a_ramp_is_found() -> None:
    rng = np.random.default_rng(1)
    values = np.concatenate((np.linspace(50.0, 10.0, 60), np.full(340, 10.0))) + rng.normal(0.0, 0.5, 400)
    found = mser5(values)
    assert found is not None
    assert 50 <= found.values <= 70
    assert not found.at_half


def test_what_rises_to_the_end_is_never_steady() -> None:
    found = mser5(np.linspace(1.0, 100.0, 200))
    assert found is not None
    assert found.at_half
    result = ramp(course([0] * 200, [1000] * 200, mean_ms=np.linspace(1.0, 7.0, 200)))
    assert result.cut_ns is None
    assert result.reason is not None
    assert result.reason.startswith("no steady state")


def test_a_run_that_begins_later_is_cut_as_much_later() -> None:
    values = np.concatenate((np.linspace(50.0, 10.0, 60), np.full(340, 10.0)))
    pieces = ([0] * 400, [1000] * 400)
    found = ramp(course(*pieces, mean_ms=values))
    later = ramp(course(*pieces, mean_ms=values, starts_s=3_600 + 60 * np.arange(400)))
    assert found.cut_ns is not None
    assert found.cut_ns == found.mser_cut_ns
    assert (later.cut_ns, later.mser_cut_ns) == (found.cut_ns + NS_PER_HOUR, found.mser_cut_ns)


def test_too_few_values_and_constants() -> None:
    assert mser5(np.ones(19)) is None
    flat = mser5(np.full(100, 0.1))
    assert flat is not None
    assert flat.values == 0
    with pytest.raises(SeriesInvalid):
        mser5(np.array([1.0, np.nan] * 20))
