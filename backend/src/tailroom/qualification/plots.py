"""Plots of a suite; each title states the result."""

from collections.abc import Callable, Sequence
from operator import attrgetter

from tailroom.domain.units import latencies
from tailroom.qualification.loads import block_text
from tailroom.qualification.plot_parts import (
    BLOCK_SIZE,
    BYTES_PER_S,
    DEPTH,
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
from tailroom.qualification.recovery_plots import cross_stimulus_plots, host_idle_plots, saturation_plots
from tailroom.qualification.schemas import PlotOut, PlotSeriesOut, SuiteLoadOut, SuiteSteadyStateOut

_number: Callable[[SuiteLoadOut], float] = attrgetter("number")
_block_bytes: Callable[[SuiteLoadOut], float] = attrgetter("block_bytes")
_depth: Callable[[SuiteLoadOut], float] = attrgetter("depth")
_rate: Callable[[SuiteLoadOut], float] = attrgetter("per_s")
_FOUR_KIB = 4096
_KNEE_RATIO = 0.9
"""Share of the highest rate (0 to 1) from which more operations under way add little."""
_STEADY_TITLES = {
    "throttled": "The drive slowed itself down by heat, so its rate is that of the cooling",
    "not_steady": "The rate did not settle",
    "unsettled": "The rate has not settled yet",
}


def plots_of(
    step: str, loads: Sequence[SuiteLoadOut], steady: SuiteSteadyStateOut | None, size_bytes: int | None
) -> list[PlotOut]:
    """Return the plots of a step, of a drive of `size_bytes` (None if not stated). Empty for a step without
    plots, for `settle` without a steady state, for `saturation` without a capacity or with a missing round,
    and for another step with fewer than two loads.
    """
    if step == "settle" and steady is not None:
        return [_rounds(loads, steady)]
    if step == "saturation" and len(loads) > 1:
        return saturation_plots(loads, size_bytes)
    make = _PLOTS.get(step)
    return [] if make is None or len(loads) < 2 else make(loads)


def _rounds(loads: Sequence[SuiteLoadOut], steady: SuiteSteadyStateOut) -> PlotOut:
    """Return the plot of the rate of each round, with the lines of the tested window if there is one."""
    window = steady.window
    title = _STEADY_TITLES.get(steady.answer)
    lines = []
    if window is not None:
        ends = (window.first_round, window.last_round)
        lines = [
            line("mean of the window", ends, (window.mean_per_s, window.mean_per_s)),
            line("line of least squares", ends, (window.line_from_per_s, window.line_to_per_s)),
        ]
        if title is None:
            title = (
                f"The rate is steady from round {window.first_round} on, at {rate_text(window.mean_per_s)}"
            )
    note = "Random writes of 4 KiB, 32 under way; each dot is a round. The lines are those of the window."
    rates = curve("each round", loads, _number, _rate)
    return plot(title or "", note, ROUND, OPERATIONS_PER_S, [rates, *lines])


def _iops(loads: Sequence[SuiteLoadOut]) -> list[PlotOut]:
    """Return the plot of random operations per second by block size, with a curve for each share of reads."""
    shares = sorted({load.read_pct for load in loads}, reverse=True)
    at_4k = {load.read_pct: load.per_s for load in loads if load.block_bytes == _FOUR_KIB}
    parts = [
        f"{rate_text(at_4k[share])} {name}"
        for share, name in ((100, "reads"), (0, "writes"))
        if share in at_4k
    ]
    title = f"At 4 KiB: {' and '.join(parts)}" if parts else "Operations a second by size of block"
    note = "Random operations, 32 under way, by size of block; a curve for each share of reads."
    series = [
        curve(_share_text(share), _loads_of_share(loads, share), _block_bytes, _rate) for share in shares
    ]
    return [plot(title, note, BLOCK_SIZE, OPERATIONS_PER_S, series)]


def _throughput(loads: Sequence[SuiteLoadOut]) -> list[PlotOut]:
    """Return the plot of sequential bytes per second by block size, for reads and for writes."""
    reads, writes = _loads_of_share(loads, 100), _loads_of_share(loads, 0)
    best_read, best_written = (
        max((load.bytes_per_s for load in of_share), default=0.0) for of_share in (reads, writes)
    )
    title = f"{bytes_text(best_read)} read and {bytes_text(best_written)} written, block after block"
    series = [
        curve(label, of_share, _block_bytes, lambda load: load.bytes_per_s)
        for label, of_share in (("reads", reads), ("writes", writes))
        if of_share
    ]
    note = "Sequential operations, 32 under way, by size of block."
    return [plot(title, note, BLOCK_SIZE, BYTES_PER_S, series)]


def _latency(loads: Sequence[SuiteLoadOut]) -> list[PlotOut]:
    """Return the plot of p50 and p99 by block size, for reads and for writes; empty without latencies."""
    series, parts = [], []
    for share in (100, 0):
        of_share = sorted(_loads_of_share(loads, share), key=_block_bytes)
        for name in ("p50", "p99"):
            points = quantile_points(of_share, _block_bytes, name)
            if points:
                series.append(PlotSeriesOut(label=f"{name} of {_share_text(share)}", points=points))
            at_4k = next((at_size for at_size in points if at_size.x == _FOUR_KIB), None)
            if name == "p99" and at_4k is not None:
                parts.append(f"{_share_text(share)} {latencies(at_4k.lower, at_4k.upper, 3)}")
    if not series:
        return []
    title = f"99 % of operations of 4 KiB end within: {', '.join(parts)}" if parts else "Latency by size"
    note = "One operation under way; between the ends of the buckets."
    return [plot(title, note, BLOCK_SIZE, LATENCY, series)]


def _outstanding(loads: Sequence[SuiteLoadOut]) -> list[PlotOut]:
    """Return the plot of the rate by the number of operations under way, and that of p99 if there is any."""
    ordered = sorted(loads, key=_depth)
    most = max(load.per_s for load in ordered)
    knee = next(load for load in ordered if load.per_s >= _KNEE_RATIO * most)
    title = f"{knee.depth} under way reach {rate_text(knee.per_s)}; more add less than a tenth"
    note = f"Random reads of {block_text(knee.block_bytes)}."
    plots = [plot(title, note, DEPTH, OPERATIONS_PER_S, [curve("reads", ordered, _depth, _rate)])]
    tails = quantile_points(ordered, _depth, "p99")
    if tails:
        text = latencies(tails[-1].lower, tails[-1].upper, 3)
        title = f"With {round(tails[-1].x)} under way 99 % of the reads end within {text}"
        note = "p99 between the ends of its bucket."
        plots.append(plot(title, note, DEPTH, LATENCY, [PlotSeriesOut(label="p99", points=tails)]))
    return plots


_PLOTS: dict[str, Callable[[Sequence[SuiteLoadOut]], list[PlotOut]]] = {
    "iops": _iops,
    "throughput": _throughput,
    "latency": _latency,
    "outstanding": _outstanding,
    "cross-stimulus": cross_stimulus_plots,
    "host-idle": host_idle_plots,
}


def _loads_of_share(loads: Sequence[SuiteLoadOut], read_pct: int) -> list[SuiteLoadOut]:
    return [load for load in loads if load.read_pct == read_pct]


def _share_text(read_pct: int) -> str:
    return {100: "reads", 0: "writes"}.get(read_pct, f"{read_pct} % reads")
