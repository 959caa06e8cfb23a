"""Which series each histogram of a log belongs to, as numbers that columns can hold."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.importers.act.configuration import Configuration
from tailroom.importers.act.events import text_of
from tailroom.importers.act.generations import Tag, tag_of
from tailroom.importers.act.scanner import Blocks, Names
from tailroom.importers.problems import Problems

_RAW_WRITES = b"RAW WRITES"


@dataclass(slots=True)
class Numbering:
    """Numbers of series in the order of their first histogram; `tags` and `texts` are indexed by them.
    Unknown names are reported once.
    """

    head: Configuration
    problems: Problems
    names: Names = field(default_factory=Names)
    tags: list[Tag] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """The name of each series as the file has it."""
    _numbers: dict[tuple[int, bool], int] = field(default_factory=dict)

    def series_of(self, blocks: Blocks) -> Int64s:
        """Return the number of the series of each histogram; −1 for an unknown name."""
        writes = self._among_writes(blocks)
        series_no = np.empty(blocks.name_no.size, np.int64)
        for among in (False, True):
            for name in np.flatnonzero(np.bincount(blocks.name_no[writes == among])).tolist():
                chosen = (blocks.name_no == name) & (writes == among)
                line = int(blocks.heading_line[int(np.argmax(chosen))])
                series_no[chosen] = self._number(name, line, among_writes=among)
        return series_no

    def _among_writes(self, blocks: Blocks) -> npt.NDArray[np.bool_]:
        """Return for each histogram whether the last group before it (up to 4.x) was a group of writes: a
        device's bare name then means its writes.
        """
        texts = self.names.texts
        if _RAW_WRITES not in texts:
            return np.zeros(blocks.name_no.size, np.bool_)
        groups = [number for number, text in enumerate(texts) if text.endswith((b"READS", b"WRITES"))]
        is_group = np.isin(blocks.name_no, groups)
        last_group = np.maximum.accumulate(np.where(is_group, np.arange(blocks.name_no.size), -1))
        group = np.where(last_group >= 0, blocks.name_no[np.maximum(last_group, 0)], -1)
        among_writes: npt.NDArray[np.bool_] = (group == texts.index(_RAW_WRITES)) & ~is_group
        return among_writes

    def _number(self, name_no: int, line: int, *, among_writes: bool) -> int:
        """Return the number of the series of a name, a new number if needed; −1 for an unknown name."""
        key = (name_no, among_writes)
        if key in self._numbers:
            return self._numbers[key]
        name = self.names.texts[name_no].decode("utf-8", "replace")
        tag = self._tag(name, among_writes=among_writes)
        if tag is None:
            shown = text_of(self.names.texts[name_no])
            self.problems.add("name", f"this ACT has no histogram of the name “{shown}”; left out", line)
            number = -1
        elif tag in self.tags:
            number = self.tags.index(tag)
        else:
            number = len(self.tags)
            self.tags.append(tag)
            self.texts.append(name)
        self._numbers[key] = number
        return number

    def _tag(self, name: str, *, among_writes: bool) -> Tag | None:
        """Return the meaning of a name in this log; None for a name that is not listed, or of no device in
        the head.
        """
        head = self.head
        if head.histogram_names and name not in head.histogram_names:
            return None
        tag = tag_of(name, head.generation, among_writes=among_writes)
        if tag is None or tag.device is None or not head.devices or head.histogram_names:
            return tag
        return tag if tag.device in head.devices else None
