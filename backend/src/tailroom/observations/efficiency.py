"""Operations per joule: operations of a run in the seconds for which the machine's watts are known.

Unknown seconds are left out of the mean. Energy counters of processors and sensors of a power supply are not
added up, because the supply feeds the processors.
"""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tailroom.domain.units import NS_PER_S
from tailroom.observations.reading import gauges_of, numbers_of, seconds_inside
from tailroom.observations.schemas import EfficiencyOut
from tailroom.storage.interval import IntervalRow
from tailroom.storage.observation import Observation
from tailroom.storage.run import Run
from tailroom.storage.series import Series

MIN_SECONDS = 5
"""Fewest seconds of a figure. With fewer, intervals cut at other times than the watts distort the rate."""


def efficiency(
    session: Session, run: Run, window: tuple[int, int], observations: Sequence[Observation]
) -> list[EfficiencyOut]:
    """Return the operations per joule for each machine with known watts, source of the watts and operation.
    `window` is start and end of the run in ns since 1970. Figures of fewer than `MIN_SECONDS` known seconds,
    or without power, are left out.
    """
    figures = []
    for observation in observations:
        gauges = gauges_of(observation, "power")
        first, until = seconds_inside(observation, *window)
        if not gauges or until - first < MIN_SECONDS:
            continue
        numbers = numbers_of(session, observation, "power", first, until)
        from_ns = observation.started_at_unix_ns + first * NS_PER_S - window[0]
        until_ns = from_ns + (until - first) * NS_PER_S
        rates = _rates(session, run, from_ns, until_ns)
        for name in dict.fromkeys(gauge.name for gauge in gauges):
            indexes = [index for index, gauge in enumerate(gauges) if gauge.name == name]
            sums = _sums([numbers[index] for index in indexes])
            if len(sums) < MIN_SECONDS or (watts := sum(sums) / len(sums)) <= 0:
                continue
            for (operation, clock), per_s in rates.items():
                figures.append(
                    EfficiencyOut(
                        observation_id=observation.observation_id,
                        host_name=observation.host_name,
                        gauge=name,
                        of=[gauges[index].of for index in indexes],
                        operation=operation,
                        clock=clock,
                        from_ns=from_ns,
                        until_ns=until_ns,
                        seconds=len(sums),
                        watts=watts,
                        operations_per_s=per_s,
                        operations_per_joule=per_s / watts,
                    )
                )
    return figures


def _sums(numbers: Sequence[Sequence[float | None]]) -> list[float]:
    """Return the sum over gauges for each second in which all are known. `numbers`: by gauge, by second."""
    return [
        sum(number for number in second if number is not None)
        for second in zip(*numbers, strict=True)
        if None not in second
    ]


def _rates(session: Session, run: Run, from_ns: int, until_ns: int) -> dict[tuple[str, str], float]:
    """Return completed operations/s by (operation, clock) between two times in ns since the run's start.

    A clock is a kind of measured time. Only intervals entirely between the times count, without those of
    single devices, and only the response time of an operation that has it. Empty without such intervals.
    """
    stored = IntervalRow.__table__.c
    start_ns, duration_ns = stored["start_ns"], stored["duration_ns"]
    query = (
        select(Series.operation, Series.clock, func.sum(stored["count"]), func.sum(duration_ns))
        .join(
            IntervalRow, (IntervalRow.run_id == Series.run_id) & (IntervalRow.series_no == Series.series_no)
        )
        .where(
            Series.run_id == run.run_id,
            Series.kind == "tick",
            Series.device.is_(None),
            start_ns >= from_ns,
            start_ns + duration_ns <= until_ns,
        )
        .group_by(Series.operation, Series.clock)
    )
    rates = {
        (operation, clock): float(count) * NS_PER_S / float(total_ns)
        for operation, clock, count, total_ns in session.execute(query)
        if total_ns
    }
    has_response = {operation for operation, clock in rates if clock == "response"}
    return {
        (operation, clock): rate
        for (operation, clock), rate in sorted(rates.items())
        if clock == "response" or operation not in has_response
    }
