"""Axes, texts and points of plots of a suite."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tailroom.qualification.schemas import (
    PlotOut,
    PlotPlace,
    PlotPointOut,
    PlotSeriesOut,
    PlotUnit,
    SuiteLatencyOut,
    SuiteLoadOut,
)


class XAxis(NamedTuple):
    """Label and kind of the positions on a horizontal axis."""

    label: str
    kind: PlotPlace


class YAxis(NamedTuple):
    """Label and unit of the values on a vertical axis."""

    label: str
    unit: PlotUnit


BLOCK_SIZE = XAxis("size of block", "bytes")
DEPTH = XAxis("operations under way", "depth")
FILLS = XAxis("written, in times the capacity", "fills")
IDLE_TIME = XAxis("idle time before, seconds", "idle_s")
ROUND = XAxis("round", "round")
BYTES_PER_S = YAxis("bytes a second", "bytes_per_s")
LATENCY = YAxis("latency", "ns")
OPERATIONS_PER_S = YAxis("operations a second", "per_s")


def plot(title: str, note: str, x: XAxis, y: YAxis, series: Sequence[PlotSeriesOut]) -> PlotOut:
    """Return a plot of these series on these axes; `title` states the result."""
    return PlotOut(
        title=title,
        note=note,
        x_label=x.label,
        x_kind=x.kind,
        y_label=y.label,
        y_unit=y.unit,
        series=list(series),
    )


def curve(
    label: str,
    loads: Sequence[SuiteLoadOut],
    x: Callable[[SuiteLoadOut], float],
    y: Callable[[SuiteLoadOut], float],
) -> PlotSeriesOut:
    """Return a curve with a point for each load, by ascending `x`; `x` and `y` give its coordinates."""
    points = [PlotPointOut(x=x(load), lower=y(load), upper=y(load)) for load in loads]
    return PlotSeriesOut(label=label, points=sorted(points, key=lambda of_load: of_load.x))


def quantile_points(
    loads: Sequence[SuiteLoadOut], x: Callable[[SuiteLoadOut], float], name: str
) -> list[PlotPointOut]:
    """Return a quantile (`name`: p50, p99 or p999) of each load, in ns with bounds.

    It is that of the load's first operation; loads with too few samples are left out.
    """
    points = [quantile_point(x(load), latency, name) for load in loads for latency in load.latencies[:1]]
    return [shown for shown in points if shown is not None]


def quantile_point(x: float, latency: SuiteLatencyOut, name: str) -> PlotPointOut | None:
    """Return a quantile (`name`: p50, p99 or p999) with its bounds in ns; None if it has too few samples."""
    lower, upper = getattr(latency, f"{name}_lower_ns"), getattr(latency, f"{name}_upper_ns")
    return None if lower is None or upper is None else PlotPointOut(x=x, lower=lower, upper=upper)


def line(label: str, x: tuple[float, float], y: tuple[float, float]) -> PlotSeriesOut:
    """Return a straight line through two points; `x` and `y` have the positions of both on each axis."""
    points = [PlotPointOut(x=at, lower=value, upper=value) for at, value in zip(x, y, strict=True)]
    return PlotSeriesOut(label=label, is_line=True, points=points)


def rate_text(per_s: float) -> str:
    """Return a rate of operations per second as text, rounded to three figures: `12,300/s`."""
    return f"{float(f'{per_s:.3g}'):,.0f}/s" if per_s >= 100 else f"{per_s:.3g}/s"


def bytes_text(bytes_per_s: float) -> str:
    """Return a rate of bytes per second as text, rounded to three figures in a decimal unit: `1.23 GB/s`."""
    for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if bytes_per_s >= size:
            return f"{bytes_per_s / size:.3g} {unit}/s"
    return f"{bytes_per_s:.3g} B/s"
