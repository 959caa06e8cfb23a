"""Numbers of an observation for charts: the seconds of a window, merged into steps.

A step has the mean and the maximum of its seconds, so that no peak is smoothed away.
"""

from collections.abc import Sequence
from math import ceil

from sqlalchemy.orm import Session

from tailroom.domain.units import NS_PER_S
from tailroom.observations.schemas import Gauge, GaugeOut, GaugesOut
from tailroom.observations.service import parts
from tailroom.storage.observation import Observation

STEPS = 360
"""Most steps of a chart."""
Numbers = list[list[float | None]]
"""Numbers of gauges: a list for each gauge, an entry for each second; None if it was not read."""


def seconds_inside(observation: Observation, from_unix_ns: int, until_unix_ns: int) -> tuple[int, int]:
    """Return the range of an observation's whole seconds inside a window: first, and one past the last.

    The window is in ns since 1970. Without such a second both are equal.
    """
    first = max(0, ceil((from_unix_ns - observation.started_at_unix_ns) / NS_PER_S))
    until = (until_unix_ns - observation.started_at_unix_ns) // NS_PER_S
    return first, max(first, min(observation.samples, until))


def gauges_of(observation: Observation, group: str) -> list[Gauge]:
    """Return the gauges of a group in the order in which their numbers are stored; may be empty."""
    return [Gauge(**gauge) for gauge in observation.gauges if gauge["group"] == group]


def numbers_of(session: Session, observation: Observation, group: str, first: int, until: int) -> Numbers:
    """Return a group's numbers by gauge for each second from `first` to before `until`; None: not read."""
    columns: Numbers = [[] for _ in gauges_of(observation, group)]
    for part in parts(session, observation, group, first, until):
        begin, end = max(0, first - part.first_sample), until - part.first_sample
        for numbers, more in zip(columns, part.numbers, strict=True):
            numbers.extend(more[begin:end])
    return columns


def in_steps(
    session: Session, observation: Observation, group: str, from_unix_ns: int, until_unix_ns: int
) -> GaugesOut:
    """Return the numbers of a group's gauges in a window (ns since 1970), merged into at most `STEPS` steps.

    Seconds that lie only partly in the window are left out.
    """
    first, until = seconds_inside(observation, from_unix_ns, until_unix_ns)
    step_s = max(1, ceil((until - first) / STEPS))
    numbers = numbers_of(session, observation, group, first, until)
    origin_ns = observation.started_at_unix_ns - from_unix_ns
    gauges = zip(gauges_of(observation, group), numbers, strict=True)
    return GaugesOut(
        step_s=step_s,
        offset_ns=[origin_ns + start * NS_PER_S for start in range(first, until, step_s)],
        gauges=[_gauge_out(gauge, of_gauge, step_s) for gauge, of_gauge in gauges],
    )


def _gauge_out(gauge: Gauge, numbers: Sequence[float | None], step_s: int) -> GaugeOut:
    """Return the gauge with mean (3 decimals) and maximum of each step's known numbers; None without any."""
    steps = [
        [number for number in numbers[start : start + step_s] if number is not None]
        for start in range(0, len(numbers), step_s)
    ]
    return GaugeOut(
        **gauge.model_dump(),
        mean=[round(sum(step) / len(step), 3) if step else None for step in steps],
        greatest=[max(step, default=None) for step in steps],
    )
