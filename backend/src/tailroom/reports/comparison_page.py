"""A comparison as a page that prints: the answers of the compare page with every figure, none calculated."""

from datetime import datetime

from tailroom.analysis.schemas import CurveOut
from tailroom.comparison.schemas import ComparisonOut
from tailroom.reports.page import template

_EFFECTS = {"better": "better", "worse": "worse", "same": "no change", "open": "not shown"}


def comparison_page(found: ComparisonOut, made_at: datetime) -> str:
    """The page. The same comparison gives the same bytes, but for the date."""
    curves = [
        CurveOut.model_validate(
            {
                "operation": one.label,
                "clock": one.clock,
                "count": one.samples,
                "miss_count": 0,
                "max_ns": None,
                "points": [point.model_dump() for point in one.curve],
                "printed": [],
            }
        )
        for one in found.subjects
        if one.curve
    ]
    names = [one.label for one in found.subjects]
    title = f"{' and '.join([', '.join(names[1:]), names[0]])} compared"
    return template("comparison.html").render(
        found=found, made_at=made_at, title=title, curves=curves, effects=_EFFECTS
    )
