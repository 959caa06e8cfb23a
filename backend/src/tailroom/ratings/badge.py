"""A drive's rating as a small picture (badge) for other sites.

A drive has a rating under each set of conditions; the badge shows a single rating and names its conditions.
It is the rating of the class with the fewest unstated conditions, response time before device time, lowest
passed load, so that no badge looks better than another set of equally stated conditions allows. Its title
states all in words.
"""

import math
from uuid import UUID

from tailroom.domain.rating.conditions import MetricClass, OpClass
from tailroom.kit.encodings import xml_text
from tailroom.kit.transactions import Transactions
from tailroom.ratings.drive_page import drive_of
from tailroom.ratings.judgements import JudgementCache
from tailroom.ratings.leaderboard import Ratings, ratings_of
from tailroom.ratings.question import rule_set_of, rule_set_question
from tailroom.ratings.selection import unstated_conditions
from tailroom.ratings.service import Content, tag

MEDIA_TYPE = "image/svg+xml"
_CHARACTER_WIDTH = 6.4
_PADDING = 8
_HEIGHT = 20
_COLOURS = {"held": "#1f6f43", "missed": "#8a2b2b", "unknown": "#4a4f57"}
"""Background by rating: a load passed, none passed, not rated. Contrast to white text is 4.5 : 1 or more."""
_METRIC = {
    MetricClass.TOTAL: "response time",
    MetricClass.DEVICE: "device time",
    MetricClass.UNSTATED: "time not stated",
}
_OVER_PROVISIONING = {
    OpClass.NONE: "no OP",
    OpClass.OVER_PROVISIONED: "OP",
    OpClass.UNSTATED: "OP not stated",
}
_EVIDENCE = {
    "measured_24h": "measured for 24 h",
    "measured": "measured for less than 24 h",
    "uploaded": "from an uploaded log",
    "third_party": "published by a third party",
    "vendor": "published by the vendor",
}
"""Words of each evidence class, strongest first."""


def badge(
    transactions: Transactions, cache: JudgementCache, organisation_id: UUID, slug: str, rule_set: str
) -> Content:
    """Return the SVG badge of a drive (by slug) over public tests, by a named rule set. Raise DriveUnknown or
    BudgetUnknown if drive or rule set does not exist, FilterInvalid for a rule set without limits on shares
    of reads.
    """
    with transactions() as session:
        budget = rule_set_of(session, organisation_id, rule_set)
    ratings = ratings_of(transactions, cache, None, rule_set_question(budget))
    drive = drive_of(ratings.drives, slug)
    word, colour, detail = _rating(ratings, slug)
    title = f"{drive.vendor} {drive.name}: {detail} ({budget.title}, version {budget.version})"
    body = _svg(budget.title, word, colour, title).encode()
    return Content(body, tag("badge", body), MEDIA_TYPE)


def _rating(ratings: Ratings, slug: str) -> tuple[str, str, str]:
    """Return text, background colour and title of a drive's badge; “not rated” if no test decides a row."""
    rows = [row for row in ratings.rows if row.drive.slug == slug and row.is_decided]
    if not rows:
        return "not rated", _COLOURS["unknown"], "no test decides what load it holds"
    row = min(
        rows,
        key=lambda row: (
            unstated_conditions(row.condition_class),
            row.condition_class.metric_class is not MetricClass.TOTAL,
            row.passed_load,
            row.row_id,
        ),
    )
    conditions, failed = row.condition_class, row.failed_load
    evidence = ", ".join(words for name, words in _EVIDENCE.items() if name in row.evidence)
    short = ", ".join((_METRIC[conditions.metric_class], _OVER_PROVISIONING[conditions.op_class]))
    if row.passed_load <= 0.0:
        strength = row.failed_strength
        detail = f"fails {failed:g}x ({strength}), no lower load passed; {conditions.text}; {evidence}"
        return f"below {failed:g}x · {short}", _COLOURS["missed"], detail
    upper = "no failure above" if math.isinf(failed) else f"fails {failed:g}x"
    holds = f"holds {row.passed_load:g}x"
    word = holds if math.isinf(failed) else f"{holds}, {upper}"
    detail = f"{holds}, {upper} ({row.passed_strength}); {conditions.text}; {evidence}"
    return f"{word} · {short}", _COLOURS["held"], detail


def _svg(label: str, word: str, colour: str, title: str) -> str:
    """Return the SVG: `label` at the left, `word` on `colour` at the right, `title` for screen readers."""
    left = round(len(label) * _CHARACTER_WIDTH) + 2 * _PADDING
    right = round(len(word) * _CHARACTER_WIDTH) + 2 * _PADDING
    label, word, title = xml_text(label), xml_text(word), xml_text(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{_HEIGHT}" role="img" '
        f'aria-labelledby="t"><title id="t">{title}</title>'
        f'<rect width="{left + right}" height="{_HEIGHT}" rx="3" fill="#2b2f36"/>'
        f'<path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v{_HEIGHT - 6}a3 3 0 0 1-3 3H{left}z" fill="{colour}"/>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f'<text x="{_PADDING}" y="14" textLength="{left - 2 * _PADDING}">{label}</text>'
        f'<text x="{left + _PADDING}" y="14" textLength="{right - 2 * _PADDING}">{word}</text></g></svg>'
    )
