"""What holds of several records whatever their weights."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.merged_record import unweighted
from tailroom.importers.statements import Statements

VALUES = st.lists(st.integers(1, 10_000), min_size=1, max_size=40)


def _record(values: list[int]) -> KnotsRecord:
    made = Statements()
    ordered = np.array(sorted(values))
    for time_ns in ordered[::3].tolist():
        share = Fraction(int((ordered < time_ns).sum()), len(values))
        made.at_least(time_ns, share)
        made.at_most(time_ns, share)
    made.mean_ns = float(ordered.mean()), float(ordered.mean())
    return made.record()


@settings(deadline=None, max_examples=100)
@given(st.lists(VALUES, min_size=2, max_size=4))
def test_the_mixture_lies_between_its_ends(parts: list[list[int]]) -> None:
    made = unweighted([_record(values) for values in parts])
    together = np.concatenate([np.array(values) for values in parts])
    assert made.total is None
    for time_ns in {1, 10_001, *(int(value) for value in together)}:
        least, most = made.cdf_bounds(time_ns)
        assert least - 1e-9 <= float((together < time_ns).mean()) <= most + 1e-9
    assert made.mean_ns is not None
    assert made.mean_ns[0] - 1e-6 <= float(together.mean()) <= made.mean_ns[1] + 1e-6


def test_means_alone_are_enough() -> None:
    one, other = KnotsRecord((), None, (100.0, 110.0)), KnotsRecord((), None, (300.0, 310.0))
    made = unweighted([one, other])
    assert made.mean_ns == (100.0, 310.0)
    assert made.cdf_bounds(10_000)[0] == pytest.approx(1 - 310 / 10_000, abs=0.001)
