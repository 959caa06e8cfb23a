"""Cases of files in which numbers mean little, by importer."""

import re
from dataclasses import dataclass

from backend.tests.importers.reading import SAMPLES

NS, US, MS, S = 1, 1_000, 1_000_000, 1_000_000_000


@dataclass(frozen=True)
class Case:
    """A file, the operation that it is about, and ends in nanoseconds that its median must not exclude."""

    text: str
    operation: str = ""
    ends: tuple[int, int] | None = None
    name: str = "upload.txt"
    count: int | None = None
    """Answered operations; none where the file does not say."""


@dataclass(frozen=True)
class Meaning:
    """The cases of an importer; a sentence where the tool's files cannot hold one."""

    one: Case | str
    contradiction: Case | str
    units: Case | str
    rounding: Case | str


def edited(sample: str, *replacements: tuple[str, str]) -> str:
    """A sample with other numbers; every replacement must find something."""
    text = (SAMPLES / sample).read_text()
    for pattern, other in replacements:
        text, found = re.subn(pattern, other, text, flags=re.MULTILINE)
        assert found, f"{sample}: {pattern}"
    return text


ONE_UNIT = "its files have one unit"
