"""The correction for an expected interval: a what-if with the known answer of the method."""

import numpy as np
import pytest
from backend.tests.domain.latency.samples import recorded
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import DistributionEmpty
from tailroom.domain.latency.expected_interval import CorrectionImpossible, what_if_scheduled
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.layouts import ExplicitLayout

MS, SECOND = 1_000_000, 1_000_000_000


def test_oracle_co() -> None:
    values = np.array([MS] * 10_000 + [100 * SECOND])
    dist = recorded(values, HdrLayout(), summed=True, ends=True)
    mean = dist.mean_ns
    assert mean is not None
    assert mean[0] == pytest.approx(11.0 * MS, rel=1e-3)
    assert dist.quantile_bounds(0.9999).upper_ns == MS + 1_000
    corrected = what_if_scheduled(dist, 10 * MS)
    # The stall is known to its bucket only, so one invention more or less.
    assert corrected.recorded == 10_001
    assert abs(corrected.invented - 9_999) <= 1
    assert corrected.mean_ns() == pytest.approx(25.0 * SECOND, rel=1e-3)
    assert corrected.quantile_ns(0.5) == pytest.approx(MS, rel=1e-3)
    assert corrected.quantile_ns(0.75) == pytest.approx(50 * SECOND, rel=1e-3)


@given(st.lists(st.integers(0, 1_000), min_size=1, max_size=30), st.integers(1, 300))
@settings(deadline=None, max_examples=100)
def test_it_adds_what_the_library_adds(values: list[int], interval: int) -> None:
    """`recordValueWithExpectedInterval` as its documentation says, in buckets of one nanosecond."""
    expected = sorted(values)
    for value in values:
        missing = value - interval
        while interval < value and missing >= interval:
            expected.append(missing)
            missing -= interval
    layout = ExplicitLayout(tuple(range(1_002)))
    corrected = what_if_scheduled(recorded(np.array(values), layout, summed=True), interval)
    assert corrected.invented == len(expected) - len(values)
    assert corrected.mean_ns() == pytest.approx(float(np.mean(expected)), abs=1e-6)
    assert float(corrected.law.ratio.sum()) == pytest.approx(1.0)


def test_what_cannot_be_corrected_is_refused() -> None:
    dist = recorded(np.array([5 * SECOND]), HdrLayout())
    for interval in (0, -5):
        with pytest.raises(CorrectionImpossible, match="must be positive"):
            what_if_scheduled(dist, interval)
    with pytest.raises(CorrectionImpossible, match="at most"):
        what_if_scheduled(dist, 1_000)
    with pytest.raises(CorrectionImpossible, match="open"):
        what_if_scheduled(recorded(np.array([5]), ExplicitLayout((0,), open_ended=True)), 1_000)
    with pytest.raises(DistributionEmpty):
        what_if_scheduled(recorded(np.empty(0, np.int64), HdrLayout()), 1_000)
    with pytest.raises(CorrectionImpossible, match="quantile 2"):
        what_if_scheduled(dist, SECOND).quantile_ns(2)
