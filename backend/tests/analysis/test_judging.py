"""What of a verdict's figures is handed on for a picture."""

from itertools import pairwise

import pytest
from backend.tests.domain.verdicts.test_verdicts import record

from tailroom.analysis.judging import cdf_points
from tailroom.domain.verdicts.budget import FRAUD_250_SEQUENTIAL_1
from tailroom.domain.verdicts.generator import Generation
from tailroom.domain.verdicts.transaction_verdict import ReadEvidence, assess


@pytest.mark.parametrize("read_us", [40, 400, 3_000, 20_000])
def test_no_stretch_up_to_the_window_is_left_to_be_guessed(read_us: int) -> None:
    reads = ReadEvidence(record({read_us * 1000: 750_000}))
    model = assess(FRAUD_250_SEQUENTIAL_1, reads, None, Generation(None, 750_000)).model
    assert model is not None
    points = cdf_points(FRAUD_250_SEQUENTIAL_1, model)
    assert len(points) <= 200
    for end in ("t_ns", "lower", "upper"):
        assert [point[end] for point in points] == sorted(point[end] for point in points)
    times = [point["t_ns"] for point in points]
    assert FRAUD_250_SEQUENTIAL_1.window_ns in times
    assert all(point["lower"] <= point["estimate"] <= point["upper"] for point in points)
    risen = [point["t_ns"] for point in points if point["upper"] > 0.5]
    assert all(after < 1.25 * before for before, after in pairwise(risen))
