"""What people and terminals add to output they copy: colours, fences, prompts, blanks before each line.

Colours (escape sequences of ECMA-48) are taken out of every file: no tool writes them as data. The rest is
taken out only where the beginning of the file shows it, and lines are emptied or shortened, never removed, so
that problems still name the lines of the file as it is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

ESCAPE = b"\x1b"
_SEQUENCE = re.compile(
    rb"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\)|"
    rb"[()][0-9A-Za-z]|[=>78cDEHMNOZ])"
)
_LONGEST_SEQUENCE = 600
_FENCE = re.compile(rb"(?m)^[ \t]*(?:```|~~~)[\w.+ -]{0,40}\r?$")
_PROMPT = re.compile(
    rb"(?m)^(?:[\w.-]{1,64}@[\w.-]{1,64}[: ][^\n]{0,200}?[$#%>] |"
    rb"\[[\w.-]{1,64}@[\w.-]{1,64} [^\]\n]{0,200}\][$#] ?|\([\w.-]{1,40}\) [^\n]{0,200}?[$#] |[$%] |"
    rb"PS [A-Z]:\\[^>\n]{0,200}> ?|[A-Z]:\\[^>\n]{0,200}>)[^\n]*$"
)
_SHELL_ECHO = re.compile(rb"(?m)^(?:[$%] ?)$")
_QUOTED = re.compile(rb"(?m)^> ?")
_BLANKS = re.compile(rb"[ \t]*")
_MIN_LINES = 3
_MAX_INDENT = 64


@dataclass(frozen=True, slots=True)
class CopyRules:
    """What is to be taken out of the lines of one file."""

    fences: bool = False
    prompts: bool = False
    quoted: bool = False
    indent: bytes = b""
    """Blanks before every line."""

    def __bool__(self) -> bool:
        return bool(self.fences or self.prompts or self.quoted or self.indent)

    def applied(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """The same bytes without what was added. Chunks end with whole lines, except the last one."""
        for lines in whole_lines(chunks):
            data = lines
            if self.quoted:
                data = _QUOTED.sub(b"", data)
            if self.fences:
                data = _FENCE.sub(b"", data)
            if self.prompts:
                data = _PROMPT.sub(b"", _SHELL_ECHO.sub(b"", data))
            if self.indent:
                data = re.sub(rb"(?m)^" + re.escape(self.indent), b"", data)
            yield data


def rules_of(head: bytes, *, cut: bool) -> CopyRules:
    """What the first bytes show; the last line of a head that is cut is not looked at."""
    data = head[: head.rfind(b"\n") + 1] if cut and b"\n" in head else head
    lines = [line for line in data.split(b"\n") if line.strip()]
    quoted = len(lines) >= _MIN_LINES and all(line.startswith(b">") for line in lines)
    if quoted:
        data = _QUOTED.sub(b"", data)
    fences = _FENCE.search(data) is not None
    prompts = _PROMPT.search(data) is not None
    bare = data
    if fences:
        bare = _FENCE.sub(b"", bare)
    if prompts:
        bare = _PROMPT.sub(b"", _SHELL_ECHO.sub(b"", bare))
    return CopyRules(fences, prompts, quoted, _common_indent(bare))


def _common_indent(data: bytes) -> bytes:
    lines = [line for line in data.split(b"\n") if line.strip()]
    if len(lines) < _MIN_LINES:
        return b""
    common = _indent_of(lines[0])
    for line in lines:
        own = _indent_of(line)
        while not own.startswith(common):
            common = common[:-1]
        if not common:
            return b""
    return common


def _indent_of(line: bytes) -> bytes:
    found = _BLANKS.match(line)
    return b"" if found is None else found[0][:_MAX_INDENT]


def whole_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes, cut behind line feeds; a line that is longer than a chunk is cut where the chunk is."""
    carry = b""
    for chunk in chunks:
        data = carry + chunk
        cut = data.rfind(b"\n") + 1
        if not cut:
            cut = len(data)
        yield data[:cut]
        carry = data[cut:]
    if carry:
        yield carry


def without_colours(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The same bytes without escape sequences, also where one lies across two chunks."""
    carry = b""
    for chunk in chunks:
        if ESCAPE not in chunk and not carry:
            yield chunk
            continue
        data = carry + chunk
        last = data.rfind(ESCAPE)
        cut = len(data)
        if len(data) - last < _LONGEST_SEQUENCE and _SEQUENCE.match(data, last) is None and last >= 0:
            cut = last
        carry = data[cut:]
        if plain := _SEQUENCE.sub(b"", data[:cut]):
            yield plain
    if carry:
        yield carry
