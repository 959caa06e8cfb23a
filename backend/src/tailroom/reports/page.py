"""A report as one HTML page: nothing is loaded from elsewhere, nothing runs, and it prints as it reads.

Every figure stands in a `<data>` element with all its digits beside the rounded words, so that a
program reads from the page what people read. The template escapes what somebody wrote.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from tailroom.analysis.schemas import CurveOut
from tailroom.domain.units import count_text, duration_text, latencies, percent_text
from tailroom.domain.verdicts.headline import scope_text, words_of_document
from tailroom.reports import drawing, words
from tailroom.reports.content import Report

NAMED_QUANTILES = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999)
MOST_CONFIGURATION_ROWS = 400
"""More of a configuration than anybody reads; the rest is counted."""
MOST_ROWS = 60
"""Operations whose percentiles stand in the table; the rest is counted."""


def page_of(report: Report, beside: Mapping[str, str] | None = None) -> str:
    """The page. `beside` are links to other forms of it, by name."""
    return _environment().get_template("report.html").render(report=report, beside=beside or {})


def template(name: str) -> Template:
    """A page to be filled; what it is filled with is escaped."""
    return _environment().get_template(name)


def message_page(title: str, text: str) -> str:
    """A page that says one thing."""
    return _environment().get_template("message.html").render(title=title, text=text)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("tailroom.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"percent": percent_text, "duration": duration_text, "count": count_text}
    made.globals |= {
        "MOST_CONFIGURATION_ROWS": MOST_CONFIGURATION_ROWS,
        "MOST_CURVES": drawing.MOST_CURVES,
        "MOST_ROWS": MOST_ROWS,
        "answer_of": words.answer_of,
        "bar_of": _bar_of,
        "bounds_of": words.bounds_of,
        "chart_of": lambda curves: _markup(drawing.percentile_chart(curves)),
        "colour": drawing.colour,
        "course_of": lambda one: _markup(
            drawing.course_chart(one.percentiles, f"{one.operation}, {one.clock} time")
        ),
        "latencies": latencies,
        "named_of": _named_of,
        "named_quantiles": NAMED_QUANTILES,
        "quantity_of": words.quantity_of,
        "row_of": words.row_of,
        "room_of": words.room_of,
        "room_text": words.room_text,
        "spoken": _spoken,
        "scope_text": scope_text,
        "words_of": words_of_document,
    }
    return made


def _named_of(curve: CurveOut) -> list[Any]:
    """The points of a curve at the quantiles that have names; none where the run is too short for one."""
    by_quantile = {point.quantile: point for point in curve.points}
    return [by_quantile.get(one) for one in NAMED_QUANTILES]


def _spoken(text: str | None) -> str:
    """A reason as a sentence of its own."""
    return f"{text[0].upper()}{text[1:].rstrip('.')}." if text else ""


def _bar_of(verdict: Mapping[str, Any]) -> Markup | None:
    room = words.room_of(verdict)
    return None if room is None else _markup(drawing.room_bar(room))


def _markup(drawn: str | None) -> Markup | None:
    """Pictures are drawn by us, and escape what they are told."""
    return None if drawn is None else Markup(drawn)  # noqa: S704
