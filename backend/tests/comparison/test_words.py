"""The sentence of a comparison: why something is not shown, and no more than the figures say."""

import re

import pytest

from tailroom.domain.comparison.answer import headline, known_ratio, ratio_text
from tailroom.domain.comparison.comparison import Comparison, Outcome
from tailroom.domain.comparison.conditions import Comparability
from tailroom.domain.comparison.figures import Figure, quantile_name
from tailroom.domain.comparison.gains import Gain, gain_of

P99 = quantile_name(0.99)


def figure(at: float, half: float | None) -> Figure:
    """A p99 with limits so far to both sides, or without any."""
    return Figure(P99, at, at) if half is None else Figure(P99, at, at, at - half, at + half)


@pytest.mark.parametrize(
    ("new", "half", "why"),
    [
        (103.0, 0.1, "that is smaller than what counts as a change"),
        (104.0, 2.0, "that may be smaller than what counts as a change"),
        (150.0, None, "how much of that is chance is not known"),
    ],
)
def test_what_is_not_shown_says_why(new: float, half: float | None, why: str) -> None:
    gain = gain_of(figure(100.0, half), figure(new, half))
    said = said_of(gain)
    assert said.startswith("Not shown: p99 is ")
    assert said.endswith(f"; {why}.")


def said_of(gain: Gain) -> str:
    return headline(Comparison(Outcome.NOT_SHOWN, Comparability((), ()), (gain,), ()))


def test_a_time_that_may_go_either_way_is_said_as_that() -> None:
    by_chance = gain_of(figure(100.0, 20.0), figure(103.0, 20.0))
    assert re.fullmatch(
        r"Not shown: p99 may be up to [\d.]+ × faster or [\d.]+ × slower, and chance alone could do that\.",
        said_of(by_chance),
    )
    by_record = gain_of(Figure(P99, 1.0, 16.0), Figure(P99, 1.0, 16.0))
    assert (
        said_of(by_record)
        == "Not shown: p99 may be up to 16.0 × faster or 16.0 × slower, by the figures on record."
    )


def test_without_any_ratio_nothing_is_said() -> None:
    gain = gain_of(Figure(P99, 0.0, None), Figure(P99, 0.0, None))
    assert said_of(gain) == "Not shown."


def test_limits_of_chance_are_not_printed_with_forty_digits() -> None:
    gain = gain_of(Figure(P99, 100.0, 100.0, 1e-40, 1e40), Figure(P99, 100.0, 100.0, 1e-40, 1e40))
    assert ratio_text(*known_ratio(gain)) == ""
    assert (
        said_of(gain) == "Not shown: p99 may be any number of times faster or slower, "
        "and chance alone could do that."
    )
