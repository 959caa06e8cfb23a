"""Plots of a suite. The title of each is what it shows."""

from collections.abc import Callable, Sequence

from tailroom.domain.units import latencies
from tailroom.qualification.loads import block_text
from tailroom.qualification.plot_parts import bytes_text, line, point, quantile_point, rate_text
from tailroom.qualification.recovery_plots import cross_stimulus_plots, host_idle_plots, saturation_plots
from tailroom.qualification.schemas import (
    PlotOut,
    PlotSeriesOut,
    SuiteLoadOut,
    SuiteSteadyStateOut,
)

_FOUR_KIB = 4096
_KNEE_RATIO = 0.9
"""From the first depth with so much of the highest rate on, more operations under way add little."""
_STEADY_TITLES = {
    "throttled": "The drive slowed itself down by heat, so its rate is that of the cooling",
    "not_steady": "The rate did not settle",
    "unsettled": "The rate has not settled yet",
}


def plots_of(
    step: str, loads: Sequence[SuiteLoadOut], steady: SuiteSteadyStateOut | None, size_bytes: int | None
) -> list[PlotOut]:
    """Return the plots of a step; empty where it has too few loads for a curve.

    `steady`: the steady state of the suite, for the step that settles; `size_bytes`: capacity of the drive.
    """
    if step == "settle" and steady is not None:
        return [_rounds(loads, steady)]
    if step == "saturation" and len(loads) > 1:
        return saturation_plots(loads, size_bytes)
    make = _PLOTS.get(step)
    return [] if make is None or len(loads) < 2 else make(loads)


def _rounds(loads: Sequence[SuiteLoadOut], steady: SuiteSteadyStateOut) -> PlotOut:
    """Return the plot of the rate of each round, with the lines of the window that was tested."""
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
    return PlotOut(
        title=title or "",
        note="Random writes of 4 KiB, 32 under way; each dot is a round. The lines are those of the window.",
        x_label="round",
        x_kind="round",
        y_label="operations a second",
        y_unit="per_s",
        series=[_rates("each round", loads, lambda load: load.number), *lines],
    )


def _iops(loads: Sequence[SuiteLoadOut]) -> list[PlotOut]:
    """Return the plot of random operations a second by size of block, a curve for each share of reads."""
    shares = sorted({load.read_pct for load in loads}, reverse=True)
    at_4k = {load.read_pct: load.per_s for load in loads if load.block_bytes == _FOUR_KIB}
    parts = [
        f"{rate_text(at_4k[share])} {name}"
        for share, name in ((100, "reads"), (0, "writes"))
        if share in at_4k
    ]
    title = f"At 4 KiB: {' and '.join(parts)}" if parts else "Operations a second by size of block"
    series = [
        _rates(
            _share_text(share),
            [load for load in loads if load.read_pct == share],
            lambda load: load.block_bytes,
        )
        for share in shares
    ]
    return [
        PlotOut(
            title=title,
            note="Random operations, 32 under way, by size of block; a curve for each share of reads.",
            x_label="size of block",
            x_kind="bytes",
            y_label="operations a second",
            y_unit="per_s",
            series=series,
        )
    ]


def _throughput(loads: Sequence[SuiteLoadOut]) -> list[PlotOut]:
    """Return the plot of sequential bytes a second by size of block, for reads and for writes."""
    best = {
        share: max((load.bytes_per_s for load in loads if load.read_pct == share), default=0.0)
        for share in (100, 0)
    }
    series = [
        PlotSeriesOut(
            label=_share_text(share),
            points=[point(load.block_bytes, load.bytes_per_s, load.bytes_per_s) for load in of_share],
        )
        for share in (100, 0)
        if (
            of_share := sorted(
                (load for load in loads if load.read_pct == share), key=lambda load: load.block_bytes
            )
        )
    ]
    return [
        PlotOut(
            title=f"{bytes_text(best[100])} read and {bytes_text(best[0])} written, block after block",
            note="Sequential operations, 32 under way, by size of block.",
            x_label="size of block",
            x_kind="bytes",
            y_label="bytes a second",
            y_unit="bytes_per_s",
            series=series,
        )
    ]


def _latency(loads: Sequence[SuiteLoadOut]) -> list[PlotOut]:
    """Return the plot of p50 and p99 by size of block, for reads and for writes; empty without latencies."""
    pure = [load for load in loads if load.read_pct in {0, 100} and load.latencies]
    series, parts = [], []
    for share in (100, 0):
        for name, quantile in (("p50", "p50"), ("p99", "p99")):
            points = [
                place
                for load in sorted(pure, key=lambda load: load.block_bytes)
                if load.read_pct == share
                and (place := quantile_point(load.block_bytes, load.latencies[0], quantile))
            ]
            if points:
                series.append(PlotSeriesOut(label=f"{name} of {_share_text(share)}", points=points))
                at_4k = next((place for place in points if place.x == _FOUR_KIB), None)
                if name == "p99" and at_4k is not None:
                    parts.append(f"{_share_text(share)} {latencies(at_4k.lower, at_4k.upper, 3)}")
    if not series:
        return []
    return [
        PlotOut(
            title=f"99 % of operations of 4 KiB end within: {', '.join(parts)}"
            if parts
            else "Latency by size",
            note="One operation under way; between the ends of the buckets.",
            x_label="size of block",
            x_kind="bytes",
            y_label="latency",
            y_unit="ns",
            series=series,
        )
    ]


def _outstanding(loads: Sequence[SuiteLoadOut]) -> list[PlotOut]:
    """Return the plots of rate and p99 by the number of operations under way."""
    ordered = sorted(loads, key=lambda load: load.depth)
    most = max(load.per_s for load in ordered)
    knee = next(load for load in ordered if load.per_s >= _KNEE_RATIO * most)
    common = {"x_label": "operations under way", "x_kind": "depth"}
    plots = [
        PlotOut.model_validate(
            {
                "title": f"{knee.depth} under way reach {rate_text(knee.per_s)}; more add less than a tenth",
                "note": f"Random reads of {block_text(knee.block_bytes)}.",
                "y_label": "operations a second",
                "y_unit": "per_s",
                "series": [_rates("reads", ordered, lambda load: load.depth)],
                **common,
            }
        )
    ]
    tails = [
        place
        for load in ordered
        for each in load.latencies[:1]
        if (place := quantile_point(load.depth, each, "p99"))
    ]
    if tails:
        text = latencies(tails[-1].lower, tails[-1].upper, 3)
        plots.append(
            PlotOut.model_validate(
                {
                    "title": f"With {round(tails[-1].x)} under way 99 % of the reads end within {text}",
                    "note": "p99 between the ends of its bucket.",
                    "y_label": "latency",
                    "y_unit": "ns",
                    "series": [PlotSeriesOut(label="p99", points=tails)],
                    **common,
                }
            )
        )
    return plots


_PLOTS: dict[str, Callable[[Sequence[SuiteLoadOut]], list[PlotOut]]] = {
    "iops": _iops,
    "throughput": _throughput,
    "latency": _latency,
    "outstanding": _outstanding,
    "cross-stimulus": cross_stimulus_plots,
    "host-idle": host_idle_plots,
}


def _rates(
    label: str, loads: Sequence[SuiteLoadOut], place: Callable[[SuiteLoadOut], float]
) -> PlotSeriesOut:
    """Return the rates of loads as a series of a plot; `place`: position of a load on the other axis."""
    points = sorted((point(place(load), load.per_s, load.per_s) for load in loads), key=lambda place: place.x)
    return PlotSeriesOut(label=label, points=points)


def _share_text(read_pct: int) -> str:
    return {100: "reads", 0: "writes"}.get(read_pct, f"{read_pct} % reads")
