"""The sentence of a report is the one of the page; the examples stand in `answer.test.tsx` too."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.units import latencies, latency_down, latency_up, rates
from tailroom.reports.words import answer_of, room_of, room_text

MS = 1_000_000
_UNITS = {"s": 1_000_000_000, "ms": MS, "µs": 1_000, "ns": 1}


def verdict(word: str = "PASS", **changes: Any) -> dict[str, Any]:
    transaction = {
        "window_ns": 1000 * MS,
        "reserve_ns": 400 * MS,
        "room_lower_ns": round(574.6 * MS),
        "room_upper_ns": round(581.8 * MS),
        "quantile_lower_ns": round(18.2 * MS),
        **changes.pop("transaction", {}),
    }
    return {"verdict": word, "reason": None, "meter": None, "transaction": transaction, **changes}


def test_the_sentence_is_that_of_the_page() -> None:
    assert answer_of(verdict()) == "It fits, with at least 570 ms to spare."
    late = {"room_lower_ns": None, "room_upper_ns": None, "quantile_lower_ns": 3_000 * MS}
    assert answer_of(verdict("FAIL", transaction=late)) == "Too slow: at least 2.4 s over the limit."
    shown = {"text": "97–100 % of transactions keep 1 s; 99.9 % asked"}
    open_case = verdict("INDETERMINATE", reason="samples", headline=shown)
    assert answer_of(open_case) == "97–100 % of transactions keep 1 s; 99.9 % asked."


def test_what_is_no_transaction_says_its_headline() -> None:
    found = {"verdict": "FAIL", "transaction": None, "headline": {"text": "2 % take 8 ms or longer"}}
    assert answer_of(found) == "2 % take 8 ms or longer."


def test_the_room_bar_is_read_out() -> None:
    room = room_of(verdict())
    assert room is not None
    said = "Reads take 18 ms to 26 ms, room left 570 ms to 590 ms, 400 ms kept for scoring, deadline 1 s"
    assert room_text(room) == said


def test_open_ends_are_named() -> None:
    room = room_of(verdict("INDETERMINATE", transaction={"room_lower_ns": None}))
    assert room is not None
    assert room_text(room).startswith("Reads take at least 18 ms, room left at most 590 ms")
    assert latencies(1_021_000, None) == "at least 1.021 ms"


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (88_219.6, 88_219.6, "88,210/s to 88,220/s"),
        (2_000_000, 2_000_000, "2,000,000/s"),
        (0.0, 0.5, "0/s to 0.5/s"),
    ],
)
def test_rates_have_four_figures(lower: float, upper: float, text: str) -> None:
    assert rates(lower, upper) == text


@settings(max_examples=50)
@given(st.integers(1, 10**14))
def test_ends_never_say_more_than_they_know(value: int) -> None:
    for text, sign in ((latency_down(value), 1), (latency_up(value), -1)):
        digits, unit = text.split(" ")
        assert sign * (value - Decimal(digits) * _UNITS[unit]) >= 0
        assert abs(value - Decimal(digits) * _UNITS[unit]) <= value * Decimal("0.001")
