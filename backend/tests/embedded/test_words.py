"""Numbers in words: never more than is known, never rounded to certainty."""

import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailroom.embedded.console import Console
from tailroom.embedded.words import backend_line, latency, progress_line, share, verdict_lines


@pytest.mark.parametrize(
    ("ns", "text"),
    [
        (None, "–"),
        (7, "7 ns"),
        (0, "0 ns"),
        (-1_320_800_782, "−1.32 s"),
        (1_500, "1.50 µs"),
        (64_000_000, "64.0 ms"),
        (920_000_000, "920 ms"),
        (1_000_000_000, "1.00 s"),
    ],
)
def test_latency(ns: int | None, text: str) -> None:
    assert latency(ns) == text


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (None, "–"),
        (0.0, "0 %"),
        (1.0, "100 %"),
        (0.05, "5 %"),
        (0.00123, "0.12 %"),
        (1e-9, "< 0.0001 %"),
        (0.999, "99.9 %"),
        (0.99954, "99.95 %"),
        (1 - 1e-12, "> 99.9999 %"),
    ],
)
def test_share(ratio: float | None, text: str) -> None:
    assert share(ratio) == text


@given(st.floats(min_value=0.0, max_value=1.0, exclude_min=True, exclude_max=True))
def test_a_share_is_never_rounded_to_certainty(ratio: float) -> None:
    number = float(share(ratio).strip("<> %"))
    assert 0.0 < number < 100.0


def test_a_progress_line_names_rate_p99_and_shares_over_the_limits() -> None:
    event = {
        "event": "progress",
        "elapsed_s": 12.0,
        "operation": "read",
        "rate_per_s": 2000.0,
        "target_rate_per_s": 2000.0,
        "p99_ns": 1_230_000,
        "over": [[1_000_000, 0.012], [2_000_000, 0.001], [8_000_000, 0.0]],
        "unsent": 0,
    }
    text = progress_line(event, 30, [1_000_000, 8_000_000])
    assert (
        text == "12 of 30 s   read   2,000/s of 2,000/s   p99 1.23 ms   1.2 % over 1.00 ms, 0 % over 8.00 ms"
    )


def test_a_verdict_is_told_with_bounds_and_reason() -> None:
    verdict: dict[str, Any] = {
        "verdict": "INDETERMINATE",
        "reason": "samples",
        "reason_text": "Too few transactions.",
        "decided_by": "2,995 transactions without a miss",
        "budget": {"name": "fraud-250-sequential", "version": 1, "title": "Fraud check"},
        "transaction": {
            "reads": 250,
            "window_ns": 1_000_000_000,
            "objective_ratio": 0.999,
            "p_lower": 0.99,
            "p_upper": 1.0,
            "evidence": "measured",
            "room_lower_ns": 900_000_000,
            "room_upper_ns": 910_000_000,
            "measured": {
                "within_count": 300,
                "total_count": 300,
                "ratio": 1.0,
                "ratio_lower": 0.99,
                "ratio_upper": 1.0,
            },
        },
        "exceedance": None,
    }
    text = "\n".join(verdict_lines(verdict, Console(io.StringIO(), live=False)))
    assert "INDETERMINATE (samples)" in text
    assert "99 % to 100 % of transactions of 250 reads within 1.00 s (objective 99.9 %)" in text
    assert "300 of 300 within 1.00 s, that is at least 99 %" in text
    assert "900 ms to 910 ms of 1.00 s, as measured" in text
    assert "Too few transactions." in text
    assert "What would decide it: 2,995 transactions without a miss" in text
    missed = {
        "within_count": 40,
        "total_count": 1260,
        "ratio": 0.03,
        "ratio_lower": 0.0,
        "ratio_upper": 0.37041,
    }
    over = {"measured": missed, "room_lower_ns": None, "room_upper_ns": -22_000_000_000}
    failed = {**verdict, "verdict": "FAIL", "transaction": {**verdict["transaction"], **over}}
    text = "\n".join(verdict_lines(failed, Console(io.StringIO(), live=False)))
    assert "40 of 1,260 within 1.00 s, that is at most 37.1 %" in text
    assert "none: at least 22 s more than 1.00 s" in text


def test_an_api_that_is_away_is_told_with_what_waits() -> None:
    away = {"event": "backend", "state": "away", "reason": "connection refused", "unsent": 12}
    assert backend_line(away) == (
        "the API does not answer (connection refused): measuring goes on, 12 wait on disk"
    )
    assert backend_line({"event": "backend", "state": "up"}) == "the API takes measurements again"
