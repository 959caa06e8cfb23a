"""Growth of sampled figures over hours, its bounds, and a picture of all figures (`make bench-soak`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations

import numpy as np

WARM_UP = 1 / 3
"""Share of the time in which caches fill; growth is measured after it."""
_WIDTH, _HEIGHT, _COLUMNS, _TOP = 290, 140, 4, 64
_LINES = ("#1f6f8b", "#c2571a", "#3d7a3d", "#7a4d9e", "#8a6d1f", "#a33b5c")
_MOST_PAIRS_OF = 240


@dataclass(frozen=True)
class Bound:
    """Largest acceptable growth after the warm-up: an amount, or a share of the median if that is larger."""

    most: float
    share: float = 0.0


@dataclass(frozen=True)
class Growth:
    """Growth of one figure after the warm-up."""

    name: str
    unit: str
    median: float
    per_hour: float
    grown: float
    most: float

    @property
    def is_too_much(self) -> bool:
        """Return whether the growth exceeds its bound."""
        return self.grown > self.most


def growth_of(name: str, unit: str, at_s: Sequence[float], values: Sequence[float], bound: Bound) -> Growth:
    """Return the growth after the warm-up, by the Theil–Sen slope: the median of the slopes of all pairs."""
    since = at_s[0] + WARM_UP * (at_s[-1] - at_s[0])
    points = [(at, value) for at, value in zip(at_s, values, strict=True) if at >= since]
    points = points[:: 1 + len(points) // _MOST_PAIRS_OF]
    slopes = [(later[1] - earlier[1]) / (later[0] - earlier[0]) for earlier, later in combinations(points, 2)]
    slope = float(np.median(slopes)) if slopes else 0.0
    median = float(np.median([value for _, value in points]))
    grown = slope * (points[-1][0] - points[0][0])
    return Growth(name, unit, median, 3600 * slope, grown, max(bound.most, bound.share * median))


def table(growths: Sequence[Growth]) -> str:
    """Return the growths as a Markdown table."""
    lines = [
        "| figure | median | an hour | grown after warm-up | bound | |",
        "|---|---|---|---|---|---|",
    ]
    for growth in growths:
        verdict = "**too much**" if growth.is_too_much else "holds"
        numbers = " | ".join(
            f"{sign}{_number(value)} {growth.unit}".rstrip()
            for value, sign in (
                (growth.median, ""),
                (growth.per_hour, ""),
                (growth.grown, ""),
                (growth.most, "≤ "),
            )
        )
        lines.append(f"| {growth.name} | {numbers} | {verdict} |")
    return "\n".join(lines)


def picture(
    title: str,
    at_s: Sequence[float],
    panels: Mapping[str, Mapping[str, Sequence[float]]],
    growths: Sequence[Growth],
) -> str:
    """Return an SVG page with a small chart for each figure; `panels` has lines by chart."""
    too_much = {growth.name for growth in growths if growth.is_too_much}
    rows = -(-len(panels) // _COLUMNS)
    width, height = _COLUMNS * _WIDTH + 20, rows * _HEIGHT + _TOP + 10
    verdict = (
        "Left of each dashed line is warm-up. Charts begin at zero. Time goes from 0 to"
        f" {(at_s[-1] - at_s[0]) / 60:.0f} minutes."
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="16" y="28" font-size="17" fill="#222">{escape(title)}</text>',
        f'<text x="16" y="48" font-size="12" fill="#555">{verdict}</text>',
    ]
    for number, (name, lines) in enumerate(panels.items()):
        row, column = divmod(number, _COLUMNS)
        is_bad = any(prefix == name or prefix.startswith(f"{name}, ") for prefix in too_much)
        parts.append(f'<g transform="translate({16 + column * _WIDTH},{_TOP + row * _HEIGHT})">')
        parts += _chart(name, at_s, lines, is_bad=is_bad)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>\n"])


def _chart(
    name: str, at_s: Sequence[float], lines: Mapping[str, Sequence[float]], *, is_bad: bool
) -> list[str]:
    """Return the SVG elements of a chart."""
    width, height = _WIDTH - 24, _HEIGHT - 52
    largest = max((max(values) for values in lines.values()), default=0.0) or 1.0
    lasted = (at_s[-1] - at_s[0]) or 1.0
    colour = "#b00020" if is_bad else "#222"
    parts = [
        f'<text y="10" font-size="12" fill="{colour}">{escape(name)}</text>',
        f'<text x="{width}" y="10" font-size="11" fill="#555" text-anchor="end">{_number(largest)}</text>',
        f'<rect y="16" width="{width}" height="{height}" fill="none" stroke="#ccc"/>',
        f'<path d="M{width * WARM_UP:.1f} 16v{height}" stroke="#bbb" stroke-dasharray="3 3"/>',
    ]
    at = 0
    for number, (label, values) in enumerate(lines.items()):
        points = " ".join(
            f"{(moment - at_s[0]) / lasted * width:.1f},{16 + height * (1 - value / largest):.1f}"
            for moment, value in zip(at_s, values, strict=True)
        )
        stroke = _LINES[number % len(_LINES)]
        parts.append(f'<polyline points="{points}" fill="none" stroke="{stroke}" stroke-width="1.3"/>')
        if len(lines) > 1:
            place = f'x="{at}" y="{30 + height}" font-size="9" fill="{stroke}"'
            parts.append(f"<text {place}>{escape(label)}</text>")
            at += 5 * len(label) + 9
    return parts


def _number(value: float) -> str:
    """Return the number with three significant digits, or as an integer from 100 on."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"
