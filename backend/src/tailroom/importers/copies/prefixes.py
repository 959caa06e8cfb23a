"""Prefixes of lines by log collectors, containers, quotes, editors and pagers, and of a block in a message.

A prefix is removed only if every line of the beginning has it, and never a clock that the tool itself writes,
which the words after it show. The text around a block with blanks or `>` before each line must be prose.
"""

import re
from collections.abc import Sequence
from functools import partial

from tailroom.importers.copies.layers import Layer, LineByLine
from tailroom.importers.writing import is_sentence, is_words

_DATE = rb"\d{4}-\d\d-\d\d"
_TIME = rb"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
_ZONE = rb"(?:Z|[+-]\d\d:?\d\d| UTC| [A-Z]{2,3}T| [+-]\d{4})?"
_ISO = _DATE + rb"[T ]" + _TIME + _ZONE
_SYSLOG_CLOCK = rb"[A-Z][a-z]{2} [ \d]\d " + _TIME
_WEEKDAY = rb"[A-Z][a-z]{2} " + _ISO
_SINCE_BOOT = rb"\[ {0,7}\d{1,9}\.\d{6}\]"
_END = rb"(?:[ \t]|(?=\r?$))"
"""A blank, which collectors omit if the line itself is empty."""
_NAME = rb"[\w.@:/-]{1,120}"
_LEVEL = rb"\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR)\]?"
_STREAM = rb"(?:\[std(?:out|err)\]" + _END + rb")?"
_PRIORITY = rb"(?:<\d{1,3}>)?"

_PREFIXES: tuple[tuple[str, bytes], ...] = (
    ("quotation marks", rb">" + rb"(?: |(?=>|\r?$))"),
    ("the name of a pod before each line", rb"\[pod/[^\]\s]{1,250}\]" + _END),
    (
        "the clock and stream of a container before each line",
        _DATE + rb"T" + _TIME + rb"(?:Z|[+-]\d\d:\d\d) std(?:out|err) [FP]" + _END,
    ),
    (
        "clock, host and program of a system log before each line",
        _PRIORITY
        + rb"(?:"
        + rb"|".join((_SYSLOG_CLOCK, _WEEKDAY, _ISO, _SINCE_BOOT))
        + rb") "
        + _NAME
        + rb" [\w.@/()-]{1,80}(?:\[\d{1,10}\])?:"
        + _END,
    ),
    (
        "clock, host and program of a system log before each line",
        rb"<\d{1,3}>1 " + _ISO + rb" \S{1,250} \S{1,50} \S{1,130} \S{1,40} (?:-|\[[^\]\n]{0,500}\])" + _END,
    ),
    (
        "clock and level of a logger before each line",
        rb"\[?(?:" + _ISO + rb"|" + _TIME + rb")\]?(?: ?[-|])? ?" + _LEVEL + rb"(?: ?[-|:])" + _END + _STREAM,
    ),
    ("marks of a test report before each line", rb"E(?: {7}|[ \t]*(?=\r?$))"),
    ("a clock before each line", rb"\[?" + _ISO + rb"\]?:?" + _END),
    ("a clock before each line", _SYSLOG_CLOCK + _END),
    ("a clock before each line", _WEEKDAY + _END),
    ("a clock before each line", _SINCE_BOOT + _END),
    ("a clock before each line", rb"\[" + _TIME + rb"\]" + _END),
    ("a clock before each line", _TIME + _END),
    ("the name of a container before each line", rb"[A-Za-z][\w.-]{0,120} *\|" + _END),
)
_EVERY = tuple((words, re.compile(rb"(?m)^" + prefix)) for words, prefix in _PREFIXES)

_OWN = re.compile(
    rb"^\[?(?:" + _ISO + rb"|" + _TIME + rb")\]? +(?:"
    # Levels of the loggers of asbench, of Aerospike's Java benchmark and of nosqlbench.
    rb"(?:TRACE|DEBUG|INFO|WARN|ERROR) |"
    # A period of theirs; a state of YCSB-cpp; heads of sar; vdbench.
    rb"\w+\(\w+=|\d+ sec: |(?:[AP]M +)?(?:DEV|IFACE|LUN|CPU +%)|"
    rb"(?:input argument|All slaves|Starting RD=|avg_\d))"
)
"""Lines that a tool itself begins with a clock."""

_NUMBERED = re.compile(rb"^ {0,9}(\d{1,7})(?!\d)")
_COLON, _BLANK = re.compile(rb":"), re.compile(rb" ")
_NEAR = re.compile(rb" {1,2}(?! )")
_SEPARATORS = (
    re.compile(rb"\t"),
    re.compile(rb" *(?:\||\xe2\x94\x82)(?: |(?=\r?$))"),
    re.compile(rb"\.(?: |(?=\r?$))"),
    _COLON,
    _BLANK,
)
"""Separators after line numbers: of `cat -n`, editors, lists, `grep -n`, pagers."""
_STRAY = re.compile(
    rb"(?:-- [^\n]{1,300} --|Attaching to [^\n]{1,300}|[\w.-]{1,120} exited with code \d{1,9})\s*$"
)
_EVERY_STRAY = re.compile(rb"(?m)^" + _STRAY.pattern.replace(rb"\s*", rb"[ \t\r]*"))
"""Messages of `journalctl` and `docker compose` themselves."""
_MIN_BARE = 3
_MIN_WIDTH = 4
"""Pagers align numbers to the right; rows of tables and of pgbench's logs also begin with small numbers."""
_LEAST_LINES = 5
_QUOTED = re.compile(rb"(?:>[> ]{0,3}> ?|> ?)")
_SET_IN = re.compile(rb"(?: {0,3}\t| {4,12})(?=\S)")
_UNDER_A_LINE = re.compile(rb"(?m)^\S[^\n]*\n(?: {0,3}\t| {4})")
"""Directly below another line, indented lines are no block of Markdown but the tool's own layout."""


def prefix_of(lines: Sequence[bytes]) -> Layer | None:
    """Return the layer of the outermost prefix of all `lines`, else of line numbers; None without either.

    No line may be blank. Messages of the collector need no prefix. A clock that a tool writes is no prefix.
    """
    every = [line for line in lines if not _STRAY.match(line)]
    if not every:
        return None
    for words, prefix in _EVERY:
        if all(prefix.match(line) for line in every) and not any(_OWN.match(line) for line in every):
            if len(every) < len(lines):
                return LineByLine(words, partial(_remove_prefix, prefix))
            return LineByLine(words, partial(prefix.sub, b""))
    return _number_layer(every)


def _remove_prefix(prefix: re.Pattern[bytes], lines: bytes) -> bytes:
    """Return the lines without the prefix and without messages of the collector itself."""
    return prefix.sub(b"", _EVERY_STRAY.sub(b"", lines))


def _number_layer(lines: Sequence[bytes]) -> Layer | None:
    """Return the layer of line numbers that rise by 1 and have the same separator behind them; else None.

    A colon or blank as separator needs three lines, a blank also alignment to the right.
    """
    rests: list[bytes] = []
    expected: int | None = None
    for line in lines:
        match = _NUMBERED.match(line)
        if match is None or (expected is not None and int(match[1]) != expected):
            return None
        expected = int(match[1]) + 1
        rests.append(line[match.end() :])
    filled = [rest for rest in rests if rest.strip(b"\r")]
    for separator in _SEPARATORS:
        if separator in (_COLON, _BLANK) and len(lines) < _MIN_BARE:
            return None
        if separator is _BLANK and not (_is_aligned(lines[0]) and any(_NEAR.match(rest) for rest in filled)):
            return None
        if filled and all(separator.match(rest) for rest in filled):
            prefix = rb"(?m)^ {0,9}\d{1,7}(?:" + separator.pattern + rb"|(?=\r?$))"
            return LineByLine("line numbers", partial(re.compile(prefix).sub, b""))
    return None


def _is_aligned(line: bytes) -> bool:
    """Return whether a positive line number is aligned to the right in four columns or more, as by pagers."""
    match = _NUMBERED.match(line)
    return match is not None and match.end() >= _MIN_WIDTH and line.startswith(b" ") and int(match[1]) > 0


def block_of(data: bytes, before: set[str]) -> Layer | None:
    """Return the layer that removes the text before each line of a block; None if there is no block.

    A block has at least five lines, and not fewer than the text outside, which must be prose and not empty.
    The prose remains. `before` are the descriptions of layers that were already removed, and are not tried.
    """
    lines = [line for line in data.split(b"\n") if line.strip()]
    is_layout = _UNDER_A_LINE.search(data) is not None
    for pattern, words in ((_QUOTED, "marks of a quotation"), (_SET_IN, "blanks before a block")):
        matches = [match[0] for line in lines if (match := pattern.match(line)) is not None]
        prefix = min(matches, key=len, default=b"")
        if prefix and words not in before and not (pattern is _SET_IN and is_layout):
            inside = [line.startswith(prefix) for line in lines]
            outside = [
                line.decode("utf-8", "replace")
                for line, within in zip(lines, inside, strict=True)
                if not within and line.strip() != prefix.strip()
            ]
            is_prose = any(map(is_sentence, outside)) and all(
                is_sentence(line) or is_words(line) for line in outside
            )
            if is_prose and sum(inside) >= max(_LEAST_LINES, len(outside)):
                return LineByLine(words, partial(_pattern(prefix).sub, b""))
    return None


def _pattern(prefix: bytes) -> re.Pattern[bytes]:
    """Return a pattern of the prefix at the beginning of lines.

    On otherwise empty lines it also matches the prefix without its blanks, or a tab if it is all blanks.
    """
    bare = prefix.strip() or b"\t"
    return re.compile(rb"(?m)^(?:" + re.escape(prefix) + rb"|" + re.escape(bare) + rb"$)")
