"""What was under way over time, and how warm the drive was, from the intervals of an operation.

Every number of a stretch is the largest of its intervals, so that a short bad moment stays visible however
much time a point covers. None where no interval of the stretch says anything. How late and how busy the
generator was is among the numbers that are rolled up (analysis.pieces); this is kept as long as ticks are.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from tailroom.storage.interval import Interval
from tailroom.storage.series import Series

_Value = TypeVar("_Value", int, float)


@dataclass(frozen=True, slots=True)
class Widths:
    """How the time of a series is cut: length of a usual piece, and of a stretch of whole pieces."""

    piece_ns: int
    stretch_ns: int


@dataclass(frozen=True, slots=True)
class Conditions:
    """Of one stretch of time."""

    in_flight: int | None = None
    oldest_in_flight_ns: int | None = None
    temperature_celsius: float | None = None


NOTHING_KNOWN = Conditions()


def conditions_over_time(session: Session, cuts: Sequence[tuple[Series, Widths]]) -> dict[int, Conditions]:
    """By stretch, over all given series of one run. What is under way in several series at the same time is
    added up before the largest is taken, and unknown where one of them does not say.
    """
    found: dict[int, Conditions] = {}
    for series, widths in cuts:
        stretch = _number(widths, widths.stretch_ns).label("stretch")
        rows = session.execute(
            select(
                stretch,
                func.max(Interval.in_flight),
                func.max(Interval.oldest_in_flight_ns),
                func.max(Interval.temperature_millicelsius),
            )
            .where(Interval.run_id == series.run_id, Interval.series_no == series.series_no)
            .group_by("stretch")
        )
        for number, in_flight, oldest, heat in rows:
            before = found.get(number, NOTHING_KNOWN)
            found[number] = Conditions(
                largest_known((before.in_flight, in_flight)),
                largest_known((before.oldest_in_flight_ns, oldest)),
                largest_known((before.temperature_celsius, None if heat is None else heat / 1000)),
            )
    if len(cuts) > 1:
        together = _under_way(session, cuts)
        found = {number: replace(one, in_flight=together.get(number)) for number, one in found.items()}
    return found


def _under_way(session: Session, cuts: Sequence[tuple[Series, Widths]]) -> dict[int, int | None]:
    """By stretch, the largest sum over the series of what is under way at one moment."""
    moments: dict[tuple[int, int], list[int | None]] = {}
    for series, widths in cuts:
        stretch = _number(widths, widths.stretch_ns).label("stretch")
        piece = _number(widths, widths.piece_ns).label("piece")
        rows = session.execute(
            select(stretch, piece, func.max(Interval.in_flight))
            .where(Interval.run_id == series.run_id, Interval.series_no == series.series_no)
            .group_by("stretch", "piece")
        )
        for number, moment, in_flight in rows:
            moments.setdefault((number, moment), []).append(in_flight)
    found: dict[int, int | None] = {}
    for (number, _), parts in moments.items():
        known = [one for one in parts if one is not None]
        sum_of_all = sum(known) if len(known) == len(parts) else None
        found[number] = largest_known((found.get(number), sum_of_all))
    return found


def _number(widths: Widths, width_ns: int) -> ColumnElement[int]:
    """Number of the stretch in which an interval lies, with the leeway of `timeline`."""
    return (Interval.start_ns + widths.piece_ns // 2) // width_ns


def largest_known(values: Iterable[_Value | None]) -> _Value | None:
    """None where none of them is known."""
    return max((one for one in values if one is not None), default=None)
