"""A report as an HTML page: nothing is loaded from elsewhere, no script runs, and it prints as shown.

Every figure is in a `<data>` element with all its digits, beside the rounded text, so that programs can read
it. The template escapes text from users.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from tailroom.analysis.schemas import CurveOut
from tailroom.domain.errors import sentence
from tailroom.domain.units import count_text, duration_text, latencies, percent_text
from tailroom.domain.verdicts.headline import scope_text, words_of_document
from tailroom.reports import drawing, words
from tailroom.reports.content import Report

NAMED_QUANTILES = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
"""Quantiles in the table of percentiles."""
MOST_CONFIGURATION_ROWS = 400
"""Maximum number of rows of a configuration; of further rows only the number is shown."""
MOST_ROWS = 60
"""Maximum number of operations in the table of percentiles; of the others only the number is shown."""


def page_of(report: Report, beside: Mapping[str, str] | None = None) -> str:
    """Return the report as an HTML page; `beside`: addresses of its other forms, by name."""
    return template("report.html").render(report=report, beside=beside or {})


def template(name: str) -> Template:
    """Return the page template of this file name, which escapes its values."""
    return _environment().get_template(name)


def message_page(title: str, text: str) -> str:
    """Return an HTML page with only a title and a text."""
    return template("message.html").render(title=title, text=text)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("tailroom.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": percent_text, "duration": duration_text, "count": count_text}
    environment.globals |= {
        "MOST_CONFIGURATION_ROWS": MOST_CONFIGURATION_ROWS,
        "MOST_CURVES": drawing.MOST_CURVES,
        "MOST_ROWS": MOST_ROWS,
        "answer_of": words.answer_of,
        "bar_of": _bar_of,
        "bounds_of": words.bounds_of,
        "chart_of": lambda curves: _markup(drawing.percentile_chart(curves)),
        "colour": drawing.colour,
        "course_of": lambda series: _markup(
            drawing.course_chart(series.percentiles, f"{series.operation}, {series.clock} time")
        ),
        "latencies": latencies,
        "named_of": _named_points,
        "named_quantiles": NAMED_QUANTILES,
        "quantity_of": words.quantity_of,
        "row_of": words.row_of,
        "room_of": words.room_of,
        "room_text": words.room_text,
        "sentence": _reason_sentence,
        "scope_text": scope_text,
        "words_of": words_of_document,
    }
    return environment


def _named_points(curve: CurveOut) -> list[Any]:
    """Return the points of a curve at `NAMED_QUANTILES`; None for a quantile that the curve does not have."""
    by_quantile = {point.quantile: point for point in curve.points}
    return [by_quantile.get(quantile) for quantile in NAMED_QUANTILES]


def _reason_sentence(reason: str | None) -> str:
    """Return a reason as a sentence; empty if it is None or empty."""
    return sentence(reason.rstrip(".")) if reason else ""


def _bar_of(verdict: Mapping[str, Any]) -> Markup | None:
    """Return the room bar of a verdict's document as SVG; None if it is not about transactions."""
    room = words.room_of(verdict)
    return None if room is None else _markup(drawing.room_bar(room))


def _markup(svg: str | None) -> Markup | None:
    """Return an own drawing marked as safe HTML, because it escapes its texts; None for None."""
    return None if svg is None else Markup(svg)  # noqa: S704
