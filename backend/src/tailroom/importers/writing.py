"""Recognition of texts and programs about a tool, as opposed to its output.

Manuals, posts and programs hold examples of output, which are no runs. The share of lines that are sentences
or statements of a program decides: output has few of either, even with messages in between. Text inside
Markdown fences was copied, whatever the prose around it.
"""

import re

_MOST_WRITTEN = 0.5
"""Largest share of written lines in output; the samples of the tests reach 0.4, by echoed settings."""
_MOST_STATEMENTS = 1
"""A line that looks like the beginning of a program may be a message; two are a program."""

_LEAST_WRITTEN = 12
"""Fewer written lines may be messages above a short output."""

_LEAST_PROSE_LINES, _LEAST_FENCED_SHARE = 100, 0.15
"""A text around fences is a manual if it has so many lines, with a smaller share inside."""

_MARKS = re.compile(r"^[\s>#*+|\-\d.)(]+")
_WORD = re.compile(r"[(\"'`*_\[<]*[^\W\d_]++(?:['’/-][^\W\d_]++)*[)\"'`*_.,;:!?\]>]*")
_LEAST_WORDS = 5
_WORDS_OF_A_SENTENCE = 0.8
"""Least share of words among the parts between blanks; numbers, names with signs and options are no words."""
_MOST_SIGNS = 400
_FIGURE = re.compile(r"[:=]\s*[-+]?\d|\d\s*$")
"""A number after a colon or at the end of a line is a measurement."""
_MESSAGE = re.compile(r"\s*[\w.-]{1,40}(?:\[\d+\])?: ")
"""A message begins with the name of its program, or with its severity."""
_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LEAST_IDEOGRAPHS = 8
_PROGRAM = re.compile(
    r"(?m)^(?:"
    r"#\s?include [<\"]|#define \w|extern |typedef |namespace \w|using [\w.:]{1,80};"
    r"|import [\w.{*\"]|from [\w.]{1,80} import |package [\w.]{1,80};?[ \t\r]*$"
    r"|(?:async )?def \w{1,80}\([^\n]{0,200}:[ \t\r]*$|class \w[^\n]{0,200}[:{][ \t\r]*$|if __name__ =="
    r"|(?:export|public|private|static|final|abstract) \S+ \S|func [\w(]|fn \w|function \w"
    r"|(?:const|let|local) \w{1,80} = |use strict)"
)
"""Beginnings of lines of programs, which no tool prints."""
_STATEMENT = re.compile(
    r"\s*+(?:"
    r"//|/\*|\*/|\*\s|#\s*(?:if|endif|ifdef|ifndef|else|pragma|define|include)\b"
    r"|return\b|elif |else:|try:|(?:if|for|while|switch)\b.*[{:]\s*$"
    r"|[\w.>:-]++\(.*[;,{]\s*$|[\w.]++ = .*[\w)\"'\]];?\s*$)"
)
_MANUAL = re.compile(
    r"\A(?:[^\n]*\n){0,40}?(?:\.TH |[ \t]*(?:SYNOPSIS|\.SH \"?SYNOPSIS\"?)[ \t]*\r?$)", re.MULTILINE
)
_SCRIPT = re.compile(r"\A#! ?/")
_OWN_PAGE = re.compile(r"\A\s{0,9}<(?:title>Vdbench|pre>\s{0,9}\*\s{0,9}\* 'flatfile)")
"""Pages of vdbench explain themselves at length, and may hold few rows."""


def is_written(text: str) -> bool:
    """Return whether the beginning of a file is a manual, a post or a program."""
    if _OWN_PAGE.match(text):
        return False
    if _SCRIPT.match(text) or _MANUAL.match(text):
        return True
    if len(_PROGRAM.findall(text)) > _MOST_STATEMENTS:
        return True
    lines = [line[:_MOST_SIGNS] for line in text.splitlines() if line.strip()]
    written = sum(is_sentence(line) or _STATEMENT.match(line) is not None for line in lines)
    return written >= _LEAST_WRITTEN and written > _MOST_WRITTEN * len(lines)


def is_manual(text: str, fenced: str) -> bool:
    """Return whether `fenced` is below 15 % of the lines of a text with 100 filled lines outside or more."""
    lines, inside = (sum(bool(line.strip()) for line in part.splitlines()) for part in (text, fenced))
    return lines - inside >= _LEAST_PROSE_LINES and inside < _LEAST_FENCED_SHARE * lines


def is_sentence(line: str) -> bool:
    """Return whether a line is a sentence: at least five parts, 80 % of them words.

    A line with a measurement, or that begins as the message of a program, is none. A line with at least eight
    Chinese, Japanese or Korean signs always is one.
    """
    if len(_IDEOGRAPH.findall(line)) >= _LEAST_IDEOGRAPHS:
        return True
    words = _MARKS.sub("", line).split()
    if len(words) < _LEAST_WORDS or _FIGURE.search(line) or _MESSAGE.match(line):
        return False
    return sum(_WORD.fullmatch(word) is not None for word in words) >= _WORDS_OF_A_SENTENCE * len(words)


def is_words(line: str) -> bool:
    """Return whether a line has only words and no measurement, as a heading has; True if it is empty."""
    words = _MARKS.sub("", line).split()
    return _FIGURE.search(line) is None and all(_WORD.fullmatch(word) is not None for word in words)
