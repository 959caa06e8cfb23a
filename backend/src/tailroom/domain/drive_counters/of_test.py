"""The figures of drive counters that are shown with a tested load, over all its drives and tests."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from tailroom.domain.drive_counters.summary import CounterFigure, DriveSummary

FIGURES_OF_TESTS = (
    "write_amplification_ratio",
    "life_at_this_load_hours",
    "wear_used_pct",
    "throttled_s",
)
"""Keys of the figures that are shown with a test."""


def figures_of_drives(drives: Sequence[DriveSummary]) -> tuple[CounterFigure, ...]:
    """Return the figures of `FIGURES_OF_TESTS` that are known of every drive, with bounds for all drives."""
    figures = ([each for drive in drives if (each := drive.known(key))] for key in FIGURES_OF_TESTS)
    return tuple(widest(known) for known in figures if known and len(known) == len(drives))


def figures_of_tests(tests: Iterable[Sequence[CounterFigure]]) -> tuple[CounterFigure, ...]:
    """Return the figures of `FIGURES_OF_TESTS` that any test has, with bounds for all that have them."""
    by_key: dict[str, list[CounterFigure]] = {}
    for figure in (figure for figures in tests for figure in figures):
        by_key.setdefault(figure.key, []).append(figure)
    return tuple(widest(by_key[key]) for key in FIGURES_OF_TESTS if key in by_key)


def widest(figures: Sequence[CounterFigure]) -> CounterFigure:
    """Return a figure that encloses all given figures, which must have one key. `upper` is None if any is,
    `source` if they differ. Raise IndexError without figures, ValueError if none has a lower bound.
    """
    first = figures[0]
    uppers = [figure.upper for figure in figures]
    sources = {figure.source for figure in figures}
    return CounterFigure(
        first.key,
        first.unit,
        min(figure.lower for figure in figures if figure.lower is not None),
        None if None in uppers else max(upper for upper in uppers if upper is not None),
        first.source if len(sources) == 1 else None,
        next((figure.reason for figure in figures if figure.reason), None),
    )


def added(figures: Sequence[CounterFigure | None]) -> CounterFigure | None:
    """Return the sum of a figure over runs; None without runs, or if a run lacks a bound of it."""
    bounded = [figure for figure in figures if figure is not None and figure.lower is not None]
    uppers = [figure.upper for figure in bounded if figure.upper is not None]
    if not bounded or len(uppers) != len(figures):
        return None
    lower = sum(figure.lower for figure in bounded if figure.lower is not None)
    return CounterFigure(bounded[0].key, bounded[0].unit, lower, sum(uppers), bounded[0].source)


def has_throttled(figure: CounterFigure | None) -> bool:
    """Return whether `throttled_s` may exceed 2 s, the rounding of its two counters."""
    hidden_s = 2
    return figure is not None and figure.upper is not None and figure.upper > hidden_s


def figures_document(figures: Sequence[CounterFigure]) -> list[dict[str, Any]] | None:
    """Return the figures in the form that is stored with a test; None without figures."""
    return [asdict(figure) for figure in figures] or None


def figures_of_document(document: Sequence[Mapping[str, Any]] | None) -> tuple[CounterFigure, ...]:
    """Return the figures of a stored document of `figures_document`; empty for None."""
    return tuple(CounterFigure(**figure) for figure in document or ())
