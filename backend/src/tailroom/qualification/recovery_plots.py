"""Plots of write saturation and of recovery. The title of each is what it shows."""

from collections.abc import Sequence

from tailroom.domain.time_course.rate_recovery import helpful_idle
from tailroom.domain.units import latencies
from tailroom.qualification.plot_parts import bytes_text, line, point, quantile_point, rate_text
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
    """Return the plots of rate and latency over the bytes written; empty if the capacity or a round is
    unknown.
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
    places = [each.bytes / size_bytes for each in rates]
    written = [
        point(place, each.bytes_per_s, each.bytes_per_s) for place, each in zip(places, rates, strict=True)
    ]
    plots = [
        PlotOut(
            title=title,
            note="Random writes of 4 KiB, 32 under way, on the drive as it was purged; each dot is a round.",
            x_label="written, in times the capacity",
            x_kind="fills",
            y_label="bytes a second",
            y_unit="bytes_per_s",
            series=[PlotSeriesOut(label="writes", points=written)],
        )
    ]
    tails = [
        tail
        for place, load in zip(places, loads, strict=True)
        for each in load.latencies[:1]
        if (tail := quantile_point(place, each, "p99")) is not None
    ]
    if tails:
        slowest = max(tails, key=lambda tail: tail.upper)
        plots.append(
            PlotOut(
                title=f"In the slowest round 99 % of the writes end within"
                f" {latencies(round(slowest.lower), round(slowest.upper), 3)}",
                note="p99 of each round, between the ends of its bucket.",
                x_label="written, in times the capacity",
                x_kind="fills",
                y_label="latency",
                y_unit="ns",
                series=[PlotSeriesOut(label="p99", points=tails)],
            )
        )
    return plots


def cross_stimulus_plots(loads: Sequence[SuiteLoadOut]) -> list[PlotOut]:
    """Return the plot of the rate of sequential writes before and after random writes."""
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
    series = [
        PlotSeriesOut(
            label=label,
            points=[
                point(load.number, load.bytes_per_s, load.bytes_per_s)
                for load in loads
                if (load.number - 1) // CROSS_STIMULUS_ROUNDS == number
            ],
        )
        for number, label in enumerate(parts)
    ]
    return [
        PlotOut(
            title=title,
            note="Writes of 1 MiB one behind the other, of 8 KiB at random, then as before; 32 under way.",
            x_label="round",
            x_kind="round",
            y_label="bytes a second",
            y_unit="bytes_per_s",
            series=[each for each in series if each.points],
        )
    ]


def host_idle_plots(loads: Sequence[SuiteLoadOut]) -> list[PlotOut]:
    """Return the plot of the rate of random writes after idle time, beside that without; empty without
    both.
    """
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
    return [
        PlotOut(
            title=title,
            note=f"Random writes of 4 KiB, 32 under way; the line is the mean without, {rate_text(mean)}.",
            x_label="idle time before, seconds",
            x_kind="idle_s",
            y_label="operations a second",
            y_unit="per_s",
            series=[
                PlotSeriesOut(
                    label="after idle time",
                    points=[point(load.idle_before_s, load.per_s, load.per_s) for load in bursts],
                ),
                line("without", (bursts[0].idle_before_s, bursts[-1].idle_before_s), (mean, mean)),
            ],
        )
    ]
