"""The answer of a run as a small picture for pages elsewhere: words, question, and the room bar below.

A run that was withdrawn, or a link that has ended, gives a badge that says so and nothing else.
"""

from collections.abc import Mapping
from typing import Any

from tailroom.domain.verdicts.headline import words_of_document
from tailroom.kit.encodings import xml_text
from tailroom.kit.outside_types import clean_line
from tailroom.reports.drawing import FONT, WordStyle, room_bar, word_style
from tailroom.reports.words import answer_of, room_of

SVG = "image/svg+xml"
_LABEL = "tailroom"
_SIGN_WIDTH, _PADDING, _HEIGHT, _BAR = 6.6, 8, 24, 5
_GREY = "#4a4f57"
_PLAIN = WordStyle(_GREY, _GREY, "#fff", False)


def badge_of(title: str, lead: Mapping[str, Any] | None) -> str:
    """Of a run by the verdict that answers; none: nothing was judged."""
    if lead is None:
        return _badge("not judged", _PLAIN, f"{title}: no budget asks about it", "")
    budget = lead["budget"]
    asked = budget["title"] or budget["name"]
    words = words_of_document(lead)
    room = room_of(lead)
    bar = "" if room is None else room_bar(room, 100.0, float(_BAR))
    text = f"{title}: {words}: {asked}: {answer_of(lead)}"
    return _badge(f"{words} · {asked}", word_style(lead), text, bar)


def ended_badge(word: str) -> str:
    """In place of what is not there any more: `withdrawn`, `link ended`."""
    return _badge(word, _PLAIN, word, "")


def _badge(word: str, style: WordStyle, title: str, bar: str) -> str:
    word, title = clean_line(word), xml_text(clean_line(title))
    left = round(len(_LABEL) * _SIGN_WIDTH) + 2 * _PADDING
    right = round(len(word) * _SIGN_WIDTH) + 2 * _PADDING
    dashes = ' stroke-dasharray="4 3"' if style.is_dashed else ""
    width, height = left + right, _HEIGHT + (_BAR if bar else 0)
    placed = bar.replace("<svg ", f'<svg y="{_HEIGHT}" preserveAspectRatio="none" ', 1)
    placed = placed.replace('width="100"', f'width="{width}"', 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img"'
        f' aria-label="{title}"><title>{title}</title>'
        f'<rect width="{left}" height="{_HEIGHT}" fill="#2b2f36"/>'
        f'<rect x="{left + 1}" y="1" width="{right - 2}" height="{_HEIGHT - 2}" fill="{style.fill}"'
        f' stroke="{style.line}" stroke-width="2"{dashes}/>'
        f'<g font-family="{FONT}" font-size="11">'
        f'<text x="{_PADDING}" y="16" textLength="{left - 2 * _PADDING}" fill="#fff">{_LABEL}</text>'
        f'<text x="{left + _PADDING}" y="16" textLength="{right - 2 * _PADDING}" fill="{style.text}">'
        f"{xml_text(word)}</text></g>"
        f"{placed}</svg>"
    )
