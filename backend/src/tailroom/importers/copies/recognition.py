"""The layers that were added to a file by copying, by its beginning, outermost first.

Markdown fences and prompts are always removed, any other layer only if every line of the beginning has it, or
every line inside the fences. So a file that is no copy is unchanged, and a cleaned copy equals the output of
the tool.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from tailroom.importers.copies.layers import Layer, LineByLine, Renumbered
from tailroom.importers.copies.prefixes import block_of, prefix_of
from tailroom.importers.copies.wrappings import wrapping_of

_FENCE = re.compile(rb"(?m)^[ \t]*(?:```|~~~)[\w.+ -]{0,40}\r?$")
_PROMPT = re.compile(
    rb"(?m)^(?:[\w.-]{1,64}@[\w.-]{1,64}[: ][^\n]{0,200}?[$#%>] |"
    rb"\[[\w.-]{1,64}@[\w.-]{1,64} [^\]\n]{0,200}\][$#] ?|\([\w.-]{1,40}\) [^\n]{0,200}?[$#] |[$%] |"
    rb"PS [A-Z]:\\[^>\n]{0,200}> ?|[A-Z]:\\[^>\n]{0,200}>)[^\n]*$"
)
_SHELL_ECHO = re.compile(rb"(?m)^(?:[$%] ?)$")
_PADDING = re.compile(rb"(?m) ++(?=\r?$)")
_LEAST_PADDED = 3
"""Least number of padded lines. Tools print a single blank after the rows of some tables."""
_MAX_INDENT = 64
_MAX_LAYERS = 8


@dataclass(frozen=True, slots=True)
class CopyLayers:
    """The layers to remove from one file, outermost first."""

    layers: tuple[Layer, ...] = ()
    fenced: bytes = b""
    """The text between Markdown fences in the first bytes of the file; empty without fences."""

    @property
    def words(self) -> tuple[str, ...]:
        """Descriptions of the layers, each once."""
        return tuple(dict.fromkeys(layer.words for layer in self.layers))

    @property
    def is_renumbered(self) -> bool:
        """Whether lines of the cleaned bytes have other numbers than in the file."""
        return any(isinstance(layer, Renumbered) for layer in self.layers)

    def applied(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Return the bytes without all layers, removed one after another."""
        data = chunks
        for layer in self.layers:
            data = layer.applied(data)
        return data

    def original_line(self, line_no: int) -> int:
        """Return the line of the file for a line of the cleaned bytes, both from 1."""
        number = line_no
        for layer in reversed(self.layers):
            number = layer.original_line(number)
        return number


def layers_of(head: bytes, *, cut: bool) -> CopyLayers:
    """Return up to eight layers by the first bytes of a file; with `cut`, the last line is ignored."""
    data = head[: head.rfind(b"\n") + 1] if cut and b"\n" in head else head
    layers: list[Layer] = []
    fenced = b""
    while len(layers) < _MAX_LAYERS:
        layer = _next_layer(data, {each.words for each in layers})
        if layer is None:
            break
        layers.append(layer)
        if layer is _FENCES:
            # Text outside the fences is prose.
            data = fenced = b"\n".join(_FENCE.split(data)[1::2]) or data
        data = b"".join(layer.applied(iter((data,))))
    return CopyLayers(tuple(layers), fenced)


def _next_layer(data: bytes, before: set[str]) -> Layer | None:
    """Return the outermost layer; None without any. Layers with descriptions in `before` were removed."""
    # Below blanks that were common to all lines, `% ` begins the head of a table.
    if _PROMPTS.words not in before and _INDENT not in before and _PROMPT.search(data):
        return _PROMPTS
    if _FENCES.words not in before and _FENCE.search(data):
        return _FENCES
    lines = [line for line in data.split(b"\n") if line.strip()]
    return (
        wrapping_of(data)
        or prefix_of(lines)
        or _indent_layer(lines)
        or block_of(data, before)
        or _padding_layer(lines)
    )


def _remove_prompts(lines: bytes) -> bytes:
    return _PROMPT.sub(b"", _SHELL_ECHO.sub(b"", lines))


_FENCES = LineByLine("Markdown fences", partial(_FENCE.sub, b""))
_PROMPTS = LineByLine("prompts of a shell", _remove_prompts)
_PADDED = LineByLine("blanks behind each line", partial(_PADDING.sub, b""))
_INDENT = "blanks before each line"


def _padding_layer(lines: Sequence[bytes]) -> Layer | None:
    """Return the layer of blanks at line ends if three lines or more all end with two; else None."""
    is_padded = len(lines) >= _LEAST_PADDED and all(line.rstrip(b"\r").endswith(b"  ") for line in lines)
    return _PADDED if is_padded else None


def _indent_layer(lines: Sequence[bytes]) -> Layer | None:
    """Return the layer of the blanks with which all lines begin, 64 at most; None without common blanks."""
    indents = [line[: len(line) - len(line.lstrip(b" \t"))] for line in lines]
    indent = os.path.commonprefix(indents)  # noqa: RUF071 - these are no paths
    if not indent:
        return None
    return LineByLine(_INDENT, partial(re.compile(rb"(?m)^" + re.escape(indent[:_MAX_INDENT])).sub, b""))
