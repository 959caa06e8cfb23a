"""Texts and points of plots of a suite."""

from tailroom.qualification.schemas import PlotPointOut, PlotSeriesOut, SuiteLatencyOut


def rate_text(per_s: float) -> str:
    """Return a rate of operations to three figures: `12,300/s`."""
    return f"{float(f'{per_s:.3g}'):,.0f}/s" if per_s >= 100 else f"{per_s:.3g}/s"


def bytes_text(bytes_per_s: float) -> str:
    """Return a rate of bytes to three figures: `1.23 GB/s`."""
    for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if bytes_per_s >= size:
            return f"{bytes_per_s / size:.3g} {unit}/s"
    return f"{bytes_per_s:.3g} B/s"


def quantile_point(x: float, latency: SuiteLatencyOut, name: str) -> PlotPointOut | None:
    """Return a quantile (`name`: p50, p99 or p999) between the ends of its bucket; None where it has too few
    samples.
    """
    lower, upper = getattr(latency, f"{name}_lower_ns"), getattr(latency, f"{name}_upper_ns")
    return None if lower is None or upper is None else point(x, lower, upper)


def line(label: str, x: tuple[float, float], y: tuple[float, float]) -> PlotSeriesOut:
    """Return a line through two points, given by their places on both axes."""
    points = [point(at, value, value) for at, value in zip(x, y, strict=True)]
    return PlotSeriesOut(label=label, is_line=True, points=points)


def point(x: float, lower: float, upper: float) -> PlotPointOut:
    """Return a point with the bounds of its value."""
    return PlotPointOut(x=x, lower=lower, upper=upper)
