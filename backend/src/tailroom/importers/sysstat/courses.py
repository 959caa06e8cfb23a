"""The machine over time, for the charts of a run: at most 300 points of each quantity.

If a log has more intervals, neighbours are joined and have the largest value: a device that is busy for a
second must not vanish in a mean of ten.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from tailroom.domain.units import ceil_div
from tailroom.importers.parsed_run import MachineCourse
from tailroom.importers.printed import printed
from tailroom.importers.sysstat.reports import SysstatReport

MOST_POINTS = 300
MOST_SUBJECTS = 12
"""Most devices or processors of a quantity: those with the largest values."""
_WAITS = ("await", "r_await", "w_await")

Span = tuple[int, int]
"""Start from the first report, and duration, in nanoseconds."""
_Value = Callable[[Mapping[str, str]], float | None]


def courses(reports: Sequence[SysstatReport], spans: Sequence[Span | None]) -> tuple[MachineCourse, ...]:
    """Return every quantity in the reports over time, for at most 12 devices, processors or interfaces each.

    They are those with the largest values, and all processors together. `spans` are those of the reports; a
    report without one is left out.
    """
    timed = [
        (report, span)
        for report, span in zip(reports, spans, strict=True)
        if span is not None and span[0] >= 0
    ]
    all_courses: list[MachineCourse] = []
    for quantity, is_other, value in _QUANTITIES:
        of_quantity = list(_courses_of_quantity(timed, quantity, value, is_other=is_other))
        # `CPU` is all processors together, and comes first.
        of_quantity.sort(key=lambda course: (course.subject != "CPU", -max(course.values)))
        all_courses += of_quantity[:MOST_SUBJECTS]
    return tuple(all_courses)


def _courses_of_quantity(
    timed: Sequence[tuple[SysstatReport, Span]], quantity: str, value: _Value, *, is_other: bool
) -> Iterator[MachineCourse]:
    """Yield the course of a quantity for each device, or with `is_other` for each other subject."""
    points: dict[str, list[tuple[int, int, float]]] = {}
    for report, span in timed:
        for subject, cells in (report.others if is_other else report.devices).items():
            number = value(cells)
            if number is not None:
                points.setdefault(subject, []).append((span[0], span[1], number))
    for subject, of_subject in points.items():
        columns = zip(*_join_points(sorted(of_subject)), strict=True)
        yield MachineCourse(subject, quantity, *(tuple(column) for column in columns))


def _join_points(points: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """Return at most 300 points (start and duration in ns, largest value), joined from ascending points."""
    size = ceil_div(len(points), MOST_POINTS)
    groups = [points[at : at + size] for at in range(0, len(points), size)]
    return [
        (group[0][0], group[-1][0] + group[-1][1] - group[0][0], max(row[2] for row in group))
        for group in groups
    ]


def _largest_number(cells: Mapping[str, str], *names: str) -> float | None:
    """Return the largest valid number in the columns `names`; None without any."""
    numbers = [printed(cells[name]) for name in names if name in cells]
    values = [float(number.value) for number in numbers if number is not None and 0 <= number.value < 1e12]
    return max(values, default=None)


def _cpu_busy(cells: Mapping[str, str]) -> float | None:
    """Return the per cent of time in which processors were not idle; None if not stated or impossible."""
    idle = _largest_number(cells, "idle")
    if idle is None or idle > 100:
        return None
    return round(100 - idle, 4)


_QUANTITIES: tuple[tuple[str, bool, _Value], ...] = (
    ("device_busy_percent", False, lambda cells: _largest_number(cells, "busy")),
    ("queue_length", False, lambda cells: _largest_number(cells, "queue")),
    ("device_wait_ms", False, lambda cells: _largest_number(cells, *_WAITS)),
    ("cpu_busy_percent", True, _cpu_busy),
    ("cpu_iowait_percent", True, lambda cells: _largest_number(cells, "iowait")),
    ("memory_used_percent", True, lambda cells: _largest_number(cells, "memory_used")),
    ("network_kb_per_s", True, lambda cells: _largest_number(cells, "received_kb", "sent_kb")),
)
