"""Text around a line of a stored file, with the line numbers of importers and visible control characters.

The file is unpacked as importers unpack it, chunk by chunk, only as far as needed.
"""

import contextlib
import time
from collections.abc import Iterator, Sequence

from tailroom.domain.errors import DomainError
from tailroom.importers.limits import Limits
from tailroom.importers.opening import is_zip, open_path, tar_members
from tailroom.importers.source import Source
from tailroom.kit.limits import LINE_SECONDS
from tailroom.kit.raw_files import RawFileMissing, RawFiles, RawFilesUnavailable
from tailroom.storage.upload import RawFile
from tailroom.uploads.errors import ArchiveMemberUnknown, LineUnknown, RawFilesAway, RawFileUnshowable
from tailroom.uploads.schemas import LineOut, LinesOut

MOST_CONTEXT = 50
"""Most lines before, and after, the requested line."""
LONGEST_LINE = 2_000
"""Most characters of a line that are shown."""
_MEMBERS_NAMED = 10
_VISIBLE: dict[int, int] = {
    **{code: 0x2400 + code for code in range(0x20)},
    ord("\t"): ord("\t"),
    0x7F: 0x2421,
    **dict.fromkeys(
        (
            *(*range(0x80, 0xA0), 0xAD, 0x061C, *range(0x200B, 0x2010), *range(0x2028, 0x202F)),
            *(*range(0x2060, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC)),
        ),
        0xFFFD,
    ),
}
"""Replacement of each character that cannot be shown.

Control characters except tabs become their Unicode pictures; characters that change the direction of text,
hide text or break lines become a replacement character.
"""


def lines_around(store: RawFiles, file: RawFile, *, line: int, context: int, member: str | None) -> LinesOut:
    """Return lines `line - context` to `line + context` of a file, as far as they exist.

    `member`: the file within an archive. Raise LineUnknown if line `line` does not exist,
    ArchiveMemberUnknown if the member does not, RawFileUnshowable if unpacking is refused or takes too long,
    RawFilesAway if the store has no answer.
    """
    name = file.name
    try:
        with _open_sources(store, file, Limits(until_s=time.monotonic() + LINE_SECONDS)) as sources:
            return _read_lines(_select_source(sources, name, member), line, context)
    except (RawFileMissing, RawFilesUnavailable) as error:
        raise RawFilesAway(f"“{name}” cannot be read now: {error}.") from None
    except DomainError as refusal:
        raise RawFileUnshowable(f"“{name}” cannot be shown: {refusal}.") from None


def shown_text(line: bytes) -> tuple[str, bool]:
    """Return a line as text with visible control characters, and whether it was cut.

    It has at most `LONGEST_LINE` characters. Bytes that are no UTF-8 become replacement characters.
    """
    text = line[: 4 * LONGEST_LINE + 4].decode("utf-8", "replace")
    return text[:LONGEST_LINE].translate(_VISIBLE), len(text) > LONGEST_LINE


@contextlib.contextmanager
def _open_sources(store: RawFiles, file: RawFile, limits: Limits) -> Iterator[list[Source]]:
    """Yield the file, or an archive's members, as sources; a zip archive is first copied to a local file."""
    if is_zip(next(store.chunks(file.sha256), b"")):
        with store.on_disk(file.sha256) as path:
            yield open_path(path, file.name, limits)
        return
    source = Source(file.name, lambda: store.chunks(file.sha256), file.size_bytes, limits)
    yield tar_members(source) or [source]


def _select_source(sources: Sequence[Source], name: str, member: str | None) -> Source:
    """Return the source of a member; without `member`, the only source. Raise ArchiveMemberUnknown."""
    names = [source.name.removeprefix(f"{name}/") if source.packed is not None else "" for source in sources]
    name_inside = member or ""
    if not name_inside and len(sources) == 1:
        return sources[0]
    if name_inside in names:
        return sources[names.index(name_inside)]
    if "" in names:
        raise ArchiveMemberUnknown(f"“{name}” is no archive; ask without `member`.")
    listed = ", ".join(f"“{name}”" for name in names[:_MEMBERS_NAMED]) or "nothing"
    more = " and others" if len(names) > _MEMBERS_NAMED else ""
    raise ArchiveMemberUnknown(f"“{name}” is an archive with {listed}{more}; name one of them as `member`.")


def _read_lines(source: Source, line: int, context: int) -> LinesOut:
    """Return the lines up to `context` before and after `line`. Raise LineUnknown if it does not exist."""
    first, last = max(1, line - context), line + context
    shown: list[LineOut] = []
    end = 0
    for block in source.blocks():
        line_count = block.data.count(b"\n") + (not block.data.endswith(b"\n"))
        end = block.first_line + line_count - 1
        if end < first:
            continue
        shown += _lines_of_block(block.data, block.first_line, first, last)
        if end >= last:
            break
    if not shown or shown[-1].number < line:
        reasons = "; ".join(problem.reason for problem in source.problems)
        raise LineUnknown(
            f"“{source.name}” has {end} lines, so none of number {line}"
            + (f" ({reasons})." if reasons else ".")
        )
    return LinesOut(lines=shown, first=shown[0].number, last=shown[-1].number)


def _lines_of_block(data: bytes, first_line: int, first: int, last: int) -> Iterator[LineOut]:
    """Yield those lines from `first` to `last` that are in a block, which begins with line `first_line`."""
    pieces = data.split(b"\n")
    if not pieces[-1]:
        pieces.pop()
    for number in range(max(first, first_line), min(last, first_line + len(pieces) - 1) + 1):
        line = pieces[number - first_line]
        text, truncated = shown_text(line[:-1] if line.endswith(b"\r") else line)
        yield LineOut(number=number, text=text, truncated=truncated)
