"""Plots of a qualification suite as SVG: dots, each with its bounds, joined by lines."""

import math
from collections.abc import Callable, Sequence

from tailroom.domain.units import latency_down
from tailroom.qualification.loads import block_text
from tailroom.qualification.plot_parts import bytes_text, rate_text
from tailroom.qualification.schemas import PlotOut, PlotSeriesOut
from tailroom.reports.drawing import AXIS, GRID, HEIGHT, INK, SOFT_INK, WIDTH, colour, svg_of, text_at

_LEFT, _RIGHT, _TOP, _BOTTOM = 84.0, 14.0, 10.0, 34.0
_Y_TEXTS: dict[str, Callable[[float], str]] = {
    "per_s": rate_text,
    "bytes_per_s": bytes_text,
    "ns": latency_down,
}


def plot_svg(plot: PlotOut) -> str:
    """Return the plot as SVG, always the same bytes for the same plot; an empty text without positive values.

    Axes are logarithmic, unless the horizontal axis counts rounds or fills.
    """
    points = [point for series in plot.series for point in series.points]
    places = sorted({point.x for point in points})
    values = [end for point in points for end in (point.lower, point.upper) if end > 0]
    if not values:
        return ""
    is_log = plot.x_kind not in {"round", "fills"}

    def x(value: float) -> float:
        ends = [math.log2(each) if is_log else each for each in (places[0], places[-1], value)]
        width = WIDTH - _LEFT - _RIGHT - 24
        return (
            _LEFT
            + 12
            + (width * (ends[2] - ends[0]) / (ends[1] - ends[0]) if ends[1] > ends[0] else width / 2)
        )

    low, high = _decades(values) if is_log else (0.0, 1.1 * max(values))

    def y(value: float) -> float:
        at = math.log10(value) if is_log and value > 0 else value
        return HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * max(0.0, (at - low) / (high - low))

    ticks = [10**exponent for exponent in range(round(low), round(high) + 1)] if is_log else _linear(high)
    parts = []
    for tick in ticks:
        parts.append(f'<path d="M{_LEFT} {y(tick):.1f}H{WIDTH - _RIGHT:.1f}" stroke="{GRID}"/>')
        parts.append(text_at(_LEFT - 6, y(tick) + 4, _Y_TEXTS[plot.y_unit](tick) if tick else "0", "end"))
    name_of = block_text if plot.x_kind == "bytes" else lambda place: f"{place:g}"
    # Rounds of write saturation are too many to be named each.
    named = [tick for tick in _linear(places[-1]) if tick >= places[0]] if plot.x_kind == "fills" else places
    parts += [text_at(x(place), HEIGHT - _BOTTOM + 18, name_of(place), "middle") for place in named]
    parts.append(f'<path d="M{_LEFT} {HEIGHT - _BOTTOM:.1f}H{WIDTH - _RIGHT:.1f}" stroke="{AXIS}"/>')
    parts += [_curve(series, number, x, y) for number, series in enumerate(plot.series)]
    return svg_of(WIDTH, HEIGHT, plot.title, "".join(parts))


def _curve(
    series: PlotSeriesOut, number: int, x: Callable[[float], float], y: Callable[[float], float]
) -> str:
    """Return the SVG of a series: a line through the middles of its bounds, and dots with their bounds."""
    tone = INK if series.is_line else colour(number)
    middle = [(x(point.x), y((point.lower + point.upper) / 2)) for point in series.points]
    path = "L".join(f"{left:.1f} {top:.1f}" for left, top in middle)
    parts = [f'<path d="M{path}" fill="none" stroke="{tone}"/>']
    if not series.is_line:
        parts += [f'<circle cx="{left:.1f}" cy="{top:.1f}" r="3" fill="{tone}"/>' for left, top in middle]
        parts += [
            f'<path d="M{x(point.x):.1f} {y(point.lower):.1f}V{y(point.upper):.1f}" stroke="{tone}"/>'
            for point in series.points
            if point.upper > point.lower
        ]
    return "".join(parts)


def key_colour(series: PlotSeriesOut, number: int) -> str:
    """Return the colour of a series in the legend; `number` is its position in the plot."""
    return SOFT_INK if series.is_line else colour(number)


def _decades(values: Sequence[float]) -> tuple[float, float]:
    """Return the exponents of the powers of ten around positive values, which differ by at least 1."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return (float(low), float(high if high > low else low + 1))


def _linear(high: float) -> list[float]:
    """Return round axis ticks from 0 up to at most `high`, which must be positive."""
    step = 10 ** math.floor(math.log10(high))
    step = next(part * step for part in (0.1, 0.2, 0.5, 1, 2) if high / (part * step) <= 6)
    return [step * number for number in range(int(high / step) + 1)]
