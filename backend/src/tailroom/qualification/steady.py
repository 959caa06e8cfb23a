"""Whether the rate of a drive is steady, from the stored rounds, by the rule of the agent."""

from collections.abc import Sequence

from tailroom.analysis.drive_counters import figure_out
from tailroom.domain.drive_counters.of_test import added
from tailroom.domain.drive_counters.summary import CounterFigure, amplification_of
from tailroom.domain.time_course.steady_state import WINDOW_ROUNDS, PtsWindow, pts_window
from tailroom.qualification.loads import MeasuredLoad
from tailroom.qualification.schemas import SteadyAnswer, SuiteSteadyStateOut, SuiteWindowOut

MOST_ROUNDS = 25
"""Rounds after which the agent gives up."""


def steady_state_of(rounds: Sequence[MeasuredLoad]) -> SuiteSteadyStateOut:
    """Return whether the rate settled in the first `MOST_ROUNDS` rounds, with the first window that shows it.

    Rounds are in order; rounds in which the drive slowed itself down by heat are part of no steady window.
    Without a steady window, that of the last rounds is returned once all rounds are measured.
    """
    rounds = rounds[:MOST_ROUNDS]
    rates = [each.out.per_s for each in rounds]
    throttled = [each.out.number for each in rounds if each.is_throttled]
    for first in range(len(rounds) - WINDOW_ROUNDS + 1):
        window = pts_window(rates[first : first + WINDOW_ROUNDS])
        if rounds[first + WINDOW_ROUNDS - 1].out.number - rounds[first].out.number != WINDOW_ROUNDS - 1:
            continue  # A round of the window is missing.
        is_cool = not any(each.is_throttled for each in rounds[first : first + WINDOW_ROUNDS])
        if is_cool and window.mean > 0.0 and window.is_steady:
            text = f"steady from round {rounds[first].out.number} on: {_figures(window)}"
            return _steady_out("steady", text, throttled, _window(rounds, first, window))
    if len(rounds) < MOST_ROUNDS:
        return _steady_out(
            "unsettled", f"not settled after {len(rounds)} of at most {MOST_ROUNDS} rounds", throttled
        )
    first = MOST_ROUNDS - WINDOW_ROUNDS
    window = pts_window(rates[first:])
    last = _window(rounds, first, window)
    if any(each.is_throttled for each in rounds[first:]):
        text = f"throttled: in the last {WINDOW_ROUNDS} rounds the drive slowed itself down by heat"
        return _steady_out("throttled", text, throttled, last)
    return _steady_out(
        "not_steady", f"not steady after {MOST_ROUNDS} rounds: {_figures(window)}", throttled, last
    )


def _steady_out(
    answer: SteadyAnswer, text: str, throttled: list[int], window: SuiteWindowOut | None = None
) -> SuiteSteadyStateOut:
    return SuiteSteadyStateOut(answer=answer, text=text, throttled_rounds=throttled, window=window)


def _window(rounds: Sequence[MeasuredLoad], first: int, window: PtsWindow) -> SuiteWindowOut:
    """Return the window of rounds from position `first` on, with its fitted line in operations/s."""
    chosen = rounds[first : first + WINDOW_ROUNDS]
    half = window.slope * (WINDOW_ROUNDS - 1) / 2
    return SuiteWindowOut(
        first_round=chosen[0].out.number,
        last_round=chosen[-1].out.number,
        mean_per_s=window.mean,
        range_ratio=window.range_ratio,
        excursion_ratio=window.excursion_ratio,
        line_from_per_s=window.mean - half,
        line_to_per_s=window.mean + half,
        write_amplification=figure_out(amplification_over(chosen)),
    )


def amplification_over(loads: Sequence[MeasuredLoad]) -> CounterFigure:
    """Return the write amplification of several runs together: media bytes divided by host bytes. If the
    counters of a run are missing, it has a reason in place of bounds.
    """
    media, host = (
        added([load.written(key) for load in loads]) for key in ("media_written_bytes", "host_written_bytes")
    )
    if media is None or host is None:
        reason = "the drive was not read before and after each of these runs"
        return CounterFigure("write_amplification_ratio", "ratio", None, None, reason=reason)
    return amplification_of(media, host)


def _figures(window: PtsWindow) -> str:
    """Return the figures of a window as text, each with its limit; `nothing was done` for a rate of 0."""
    if window.range_ratio is None or window.excursion_ratio is None:
        return "nothing was done"
    return (
        f"mean {window.mean:,.0f}/s, range {100 * window.range_ratio:.1f} % of it (at most 20),"
        f" rise of the line {100 * window.excursion_ratio:.1f} % (at most 10)"
    )
