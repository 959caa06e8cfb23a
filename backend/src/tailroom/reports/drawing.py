"""Figures of a report as SVG, drawn on the server from the same numbers as the web page.

A figure is drawn as a band between its bounds, never as a line; an open bound fades out. Coordinates have one
decimal, so that the same figures give the same bytes.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tailroom.analysis.schemas import CurveOut, PercentilePointOut
from tailroom.domain.units import duration_text, latency_down
from tailroom.domain.verdicts.verdict import Strength, Verdict
from tailroom.kit.encodings import xml_text
from tailroom.reports.words import Room, room_text

FONT = "Inter, DejaVu Sans, Helvetica, Arial, sans-serif"
INK, SOFT_INK, GRID, AXIS = "#11161c", "#5d6873", "#e4e8ec", "#7f8a95"
_BANDS = ("#1567bd", "#a34a80", "#23788d", "#85653b", "#6b7681", "#11161c")
TONES = {"PASS": "#00664a", "FAIL": "#a33a00", "INDETERMINATE": "#785000"}
"""Colours of verdicts, as text on white or behind white text."""
_WHITE = "#ffffff"
ROOM_LEFT = {"PASS": "#b5decb", "FAIL": "#fce3d5", "INDETERMINATE": "#f2dca4"}
ROOM_FILLS = {"used": "#1567bd", "possible": "#8fbce8", "reserve": "#d5dbe1", "over": "#cf4a05"}
_POSSIBLE, _EMPTY = ROOM_FILLS["possible"], "#e9edf1"
WIDTH, HEIGHT = 720.0, 300.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 64.0, 14.0, 10.0, 34.0
_NAMED = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999, 0.9999999)
"""Quantiles with a label on the axis."""
MOST_CURVES = len(_BANDS)
"""Maximum number of curves in a chart."""
_TICKS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800)
"""Possible distances of ticks on a time axis, in seconds."""


class WordStyle(NamedTuple):
    """Colours of a verdict's box: filled if proven, outlined if observed, dashed if undecided."""

    fill: str
    line: str
    text: str
    is_dashed: bool


def word_style(verdict: Mapping[str, Any]) -> WordStyle:
    """Return the style for a verdict's document; a decided verdict without strength is drawn as observed."""
    tone = TONES[verdict["verdict"]]
    if verdict.get("strength") == Strength.PROVEN:
        return WordStyle(tone, tone, _WHITE, False)
    return WordStyle(_WHITE, tone, tone, verdict["verdict"] == Verdict.INDETERMINATE)


def colour(number: int) -> str:
    """Return the colour of the curve with this index; colours repeat after `MOST_CURVES`."""
    return _BANDS[number % len(_BANDS)]


def room_parts(room: Room) -> list[tuple[str, int, int]]:
    """Return the parts of a room bar from left to right: kind, start and end in ns since the window's start.

    Kinds: used, possible, open (possible without an upper bound), room, unknown, over, reserve. If the time
    used exceeds the window without the reserve, there are only used and over. A part may be empty.
    """
    lower, allowed = room.used_lower_ns, room.allowed_ns
    reserve = [("reserve", allowed, room.window_ns)] if room.reserve_ns else []
    if lower is None:
        return [("unknown", 0, allowed), *reserve]
    if lower > allowed:
        return [("used", 0, allowed), ("over", allowed, room.window_ns)]
    certain = max(lower, 0)
    possible = allowed if room.used_upper_ns is None else min(max(room.used_upper_ns, certain), allowed)
    band = "open" if room.used_upper_ns is None else "possible"
    return [("used", 0, certain), (band, certain, possible), ("room", possible, allowed), *reserve]


def room_bar(room: Room, width: float = WIDTH, height: float = 26.0) -> str:
    """Return the SVG bar of the time used, the room left and the reserve, up to the deadline at the right."""

    def at(time_ns: float) -> float:
        return width * min(1.0, max(0.0, time_ns / room.window_ns))

    fills = ROOM_FILLS | {"open": "url(#open)", "unknown": "url(#unknown)", "room": ROOM_LEFT[room.verdict]}
    parts = [_rect(0, 0, width, height, _EMPTY)]
    parts += [
        _rect(at(start), 0, at(end) - at(start), height, fills[kind])
        for kind, start, end in room_parts(room)
        if end > start
    ]
    if room.used_lower_ns is not None and room.allowed_ns < room.used_lower_ns and not room.reserve_ns:
        # The time exceeds the whole window: the bar is full, and its right edge is marked as exceeded.
        parts.append(_rect(width - 10, 0, 8, height, ROOM_FILLS["over"]))
    parts.append(_rect(width - 2, 0, 2, height, INK))
    return svg_of(width, height, room_text(room), _BAR_FILLS + "".join(parts))


_BAR_FILLS = (
    f'<defs><linearGradient id="open"><stop offset="0" stop-color="{_POSSIBLE}"/>'
    f'<stop offset="1" stop-color="{_POSSIBLE}" stop-opacity="0.15"/></linearGradient>'
    '<pattern id="unknown" width="6" height="6" patternUnits="userSpaceOnUse">'
    f'<rect width="6" height="6" fill="{_EMPTY}"/>'
    '<path d="M0 6L6 0" stroke="#b7c0c9"/></pattern></defs>'
)


def percentile_chart(curves: Sequence[CurveOut]) -> str | None:
    """Return percentile curves as bands in SVG; None without latencies.

    Only the first `MOST_CURVES` curves are drawn. The axis has equal steps for 0, 90, 99, 99.9 %, so that the
    largest latency, at 100 %, is left out.
    """
    shown = [curve for curve in curves[:MOST_CURVES] if any(point.quantile > 0 for point in curve.points)]
    bounds_ns = [
        bound
        for curve in shown
        for point in curve.points
        for bound in (point.lower_ns, point.upper_ns)
        if bound
    ]
    if not bounds_ns:
        return None
    last = max(point.quantile for curve in shown for point in curve.points if point.quantile < 1.0)
    frame = _Frame(0.0, max(_nines(last), 1.0), min(bounds_ns), max(bounds_ns))
    ticks = [
        (_nines(quantile), f"{100 * quantile:.5f}".rstrip("0").rstrip(".") + " %")
        for quantile in _NAMED
        if quantile <= last
    ]
    parts = [frame.axes([(0.0, "0 %"), *ticks])]
    for number, curve in enumerate(shown):
        points = [
            (_nines(point.quantile), float(point.lower_ns), point.upper_ns)
            for point in curve.points
            if point.quantile < 1.0
        ]
        parts.append(frame.band(points, colour(number)))
    names = ", ".join(f"{curve.operation} ({curve.clock} time)" for curve in shown)
    return svg_of(WIDTH, HEIGHT, f"Percentile curves: {names}", "".join(parts))


def course_chart(points: Sequence[PercentilePointOut], name: str) -> str | None:
    """Return p50 and p99 over time as bands in SVG; None if no point has either. `name` is for the label."""
    bands = []
    for lower, upper in (("p50_lower_ns", "p50_upper_ns"), ("p99_lower_ns", "p99_upper_ns")):
        band = [
            (float(start), float(getattr(point, lower)), getattr(point, upper))
            for point in points
            if getattr(point, lower) is not None
            for start in (point.start_ns, point.start_ns + point.duration_ns)
        ]
        bands.append(band)
    ends = [end for band in bands for _, lower, upper in band for end in (lower, upper) if end]
    if not ends:
        return None
    through = max(point.start_ns + point.duration_ns for point in points)
    frame = _Frame(0.0, float(through), min(ends), max(ends))
    step = next((seconds for seconds in _TICKS_S if through / 1e9 / seconds <= 8), 345_600) * 1_000_000_000
    ticks = [(float(at), duration_text(at) if at else "0") for at in range(0, through + 1, step)]
    drawn = "".join(frame.band(band, colour(number)) for number, band in enumerate(bands) if band)
    return svg_of(WIDTH, HEIGHT, f"p50 and p99 over time: {name}", frame.axes(ticks) + drawn)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Plot area: a linear horizontal axis from `first` to `last`, and a logarithmic vertical axis in ns."""

    first: float
    last: float
    lowest_ns: float
    highest_ns: float

    def x(self, value: float) -> float:
        """Return the horizontal coordinate of a value."""
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * (value - self.first) / (self.last - self.first)

    @property
    def _decades(self) -> tuple[float, float]:
        """Ends of the vertical axis as exponents of ten, rounded outward to halves."""
        low, high = math.log10(max(self.lowest_ns, 1.0)), math.log10(max(self.highest_ns, 1.0))
        return (math.floor(2 * low) / 2, max(math.ceil(2 * high) / 2, math.floor(2 * low) / 2 + 0.5))

    def y(self, time_ns: float) -> float:
        """Return the vertical coordinate of a time, within the plot area."""
        low, high = self._decades
        share = (math.log10(max(time_ns, 1.0)) - low) / (high - low)
        return HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * min(1.0, max(0.0, share))

    def axes(self, ticks: Iterable[tuple[float, str]]) -> str:
        """Return the SVG of both axes.

        `ticks` are values and labels of the horizontal axis, ascending. A label that would overlap the
        previous label is left out.
        """
        low, high = self._decades
        parts = []
        for half in range(round(2 * low), round(2 * high) + 1):
            time_ns = 10 ** (half // 2) * (1 if half % 2 == 0 else 3)
            if half % 2 and high - low > 2:
                continue
            y = self.y(time_ns)
            parts.append(f'<path d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT:.1f}" stroke="{GRID}"/>')
            parts.append(text_at(_LEFT - 6, y + 4, latency_down(time_ns), "end"))
        previous = -math.inf
        for value, name in ticks:
            x = self.x(value)
            parts.append(f'<path d="M{x:.1f} {_TOP}V{HEIGHT - _BOTTOM:.1f}" stroke="{GRID}"/>')
            if x - previous >= 6.4 * len(name) + 4:
                parts.append(text_at(min(x, WIDTH - 4 * len(name)), HEIGHT - _BOTTOM + 18, name, "middle"))
                previous = x
        parts.append(f'<path d="M{_LEFT} {HEIGHT - _BOTTOM:.1f}H{WIDTH - _RIGHT:.1f}" stroke="{AXIS}"/>')
        return "".join(parts)

    def band(self, points: Sequence[tuple[float, float, float | None]], tone: str) -> str:
        """Return the SVG band of points: value, lower bound and upper bound in ns.

        A point without upper bound (None) extends faintly to the top. `tone` is the colour.
        """
        bounded = [point for point in points if point[2] is not None]
        open_ended = [point for point in points if point[2] is None]
        parts = []
        if bounded:
            lower_edge = [f"{self.x(x):.1f} {self.y(lower):.1f}" for x, lower, _ in bounded]
            upper_edge = [f"{self.x(x):.1f} {self.y(upper or 0.0):.1f}" for x, _, upper in reversed(bounded)]
            outline = "L".join([*lower_edge, *upper_edge])
            parts.append(
                f'<path d="M{outline}Z" fill="{tone}" fill-opacity="0.35" stroke="{tone}"'
                ' stroke-linejoin="round"/>'
            )
        if open_ended:
            lower_edge = [f"{self.x(x):.1f} {self.y(lower):.1f}" for x, lower, _ in open_ended]
            ends = f"V{_TOP}H{self.x(open_ended[0][0]):.1f}Z"
            parts.append(f'<path d="M{"L".join(lower_edge)}{ends}" fill="{tone}" fill-opacity="0.12"/>')
            parts.append(
                f'<path d="M{"L".join(lower_edge)}" fill="none" stroke="{tone}" stroke-dasharray="4 3"/>'
            )
        return "".join(parts)


def _nines(quantile: float) -> float:
    """Return the negative decimal logarithm of 1 - quantile, its number of nines: 3 for 0.999."""
    return -math.log10(1.0 - quantile)


def text_at(x: float, y: float, text: str, anchor: str) -> str:
    """Return an SVG text at a point; `anchor` is `start`, `middle` or `end`."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{SOFT_INK}">{xml_text(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, fill: str) -> str:
    """Return the SVG of a rectangle; a negative width counts as 0."""
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.0):.1f}" height="{height:.1f}" fill="{fill}"/>'
    )


def svg_of(width: float, height: float, label: str, content: str) -> str:
    """Return an SVG document with this content; `label` is for screen readers."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}"'
        f' height="{height:g}" role="img" aria-label="{xml_text(label)}" font-family="{FONT}"'
        ' font-size="11">'
        f"{content}</svg>"
    )
