"""Text out of files and from strangers, as it may stand in a page, a picture, a log or a terminal.

Control characters become the pictures that Unicode has for them; what turns the direction of text round,
hides, breaks lines or is no character becomes a replacement sign. The text stays readable, and does nothing.
"""

_REPLACEMENT = 0xFFFD
_ONE_LINE: dict[int, int] = {
    **{code: 0x2400 + code for code in range(0x20)},
    ord("\t"): ord("\t"),
    0x7F: 0x2421,
    **dict.fromkeys(
        (
            *(*range(0x80, 0xA0), 0xAD, 0x061C, *range(0x200B, 0x2010), *range(0x2028, 0x202F)),
            *(*range(0x2060, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC), 0xFFFE, 0xFFFF),
            *(*range(0xD800, 0xE000), *range(0xE0000, 0xE0080)),
        ),
        _REPLACEMENT,
    ),
}
_LINES = _ONE_LINE | {ord("\n"): ord("\n")}


def visible(text: str, *, lines: bool = False) -> str:
    """Return the text in one line, or with its line ends, without anything that is not shown as it is."""
    return text.translate(_LINES if lines else _ONE_LINE)
