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


def _transaction_verdict(**changes: Any) -> dict[str, Any]:
    return {
        "verdict": "PASS",
        "strength": "observed",
        "words": "PASS in this run",
        "reason_text": "300 of 300 measured transactions kept 1 s; proves 99 %",
        "decided_by": "2,995 transactions without a miss",
        "headline": {"text": "100 % of transactions keep 1 s; 99.9 % asked"},
        "observed": {"verdict": "PASS", "lower": 1.0, "upper": 1.0},
        "proven": {"verdict": "INDETERMINATE", "lower": 0.99, "upper": 1.0},
        "budget": {
            "name": "fraud-250-sequential",
            "version": 1,
            "title": "Fraud check",
            "question": "Do 99.9 % finish within 1 s?",
        },
        "transaction": {
            "reads": 250,
            "window_ns": 1_000_000_000,
            "objective_ratio": 0.999,
            "evidence": "measured",
            "room_lower_ns": 900_000_000,
            "room_upper_ns": 910_000_000,
            "measured": {"within_count": 300, "total_count": 300, "reads": 250},
        },
        "exceedance": None,
        **changes,
    }


def _told(verdict: dict[str, Any]) -> list[str]:
    return [line.strip() for line in verdict_lines(verdict, Console(io.StringIO(), live=False))]


def test_a_verdict_reads_without_a_manual() -> None:
    assert _told(_transaction_verdict()) == [
        "Do 99.9 % finish within 1 s?",
        "PASS in this run. 100 % of transactions keep 1 s; 99.9 % asked.",
        "in this run:           300 of 300 in time, each of 250 reads in 1 s",
        "with 95 % confidence:  99 % or more in time; 99.9 % asked",
        "room left:             900 ms to 910 ms of 1 s, as measured",
        "why:                   300 of 300 measured transactions kept 1 s; proves 99 %",
        "would prove it:        2,995 transactions without a miss",
    ]


def test_what_is_proven_needs_no_way_out() -> None:
    proven = {"verdict": "PASS", "lower": 0.99904, "upper": 1.0}
    lines = _told(
        _transaction_verdict(strength="proven", words="PASS, proven", proven=proven, decided_by=None)
    )
    assert lines[1] == "PASS, proven. 100 % of transactions keep 1 s; 99.9 % asked."
    assert lines[3] == "with 95 % confidence:  99.904 % or more in time; 99.9 % asked"
    assert not any(line.startswith(("why", "would")) for line in lines)


def test_a_miss_says_by_how_much() -> None:
    verdict = _transaction_verdict(verdict="FAIL", words="FAIL, proven", strength="proven", decided_by=None)
    verdict["transaction"] |= {"room_lower_ns": None, "room_upper_ns": -22_000_000_000}
    assert "room left:             none: at least 22 s more than 1 s" in _told(verdict)
    verdict["transaction"] |= {"room_lower_ns": -184_000_000, "room_upper_ns": 169_000_000}
    assert "room left:             at most 169 ms of 1 s, as measured" in _told(verdict)


def test_every_limit_has_both_scopes_and_its_words() -> None:
    row = {
        "threshold_ns": 1_000_000,
        "limit_ratio": 0.05,
        "share_lower": 0.0078,
        "share_upper": 0.0078,
        "ratio_lower": 0.0052,
        "ratio_upper": 0.011,
        "words": "PASS, proven",
    }
    certification = {"words": "Undecided: run too short", "reason_text": "certification needs 24 h"}
    exceedance = {"rows": [row], "certification": certification}
    lines = _told(_transaction_verdict(transaction=None, exceedance=exceedance))
    assert lines[2] == (
        "1 ms or longer:        0.78 % in this run, 0.52–1.1 % with 95 % confidence, limit 5 % (PASS, proven)"
    )
    assert lines[3] == "as a certificate:      Undecided: run too short; certification needs 24 h"


def test_an_api_that_is_away_is_told_with_what_waits() -> None:
    away = {"event": "backend", "state": "away", "reason": "connection refused", "unsent": 12}
    assert backend_line(away) == (
        "the API does not answer (connection refused): measuring goes on, 12 wait on disk"
    )
    assert backend_line({"event": "backend", "state": "up"}) == "the API takes measurements again"
