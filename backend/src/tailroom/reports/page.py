"""A report as an HTML page: nothing is loaded from elsewhere, no script runs, and it prints as shown.

Every figure is in a `<data>` element with all its digits, beside the rounded text, so that a program reads
from the page what people read. The template escapes text from users.
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
MOST_CONFIGURATION_ROWS = 400
"""More rows of a configuration are only counted."""
MOST_ROWS = 60
"""Operations in the table of percentiles; more are only counted."""


def page_of(report: Report, beside: Mapping[str, str] | None = None) -> str:
    """Return the report as an HTML page; `beside`: links to other forms of it, by name."""
    return _environment().get_template("report.html").render(report=report, beside=beside or {})


def template(name: str) -> Template:
    """Return the page template of this file name; it escapes the values."""
    return _environment().get_template(name)


def message_page(title: str, text: str) -> str:
    """Return a page with a title and a text."""
    return _environment().get_template("message.html").render(title=title, text=text)


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
        "named_of": _named_of,
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


def _named_of(curve: CurveOut) -> list[Any]:
    """Return the points of a curve at the named quantiles; None for one that the run is too short for."""
    by_quantile = {point.quantile: point for point in curve.points}
    return [by_quantile.get(quantile) for quantile in NAMED_QUANTILES]


def _reason_sentence(reason: str | None) -> str:
    """Return a reason as a sentence; empty without one."""
    return sentence(reason.rstrip(".")) if reason else ""


def _bar_of(verdict: Mapping[str, Any]) -> Markup | None:
    room = words.room_of(verdict)
    return None if room is None else _markup(drawing.room_bar(room))


def _markup(svg: str | None) -> Markup | None:
    """Return markup of our own drawings, which escape the texts in them."""
    return None if svg is None else Markup(svg)  # noqa: S704
