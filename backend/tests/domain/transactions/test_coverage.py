"""Random true latencies: proven limits hold as often as they say, and close with buckets and blocks."""

import pytest
from backend.bench.coverage import PLANS, try_kind


@pytest.mark.parametrize("kind", PLANS)
def test_limits_hold_and_close(kind: str) -> None:
    tally = try_kind(kind, 40, 1)
    assert max(tally.below, tally.above) <= 2
    assert max(tally.widths) <= 1.2
