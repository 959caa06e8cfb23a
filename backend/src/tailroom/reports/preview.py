"""Preview picture of a link to a run: 1200 × 630, the answer and the room bar, as PNG.

Sites that show previews do not render SVG. Pillow's built-in font makes the picture equal on every machine.
"""

import io
import textwrap
from collections.abc import Mapping
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from tailroom.domain.verdicts.headline import words_of_document
from tailroom.reports.drawing import INK, ROOM_FILLS, ROOM_LEFT, SOFT_INK, room_parts, word_style
from tailroom.reports.words import Room, answer_of, room_of, room_text

PNG = "image/png"
WIDTH, HEIGHT = 1200, 630
_LEFT, _RIGHT = 80, 1120
_WORD_SIZE = 40


def preview_of(title: str, lead: Mapping[str, Any] | None) -> bytes:
    """Return the PNG of a run by the document of its lead verdict, the answer of the run; None: unjudged."""
    image = Image.new("RGB", (WIDTH, HEIGHT), "#ffffff")
    draw = ImageDraw.Draw(image)
    _draw_lines(draw, 60, title, 34, SOFT_INK, most=1)
    if lead is None:
        _draw_lines(draw, 200, "Nothing was judged.", 56, INK)
    else:
        y = _draw_lines(
            draw, 130, lead["budget"]["question"] or lead["budget"]["title"], 30, SOFT_INK, most=2
        )
        y = _draw_words(draw, y + 20, lead)
        y = _draw_lines(draw, y + 12, answer_of(lead), 56, INK, most=2)
        room = room_of(lead)
        if room is not None:
            _draw_bar(draw, 490, room)
            _draw_lines(draw, 560, room_text(room), 24, SOFT_INK, most=1)
    target = io.BytesIO()
    image.save(target, "PNG", optimize=True)
    return target.getvalue()


def _draw_words(draw: ImageDraw.ImageDraw, y: int, lead: Mapping[str, Any]) -> int:
    """Draw the verdict's words, in a box if decided (filled if proven), and return the y coordinate below."""
    style, text = word_style(lead), words_of_document(lead)
    if style.is_dashed:
        return _draw_lines(draw, y, text, _WORD_SIZE, style.text)
    width = draw.textlength(text, font=ImageFont.load_default(_WORD_SIZE))
    box = (_LEFT, y, _LEFT + round(width) + 32, y + round(1.5 * _WORD_SIZE))
    draw.rounded_rectangle(box, radius=8, fill=style.fill, outline=style.line, width=4)
    draw.text((_LEFT + 16, y + 6), text, fill=style.text, font=ImageFont.load_default(_WORD_SIZE))
    return box[3]


def _draw_lines(  # noqa: PLR0917 - position, text and style
    draw: ImageDraw.ImageDraw, y: int, text: str, size: int, fill: str, most: int = 1
) -> int:
    font = ImageFont.load_default(size)
    # The font of Pillow only has the characters of Latin-1.
    plain = text.replace("–", "-").encode("latin-1", "replace").decode("latin-1")
    lines = textwrap.wrap(plain, max(1, round((_RIGHT - _LEFT) / (0.48 * size)))) or [""]
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1][:-1].rstrip() + " ..."]
    for line in lines:
        draw.text((_LEFT, y), line, fill=fill, font=font)
        y += round(1.25 * size)
    return y


def _draw_bar(draw: ImageDraw.ImageDraw, y: int, room: Room) -> None:
    fills = ROOM_FILLS | {"open": "#c3d9f0", "unknown": "#c9d0d7", "room": ROOM_LEFT[room.verdict]}

    def at(time_ns: int) -> int:
        return _LEFT + round((_RIGHT - _LEFT) * min(1.0, max(0.0, time_ns / room.window_ns)))

    draw.rectangle((_LEFT, y, _RIGHT - 1, y + 50), fill="#e9edf1")
    for kind, start, end in room_parts(room):
        if at(end) > at(start):
            draw.rectangle((at(start), y, at(end) - 1, y + 50), fill=fills[kind])
    draw.rectangle((_RIGHT - 4, y, _RIGHT - 1, y + 50), fill=INK)
