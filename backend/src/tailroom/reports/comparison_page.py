"""A comparison as a page for printing: texts and figures of the compare page; nothing is calculated here."""

from datetime import datetime

from tailroom.analysis.schemas import CurveOut
from tailroom.comparison.schemas import ComparisonOut
from tailroom.reports.page import template

_EFFECTS = {"better": "better", "worse": "worse", "same": "no change", "open": "not shown"}


def comparison_page(comparison: ComparisonOut, made_at: datetime) -> str:
    """Return the page as HTML. The same comparison gives the same bytes, except for the date."""
    curves = [
        CurveOut.model_validate(
            {
                "operation": subject.label,
                "clock": subject.clock,
                "count": subject.samples,
                "miss_count": 0,
                "max_ns": None,
                "points": [point.model_dump() for point in subject.curve],
                "printed": [],
            }
        )
        for subject in comparison.subjects
        if subject.curve
    ]
    names = [subject.label for subject in comparison.subjects]
    title = f"{' and '.join([', '.join(names[1:]), names[0]])} compared"
    return template("comparison.html").render(
        found=comparison, made_at=made_at, title=title, curves=curves, effects=_EFFECTS
    )
