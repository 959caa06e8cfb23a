"""The bytes of a result file: unpacked, bounded, in order, as often as needed.

Memory holds a chunk and a line, whatever the size of the file. gzip, zstd and zip are recognised by their
first bytes, never by name, and limited in unpacked size and ratio. A damaged file gives everything before the
damage and a problem; only a file that cannot be read at all is refused.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path

import numpy as np

from tailroom.importers.copies.characters import (
    ESCAPE,
    decoded,
    encoding_of,
    has_unbroken_blanks,
    with_plain_blanks,
    without_colours,
)
from tailroom.importers.copies.recognition import CopyLayers, layers_of
from tailroom.importers.limits import DEFAULT_LIMITS, Limits
from tailroom.importers.metric_choice import MetricChoice
from tailroom.importers.parsed_run import Problem, Severity
from tailroom.importers.unpacking import (
    ArchiveExpandsTooFar,
    LayersTooDeep,
    PackedStreamDamaged,
    ReadingTooLong,
    SourceTooLarge,
    gunzipped,
    is_gzip,
    is_zstd,
    refuse_unsupported,
    unzstd,
)

CHUNK_BYTES = 1 << 20
HEAD_BYTES = 1 << 16
_RAW_BYTES = 64

_LINE_FEED = 0x0A
_FIRST_BLOCK = 512
"""Size of the first block of a tar archive, by which it is recognised."""
_PACKED_SUFFIXES = (".gz", ".zst", ".zstd")

Opener = Callable[[], Iterator[bytes]]


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines, each with its line feed (the final line may have none); `first_line` counts from 1."""

    first_line: int
    data: bytes

    @property
    def with_line_feeds(self) -> bytes:
        """The lines, each with only a line feed at its end."""
        data = self.data if self.data.endswith(b"\n") else self.data + b"\n"
        return data.replace(b"\r\n", b"\n") if b"\r" in data else data

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield line numbers, and lines without `\\n` or `\\r\\n`."""
        pieces = self.data.split(b"\n")
        if not pieces[-1]:
            pieces.pop()
        for line_no, line in enumerate(pieces, self.first_line):
            yield line_no, line[:-1] if line.endswith(b"\r") else line


@dataclass(frozen=True)
class Head:
    """Input of format detection: the file name for messages, the first unpacked bytes for the decision."""

    name: str
    data: bytes
    raw: bytes = b""
    """The first 64 bytes unpacked, with what copying may have added: in a binary file that is data."""

    @cached_property
    def text(self) -> str:
        """The bytes as text; invalid UTF-8 becomes a replacement sign."""
        return self.data.decode("utf-8", "replace")

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends; the final line may be cut."""
        return tuple(self.text.splitlines())


@dataclass(eq=False)
class Source:
    """One result file. `problems` grows during reading; reading again adds none twice."""

    name: str
    opener: Opener
    """Yields the stored bytes from the beginning at each call."""
    stored_bytes: int | None = None
    """Stored size, packed or not; None if unknown."""
    limits: Limits = DEFAULT_LIMITS
    packed: str | None = None
    """`zip` or `tar` for a member of an archive; None for a file of its own."""
    stated_unit_ns: int | None = None
    """The unit of its latencies, stated by the uploader, for formats that do not state it."""
    metric: MetricChoice | None = None
    """The requested histograms of a file with many; None for all."""
    is_binary: bool = False
    """Whether its bytes are no text, so that `unpacked` gives them instead of `chunks`."""
    _problems: dict[tuple[str, int | None], Problem] = field(default_factory=dict)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems of the bytes that were read so far, in the order in which they were noted."""
        return tuple(self._problems.values())

    @property
    def base_name(self) -> str:
        """The name without its folder."""
        return self.name.replace("\\", "/").rsplit("/", 1)[-1]

    @property
    def stem(self) -> str:
        """Name without folder, packing and last suffix: files that belong together share it."""
        name = self.base_name
        for suffix in _PACKED_SUFFIXES:
            name = name.removesuffix(suffix)
        return name.rsplit(".", 1)[0] if "." in name.lstrip(".") else name

    @cached_property
    def head(self) -> Head:
        """The first 64 KiB, cleaned, unless `tail` replaced them. Raise the errors of `chunks`."""
        raw = next(self._unpacked(), b"")[:_RAW_BYTES]
        return Head(self.name, _first_bytes(self.chunks()), raw)

    @cached_property
    def tail(self) -> Head:
        """The last 64 KiB without their first (cut) line. Raise the errors of `chunks`."""
        ending = b""
        for chunk in self.chunks():
            ending = (ending + chunk)[-HEAD_BYTES:]
        return Head(self.name, ending[ending.find(b"\n") + 1 :])

    @property
    def copied(self) -> tuple[str, ...]:
        """Additions of copying (`UTF-16`, `line numbers`) in the first 64 KiB; empty for binary files."""
        return () if self.is_binary else self._copied

    @cached_property
    def _copied(self) -> tuple[str, ...]:
        first = next(self._unpacked(), b"")[:HEAD_BYTES]
        words: tuple[str, ...] = ("UTF-16",) if encoding_of(first).startswith("utf-16") else ()
        words += ("colours of a terminal",) if ESCAPE in first else ()
        words += ("blanks that do not break",) if has_unbroken_blanks(first) else ()
        return words + self.layers.words

    @cached_property
    def layers(self) -> CopyLayers:
        """What copying text added to its lines (quote marks, line numbers, fences), by the first 64 KiB."""
        first = _first_bytes(without_colours(with_plain_blanks(decoded(self._unpacked()))))
        return layers_of(first, cut=len(first) >= HEAD_BYTES)

    def chunks(self) -> Iterator[bytes]:
        """Yield chunks of about a mebibyte of the file, unpacked, as UTF-8 without additions (`copies`).

        A file that ends in a digit gets a problem, because it may be cut. Raise SourceTooLarge,
        ArchiveExpandsTooFar, LayersTooDeep or ReadingTooLong at the limits of size, ratio, packing and time,
        PackingUnsupported for an archive or another compression.
        """
        last = b""
        for chunk in self.layers.applied(self._bounded_chunks()):
            yield chunk
            last = chunk[-1:] or last
        if last.isdigit() and not self._problems:
            self.note("the last line has no end: if the file is cut there, its last number is too")

    def _bounded_chunks(self) -> Iterator[bytes]:
        """Yield the file unpacked, as UTF-8. Raise SourceTooLarge, ArchiveExpandsTooFar or ReadingTooLong."""
        total = 0
        for chunk in without_colours(with_plain_blanks(decoded(self._unpacked()))):
            total += len(chunk)
            self.check_size(total)
            self._check_time()
            yield chunk

    def blocks(self) -> Iterator[Block]:
        """Yield blocks of whole lines of about a mebibyte; the rest of too long lines becomes a problem."""
        line_no, carry, skipping = 1, b"", False
        for chunk in self.chunks():
            data = chunk
            if skipping:
                end = data.find(b"\n")
                if end < 0:
                    continue
                line_no, data, skipping = line_no + 1, data[end + 1 :], False
            cut = data.rfind(b"\n") + 1
            complete, carry = (carry + data[:cut], data[cut:]) if cut else (b"", carry + data)
            if complete:
                complete, lines = self._cut_long_lines(complete, line_no)
                yield Block(line_no, complete)
                line_no += lines
            if len(carry) > self.limits.line_bytes:
                self._note_long_line(line_no)
                yield Block(line_no, carry[: self.limits.line_bytes] + b"\n")
                carry, skipping = b"", True
        if carry:
            yield Block(line_no, carry)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield line numbers from 1, and lines without `\\n` or `\\r\\n`."""
        for block in self.blocks():
            yield from block.lines()

    def whole(self, limit_bytes: int | None = None) -> bytes:
        """Return `chunks` as one. Raise SourceTooLarge over `limit_bytes` (None: `limits.whole_bytes`)."""
        limit = self.limits.whole_bytes if limit_bytes is None else limit_bytes
        return self._join(self.chunks(), limit)

    def whole_binary(self, limit_bytes: int) -> bytes:
        """Return all unpacked bytes of a binary file. Raise SourceTooLarge over `limit_bytes`."""
        return self._join(self.unpacked(), limit_bytes)

    def _join(self, chunks: Iterator[bytes], limit_bytes: int) -> bytes:
        """Return all chunks as one. Raise SourceTooLarge over `limit_bytes`."""
        content = bytearray()
        for chunk in chunks:
            content += chunk
            if len(content) > limit_bytes:
                raise SourceTooLarge(
                    f"{self.name} has more than {limit_bytes} bytes, the most that a file of this kind may "
                    "have"
                )
        return bytes(content)

    def unpacked(self) -> Iterator[bytes]:
        """Yield the bytes below all layers of packing, unchanged; a tar archive is not refused."""
        return self._unpacked(as_archive=True)

    def _unpacked(self, *, as_archive: bool = False) -> Iterator[bytes]:
        """Yield the bytes below all layers of packing, up to damage, which becomes a problem.

        Raise LayersTooDeep, and unless `as_archive` PackingUnsupported for an archive or unknown compression.
        """
        data = self._read_until_damage(self.opener())
        for _ in range(self.limits.layers + 1):
            first = next(data, b"")
            while 0 < len(first) < 6 and (more := next(data, b"")):
                first += more
            rest = chain((first,), data) if first else data
            if is_gzip(first):
                data = self._read_until_damage(gunzipped(rest, CHUNK_BYTES))
            elif is_zstd(first):
                data = self._read_until_damage(unzstd(rest))
            else:
                while 0 < len(first) < _FIRST_BLOCK and (more := next(data, b"")):
                    first += more
                if not as_archive:
                    refuse_unsupported(first, self.name)
                if first:
                    yield first
                yield from data
                return
        raise LayersTooDeep(f"{self.name} is packed more than {self.limits.layers} times over")

    def _read_until_damage(self, data: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the bytes before the first damage of the packed stream, which becomes a problem."""
        try:
            yield from data
        except PackedStreamDamaged as broken:
            self.note(str(broken), severity=Severity.ERROR)

    def note(self, reason: str, line: int | None = None, severity: Severity = Severity.WARNING) -> None:
        """Add a problem of the bytes, unless it was added before."""
        self._problems.setdefault((reason, line), Problem(reason, line, severity, self.name))

    def _note_long_line(self, line_no: int) -> None:
        self.note(
            f"the line has more than {self.limits.line_bytes} bytes; the rest of it was skipped",
            self.layers.original_line(line_no),
        )

    def _cut_long_lines(self, data: bytes, first_line: int) -> tuple[bytes, int]:
        """Return the lines of `data`, each cut at `limits.line_bytes` with a problem, and their number."""
        lines = line_count(data)
        limit = self.limits.line_bytes
        # Long lines are rare, so that a search for line feeds is cheaper than splitting.
        if len(data) <= limit or all(
            data.find(b"\n", at, at + limit) >= 0 for at in range(0, len(data) - limit, limit)
        ):
            return data, lines
        pieces = data.split(b"\n")
        for position, piece in enumerate(pieces):
            if len(piece) > limit:
                self._note_long_line(first_line + position)
                pieces[position] = piece[:limit]
        return b"\n".join(pieces), lines

    def _check_time(self) -> None:
        """Raise ReadingTooLong after the deadline; a chunk bounds the work between two checks."""
        if time.monotonic() > self.limits.until_s:
            raise ReadingTooLong(f"{self.name} takes longer to read than it may")

    def check_size(self, total: int) -> None:
        """Raise SourceTooLarge or ArchiveExpandsTooFar if `total` unpacked bytes are too many.

        The ratio to the stored bytes is limited above `limits.ratio_free_bytes`, if their number is known.
        """
        limits = self.limits
        if total > limits.unpacked_bytes:
            raise SourceTooLarge(f"{self.name} unpacks to more than {limits.unpacked_bytes} bytes")
        if self.stored_bytes is None or total <= limits.ratio_free_bytes:
            return
        if total > limits.ratio * self.stored_bytes:
            raise ArchiveExpandsTooFar(
                f"{self.name} unpacks to more than {limits.ratio} times its {self.stored_bytes} bytes, as no "
                f"result file does"
            )


def line_count(data: bytes) -> int:
    """Return the number of line feeds; NumPy counts frequent bytes several times as fast as `bytes.count`."""
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == _LINE_FEED))


def from_bytes(name: str, data: bytes, limits: Limits = DEFAULT_LIMITS) -> Source:
    """Return a source of bytes in memory that are no zip archive (see `opening.open_bytes`)."""

    def opened() -> Iterator[bytes]:
        for at in range(0, len(data), CHUNK_BYTES):
            yield data[at : at + CHUNK_BYTES]

    return Source(name, opened, len(data), limits)


def from_path(path: Path, name: str | None = None, limits: Limits = DEFAULT_LIMITS) -> Source:
    """Return a source of a file on disk that is no zip archive. Raise OSError if it does not exist."""

    def opened() -> Iterator[bytes]:
        try:
            with path.open("rb") as stream:
                while chunk := stream.read(CHUNK_BYTES):
                    yield chunk
        except OSError as error:
            raise PackedStreamDamaged(f"the file could not be read on: {error.strerror or error}") from error

    return Source(name or path.name, opened, path.stat().st_size, limits)


def _first_bytes(chunks: Iterator[bytes]) -> bytes:
    beginning = bytearray()
    for chunk in chunks:
        beginning += chunk
        if len(beginning) >= HEAD_BYTES:
            break
    return bytes(beginning[:HEAD_BYTES])
