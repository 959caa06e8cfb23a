"""The answer of a run as a small picture (badge) for other sites: verdict, question, and a bar of the room
left.

The badge of a withdrawn or deleted run, or of a link that has ended, states only that.
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
_CHARACTER_WIDTH, _PADDING, _HEIGHT, _BAR = 6.6, 8, 24, 5
_GREY = "#4a4f57"
_PLAIN = WordStyle(_GREY, _GREY, "#fff", False)


def badge_of(title: str, lead: Mapping[str, Any] | None) -> str:
    """Return the SVG badge of a run for the document of its lead verdict, the answer of the run.

    `lead` None: nothing was judged. Only verdicts about transactions have a bar of the room left.
    """
    if lead is None:
        return _badge("not judged", _PLAIN, f"{title}: no budget asks about it", "")
    budget = lead["budget"]
    question = budget["title"] or budget["name"]
    words = words_of_document(lead)
    room = room_of(lead)
    bar = "" if room is None else room_bar(room, 100.0, float(_BAR))
    text = f"{title}: {words}: {question}: {answer_of(lead)}"
    return _badge(f"{words} · {question}", word_style(lead), text, bar)


def ended_badge(word: str) -> str:
    """Return an SVG badge that shows only `word`, such as `withdrawn` or `link ended`."""
    return _badge(word, _PLAIN, word, "")


def _badge(word: str, style: WordStyle, title: str, bar: str) -> str:
    """Return the SVG: `word` beside the label, above the SVG `bar` if any; `title` is for screen readers."""
    word, title = clean_line(word), xml_text(clean_line(title))
    left = round(len(_LABEL) * _CHARACTER_WIDTH) + 2 * _PADDING
    right = round(len(word) * _CHARACTER_WIDTH) + 2 * _PADDING
    dashes = ' stroke-dasharray="4 3"' if style.is_dashed else ""
    width, height = left + right, _HEIGHT + (_BAR if bar else 0)
    positioned_bar = bar.replace("<svg ", f'<svg y="{_HEIGHT}" preserveAspectRatio="none" ', 1)
    positioned_bar = positioned_bar.replace('width="100"', f'width="{width}"', 1)
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
        f"{positioned_bar}</svg>"
    )
