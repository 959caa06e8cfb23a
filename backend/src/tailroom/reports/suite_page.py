"""A qualification suite as a page for printing, under the standard's headings; nothing is calculated here."""

from datetime import datetime

from markupsafe import Markup

from tailroom.qualification.schemas import SuiteOut
from tailroom.reports.page import template
from tailroom.reports.plot_drawing import key_colour, plot_svg


def suite_page(suite: SuiteOut, made_at: datetime) -> str:
    """Return the page as HTML. The same suite gives the same bytes, except for the date."""
    return template("suite.html").render(
        suite=suite,
        made_at=made_at,
        # The drawing escapes the texts in it.
        drawn=lambda plot: Markup(plot_svg(plot)),  # noqa: S704
        key_colour=key_colour,
    )
