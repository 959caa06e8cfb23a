"""The answer of a run as a small picture for pages elsewhere: word, question, and the room bar below.

A run that was withdrawn, or a link that has ended, gives a badge that says so and nothing else.
"""

from collections.abc import Mapping
from typing import Any

from tailroom.kit.encodings import xml_text
from tailroom.kit.outside_types import clean_line
from tailroom.reports.drawing import FONT, TONES, room_bar
from tailroom.reports.words import answer_of, room_of

SVG = "image/svg+xml"
_LABEL = "tailroom"
_SIGN_WIDTH, _PADDING, _HEIGHT, _BAR = 6.6, 8, 24, 5
_WORDS = {"PASS": "PASS", "FAIL": "FAIL", "INDETERMINATE": "NOT SHOWN"}
_GREY = "#4a4f57"


def badge_of(title: str, lead: Mapping[str, Any] | None) -> str:
    """Of a run by the verdict that answers; none: nothing was judged."""
    if lead is None:
        return _badge("not judged", _GREY, f"{title}: no budget asks about it", "")
    budget = lead["budget"]
    asked = budget["title"] or budget["name"]
    word = _WORDS[lead["verdict"]] + (" so far" if lead["provisional"] else "")
    room = room_of(lead)
    bar = "" if room is None else room_bar(room, 100.0, float(_BAR))
    return _badge(f"{word} · {asked}", TONES[lead["verdict"]], f"{title}: {asked}: {answer_of(lead)}", bar)


def ended_badge(word: str) -> str:
    """In place of what is not there any more: `withdrawn`, `link ended`."""
    return _badge(word, _GREY, word, "")


def _badge(word: str, colour: str, title: str, bar: str) -> str:
    word, title = clean_line(word), xml_text(clean_line(title))
    left = round(len(_LABEL) * _SIGN_WIDTH) + 2 * _PADDING
    right = round(len(word) * _SIGN_WIDTH) + 2 * _PADDING
    width, height = left + right, _HEIGHT + (_BAR if bar else 0)
    placed = bar.replace("<svg ", f'<svg y="{_HEIGHT}" preserveAspectRatio="none" ', 1)
    placed = placed.replace('width="100"', f'width="{width}"', 1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img"'
        f' aria-label="{title}"><title>{title}</title>'
        f'<rect width="{left}" height="{_HEIGHT}" fill="#2b2f36"/>'
        f'<rect x="{left}" width="{right}" height="{_HEIGHT}" fill="{colour}"/>'
        f'<g fill="#fff" font-family="{FONT}" font-size="11">'
        f'<text x="{_PADDING}" y="16" textLength="{left - 2 * _PADDING}">{_LABEL}</text>'
        f'<text x="{left + _PADDING}" y="16" textLength="{right - 2 * _PADDING}">{xml_text(word)}</text></g>'
        f"{placed}</svg>"
    )
