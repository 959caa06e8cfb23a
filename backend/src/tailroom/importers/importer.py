"""The protocol of importers: recognise a file by its beginning, and parse its runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol

from tailroom.domain.errors import DomainError
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.source import Head, Source
from tailroom.importers.unpacking import SourceUnreadable


class Certainty(IntEnum):
    """Certainty of a detection; among the most certain importers, the first in `IMPORTERS` reads the file."""

    POSSIBLE = 1
    """The shape fits, but other tools have the same shape (a table of numbers)."""
    LIKELY = 2
    """Several marks of the tool, but no name or header (the middle of a log)."""
    CERTAIN = 3
    """The tool names itself, or the header exists nowhere else."""


@dataclass(frozen=True, slots=True)
class Detection:
    """Format of a file, and the sign by which it was recognised."""

    format: str
    """Importer and kind of file: `act-storage`, `fio-json`, `hdr-log`."""
    tool: str
    version: str | None
    reason: str
    """The text in the file by which its format was recognised, in a sentence for people."""
    certainty: Certainty = Certainty.CERTAIN
    companion: bool = False
    """Whether the file describes a run but has no results, and is read with other files of its tool."""
    is_binary: bool = False
    """Whether the file is no text, so that prefixes added by copying are not removed."""
    group: str | None = None
    """Files with the same group are parts of one run and are read together; None for a file by itself."""


class Importer(Protocol):
    """Protocol of importers: one tool in every version. `parse` raises subclasses of `DomainError` only."""

    @property
    def name(self) -> str:
        """Name in the registry."""
        ...

    def detect(self, head: Head) -> Detection | None:
        """Return the format by the beginning of a file, without raising; None for other tools."""
        ...

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:
        """Return the runs of a file; `beside` are its companions and the other parts of its group.

        Raise ContentUnreadable or another SourceUnreadable if nothing can be read.
        """
        ...


class FilesNotJoinable(DomainError):
    """The files are not the clients or threads of one test, for the reason in the message."""


class FormatUnknown(SourceUnreadable):
    """No importer recognises the beginning of the file."""


class SourceEmpty(SourceUnreadable):
    """The file has no bytes, or no bytes that could be unpacked."""


class ContentUnreadable(SourceUnreadable):
    """The tool was recognised, but the file has nothing readable; importers raise this or a subclass."""
