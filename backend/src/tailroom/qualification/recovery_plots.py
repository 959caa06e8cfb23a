"""Plots of write saturation and of recovery; each title states the result."""

from collections.abc import Sequence

from tailroom.domain.time_course.rate_recovery import helpful_idle
from tailroom.domain.units import latencies
from tailroom.qualification.plot_parts import (
    BYTES_PER_S,
    FILLS,
    IDLE_TIME,
    LATENCY,
    OPERATIONS_PER_S,
    ROUND,
    bytes_text,
    curve,
    line,
    plot,
    quantile_points,
    rate_text,
)
from tailroom.qualification.recovery import (
    CROSS_STIMULUS_ROUNDS,
    idle_gains_of,
    is_gapless,
    recovery_of,
    saturation_end,
    saturation_points,
)
from tailroom.qualification.schemas import PlotOut, PlotSeriesOut, SuiteLoadOut

_GB = 1e9


def saturation_plots(loads: Sequence[SuiteLoadOut], size_bytes: int | None) -> list[PlotOut]:
    """Return the plot of the rate over the bytes written, and that of p99 if there is any. Empty without
    capacity or if a round is missing.
    """
    if not size_bytes or not is_gapless(loads):
        return []
    rates = saturation_points(loads)
    end = saturation_end(loads)
    if end is not None:
        title = (
            f"The rate fell for good after {end.lower_bytes / _GB:.3g} to {end.upper_bytes / _GB:.3g} GB,"
            f" from {bytes_text(end.before_bytes_per_s)} to {bytes_text(end.after_bytes_per_s)}"
        )
    else:
        first, last = bytes_text(rates[0].bytes_per_s), bytes_text(rates[-1].bytes_per_s)
        title = f"The rate did not fall for good: {first} in the first round, {last} in the last"
    fills = {load.number: rate.bytes / size_bytes for load, rate in zip(loads, rates, strict=True)}
    note = "Random writes of 4 KiB, 32 under way, on the drive as it was purged; each dot is a round."
    written = curve("writes", loads, lambda load: fills[load.number], lambda load: load.bytes_per_s)
    plots = [plot(title, note, FILLS, BYTES_PER_S, [written])]
    tails = quantile_points(loads, lambda load: fills[load.number], "p99")
    if tails:
        slowest = max(tails, key=lambda tail: tail.upper)
        text = latencies(round(slowest.lower), round(slowest.upper), 3)
        title = f"In the slowest round 99 % of the writes end within {text}"
        note = "p99 of each round, between the ends of its bucket."
        plots.append(plot(title, note, FILLS, LATENCY, [PlotSeriesOut(label="p99", points=tails)]))
    return plots


def cross_stimulus_plots(loads: Sequence[SuiteLoadOut]) -> list[PlotOut]:
    """Return the plot of the rate of sequential writes before and after random writes, by round."""
    recovery = recovery_of(loads)
    if recovery is None:
        title = "Sequential writes before and after random ones"
    else:
        back = (
            "are not back within the rounds"
            if recovery.back_from_round is None
            else f"are back from round {recovery.back_from_round} on"
        )
        first_pct = 100 * recovery.first_ratio
        title = f"After random writes sequential ones begin with {first_pct:.0f} % of their rate and {back}"
    parts = ("sequential, before", "random", "sequential, after")
    series = []
    for number, label in enumerate(parts):
        of_part = [load for load in loads if (load.number - 1) // CROSS_STIMULUS_ROUNDS == number]
        if of_part:
            series.append(curve(label, of_part, lambda load: load.number, lambda load: load.bytes_per_s))
    note = "Writes of 1 MiB one behind the other, of 8 KiB at random, then as before; 32 under way."
    return [plot(title, note, ROUND, BYTES_PER_S, series)]


def host_idle_plots(loads: Sequence[SuiteLoadOut]) -> list[PlotOut]:
    """Return the plot of the rate of random writes after idle times; empty if no idle time was measured."""
    gains = idle_gains_of(loads)
    if not gains:
        return []
    helpful = helpful_idle(gains)
    title = (
        f"Idle time of up to {max(gain.idle_s for gain in gains)} s makes the drive no faster"
        if helpful is None
        else f"From {helpful.idle_s} s of idle time on the drive is faster, {helpful.ratio:.2f} times"
    )
    bursts = [load for load in loads if load.idle_before_s]
    rounds = [load.per_s for load in loads if not load.idle_before_s]
    mean = sum(rounds) / len(rounds)
    note = f"Random writes of 4 KiB, 32 under way; the line is the mean without, {rate_text(mean)}."
    series = [
        curve("after idle time", bursts, lambda load: load.idle_before_s, lambda load: load.per_s),
        line("without", (bursts[0].idle_before_s, bursts[-1].idle_before_s), (mean, mean)),
    ]
    return [plot(title, note, IDLE_TIME, OPERATIONS_PER_S, series)]
