"""JSON of the OpenMessaging Benchmark: what its figures prove, and what they do not."""

import json
from pathlib import Path
from typing import Any

import pytest

from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.registry import read
from tailroom.importers.source import from_bytes

SAMPLE = Path(__file__).parent / "samples/openmessaging/kafka.json"
US = 1_000


def _run(**changed: Any) -> ParsedRun:
    document = json.loads(SAMPLE.read_text()) | changed
    (run,) = read(from_bytes("kafka.json", json.dumps(document).encode())).runs
    return run


def test_shares_of_all_messages_are_those_of_the_quantiles() -> None:
    run = _run()
    quantiles = json.loads(SAMPLE.read_text())["aggregatedPublishLatencyQuantiles"]
    published = next(series for series in run.series if series.clock == "service")
    assert len(quantiles) > 10
    for percent, ms in quantiles.items():
        bounds = published.record.quantile_bounds(float(percent) / 100 - 1e-9)
        at_ns = round(ms * 1_000) * US
        assert bounds.upper_ns <= at_ns + US, percent
    median, at_ns = published.record.quantile_bounds(0.5), round(quantiles["50.0"] * 1_000) * US
    assert median.lower_ns < at_ns
    assert median.upper_ns == at_ns + US


def test_how_late_messages_were_sent_is_a_time_of_its_own_and_no_clock_of_two_machines_is_used() -> None:
    run = _run()
    assert sorted(series.clock for series in run.series) == ["queue", "service"]
    assert {claim.operation for claim in run.claims} >= {"end-to-end", "publish"}
    assert not run.closed_loop


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"publishErrorRate": [0.0, 0.09574234811930797]}, "messages failed"),
        ({"publishRate": [100.5, 0.0, 0.0]}, "2 of 3 intervals of 10 s acknowledged no message"),
    ],
)
def test_messages_without_a_latency_leave_nothing_proven(changed: dict[str, Any], reason: str) -> None:
    run = _run(**changed)
    assert run.series == ()
    assert any(reason in problem.reason for problem in run.problems)
    assert any(claim.quantity == "latency_max_ns" for claim in run.claims)


def test_times_that_reach_the_longest_that_is_counted_have_no_end() -> None:
    longest_ms = 60_000.255
    run = _run(
        aggregatedPublishLatencyAvg=None,
        aggregatedPublishLatencyMax=longest_ms,
        aggregatedPublishLatencyQuantiles={"50.0": 4.0, "100.0": longest_ms},
    )
    published = next(series for series in run.series if series.clock == "service")
    assert published.record.quantile_bounds(0.99).upper_ns is None
    assert published.record.quantile_bounds(0.4).upper_ns == 4_001 * US
