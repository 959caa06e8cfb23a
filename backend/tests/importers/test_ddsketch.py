"""DDSketch: counts below each edge, whichever library numbered the bins, and what is refused."""

import json
import math
from typing import Any

import numpy as np
import pytest
from backend.tests.importers.reading import SAMPLES, run_of, run_of_text

from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.registry import read
from tailroom.importers.source import from_bytes

S = 1_000_000_000
GAMMA = 1.01 / 0.99


def _document(counts: dict[int, float], **changes: Any) -> str:
    store = {"binCounts": {str(key): count for key, count in counts.items()}}
    document: dict[str, Any] = {"mapping": {"gamma": GAMMA}, "positiveValues": store, "zeroCount": 0.0}
    return json.dumps(document | changes)


def _keys(values: list[float], *, of_upper_edge: bool) -> dict[int, float]:
    """Return counts by bin as Python and JavaScript number them, or as Go and Java do."""
    counts: dict[int, float] = {}
    for value in values:
        power = math.log(value) / math.log(GAMMA)
        key = math.ceil(power) if of_upper_edge else math.floor(power)
        counts[key] = counts.get(key, 0.0) + 1.0
    return counts


@pytest.mark.parametrize("of_upper_edge", [True, False])
def test_quantiles_lie_inside_the_bounds_however_bins_are_numbered(of_upper_edge: bool) -> None:
    values = sorted(np.random.default_rng(38).lognormal(-5, 1, 5_000).tolist())
    run = run_of_text(_document(_keys(values, of_upper_edge=of_upper_edge)), "a.json")
    record = run.series[0].record
    assert record.total == 5_000
    for share in (0.05, 0.5, 0.9, 0.99, 0.999):
        bounds = record.quantile_bounds(share)
        at_ns = values[math.ceil(share * 5_000) - 1] * S
        assert bounds.upper_ns is not None
        assert bounds.lower_ns <= at_ns <= bounds.upper_ns, share
        assert bounds.upper_ns <= bounds.lower_ns * GAMMA**3


def test_the_first_and_the_last_bin_may_hold_what_lies_farther_out() -> None:
    record = run_of_text(_document({-200: 5.0, -100: 5.0, 0: 1.0}), "a.json").series[0].record
    assert record.quantile_bounds(0.1).lower_ns == 0
    assert record.quantile_bounds(0.99).upper_ns is None


def test_the_message_says_the_same_as_its_json_and_the_unit_is_asked_for() -> None:
    of_json, of_message = run_of("ddsketch/requests.json"), run_of("ddsketch/requests.bin")
    assert of_json.series[0].record.total == 100
    for share in (0.01, 0.3, 0.5, 0.9):
        bounds = of_message.series[0].record.quantile_bounds(share)
        assert bounds == of_json.series[0].record.quantile_bounds(share)
    median = of_message.series[0].record.quantile_bounds(0.5)
    assert median.upper_ns is not None
    assert median.lower_ns <= 0.0152 * S <= median.upper_ns
    assert any("latency_unit" in field for field in of_message.missing)
    source = from_bytes("requests.bin", (SAMPLES / "ddsketch/requests.bin").read_bytes())
    source.stated_unit_ns = 1_000_000
    (stated,) = read(source).runs
    in_ms = stated.series[0].record.quantile_bounds(0.5)
    assert in_ms.upper_ns is not None
    assert in_ms.lower_ns <= 15_200 <= in_ms.upper_ns
    assert not any("latency_unit" in field for field in stated.missing)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (_document({1: 3.0, 2: 1.0}, mapping={"gamma": GAMMA, "interpolation": "CUBIC"}), "interpolated"),
        (_document({1: 3.5, 2: 1.0}), "weights"),
        (_document({1: 3.0, 2: 1.0}, negativeValues={"binCounts": {"1": 2}}), "negative"),
        (_document({1: 3.0, 2: 1.0}, mapping={"gamma": 0.5}), "no bins"),
        (_document({}), "counts nothing"),
        (_document({7: 3.0}), "of one bin"),
    ],
)
def test_what_proves_nothing_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ContentUnreadable, match=reason):
        _read(text)


def _read(text: str) -> ParsedRun:
    return run_of_text(text, "a.json")
