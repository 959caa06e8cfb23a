"""A drive's rating as a small picture for pages elsewhere: what is public, by which evidence and rules.

A drive has a rating under each set of conditions; the badge shows one of them and names its conditions: of
the classes with the fewest conditions that nobody states, response time before device time, the lowest
guaranteed load, so that no badge looks better than another set of equally stated conditions allows. Its title
says all of it in words.
"""

from uuid import UUID
from xml.sax.saxutils import escape

from tailroom.domain.rating.conditions import MetricClass, OpClass
from tailroom.kit.transactions import Transactions
from tailroom.ratings.answers.answer import Answer, answer_of
from tailroom.ratings.answers.order import unstated_conditions
from tailroom.ratings.questions.question import rule_set_of, rule_set_question
from tailroom.ratings.serialization.drive_page import drive_of
from tailroom.ratings.serialization.rows import row_document
from tailroom.ratings.service import Content, KeptRatings, is_known, tag

MEDIA_TYPE = "image/svg+xml"
_SIGN_WIDTH = 6.4
_PADDING = 8
_HEIGHT = 20
_COLOURS = {"held": "#1f6f43", "missed": "#8a2b2b", "unknown": "#4a4f57"}
"""White text on each has a contrast of at least 4.5 : 1."""
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


def badge(  # noqa: PLR0917 - who asks what, and what he knows
    transactions: Transactions,
    kept: KeptRatings,
    organisation_id: UUID,
    slug: str,
    rule_set: str,
    known: str | None,
) -> Content:
    """The badge. Raises DriveUnknown, BudgetUnknown, FilterInvalid."""
    with transactions() as session:
        chosen = rule_set_of(session, organisation_id, rule_set)
    board = kept.boards.current(transactions, None)
    drive = drive_of(board, slug)
    question = rule_set_question(chosen)
    etag = tag("badge", board.stamp, slug, question.fingerprint)
    if is_known(known, etag):
        return Content(None, etag, MEDIA_TYPE)
    answer = answer_of(transactions, board, question, frozenset(), kept.judged)
    word, colour, detail = _rating(answer, slug)
    title = f"{drive.vendor} {drive.name}: {detail} ({chosen.title}, version {chosen.version})"
    return Content(_svg(chosen.title, word, colour, title).encode(), etag, MEDIA_TYPE)


def _rating(answer: Answer, slug: str) -> tuple[str, str, str]:
    """What stands in the badge, its colour, and the title."""
    rows = [
        place
        for place, row in enumerate(answer.board.rows)
        if row.drive.slug == slug and answer.is_decided[place]
    ]
    if not rows:
        return "not rated", _COLOURS["unknown"], "no test decides what load it holds"
    shown = min(
        rows,
        key=lambda place: (
            unstated_conditions(answer.board.rows[place].condition_class),
            answer.board.rows[place].condition_class.metric_class is not MetricClass.TOTAL,
            float(answer.rating_lower[place]),
            answer.board.rows[place].row_id,
        ),
    )
    row = row_document(answer, shown, ())
    conditions = answer.board.rows[shown].condition_class
    rating = row["rating"]
    passed, failed = rating["passed_load"], rating["failed_load"]
    evidence = ", ".join(_EVIDENCE[one] for one in row["evidence"])
    text = conditions.text
    short = ", ".join(
        word for word in (_METRIC[conditions.metric_class], _OVER_PROVISIONING[conditions.op_class]) if word
    )
    if passed is None:
        word = f"below {failed:g}x · {short}"
        return word, _COLOURS["missed"], f"fails {failed:g}x, no lower load passed; {text}; {evidence}"
    upper = f"fails {failed:g}x" if failed is not None else "no failure above"
    word = f"holds {passed:g}x" if failed is None else f"holds {passed:g}x, fails {failed:g}x"
    return f"{word} · {short}", _COLOURS["held"], f"holds {passed:g}x, {upper}; {text}; {evidence}"


def _svg(label: str, word: str, colour: str, title: str) -> str:
    left = round(len(label) * _SIGN_WIDTH) + 2 * _PADDING
    right = round(len(word) * _SIGN_WIDTH) + 2 * _PADDING
    label, word, title = escape(label), escape(word), escape(title)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{_HEIGHT}" role="img" '
        f'aria-labelledby="t"><title id="t">{title}</title>'
        f'<rect width="{left + right}" height="{_HEIGHT}" rx="3" fill="#2b2f36"/>'
        f'<path d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v{_HEIGHT - 6}a3 3 0 0 1-3 3H{left}z" fill="{colour}"/>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f'<text x="{_PADDING}" y="14" textLength="{left - 2 * _PADDING}">{label}</text>'
        f'<text x="{left + _PADDING}" y="14" textLength="{right - 2 * _PADDING}">{word}</text></g></svg>'
    )
