"""Which series each histogram of a log belongs to, as numbers that columns can hold."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.importers.act.configuration import Configuration
from tailroom.importers.act.events import printable
from tailroom.importers.act.generations import Tag, tag_of
from tailroom.importers.act.scanner import Blocks, Names
from tailroom.importers.problems import Problems

_RAW_WRITES = b"RAW WRITES"


@dataclass(slots=True)
class Numbering:
    """Numbers of series in the order of their first histogram: positions in `tags` (meanings) and `texts`."""

    head: Configuration
    problems: Problems
    names: Names = field(default_factory=Names)
    tags: list[Tag] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    """The name of each series as the file has it."""
    _numbers: dict[tuple[int, bool], int] = field(default_factory=dict)

    def series_of(self, blocks: Blocks) -> Int64s:
        """Return the number of each histogram's series, assigning new numbers; −1 for an unknown name."""
        writes = self._is_in_write_group(blocks)
        series_no = np.empty(blocks.name_no.size, np.int64)
        for in_write_group in (False, True):
            for name in np.flatnonzero(np.bincount(blocks.name_no[writes == in_write_group])).tolist():
                chosen = (blocks.name_no == name) & (writes == in_write_group)
                line = int(blocks.heading_line[int(np.argmax(chosen))])
                series_no[chosen] = self._assign_number(name, line, in_write_group=in_write_group)
        return series_no

    def _is_in_write_group(self, blocks: Blocks) -> npt.NDArray[np.bool_]:
        """Return which histograms follow RAW WRITES, so that a bare device means writes (up to 4.x)."""
        texts = self.names.texts
        if _RAW_WRITES not in texts:
            return np.zeros(blocks.name_no.size, np.bool_)
        groups = [number for number, text in enumerate(texts) if text.endswith((b"READS", b"WRITES"))]
        is_group = np.isin(blocks.name_no, groups)
        last_group = np.maximum.accumulate(np.where(is_group, np.arange(blocks.name_no.size), -1))
        group = np.where(last_group >= 0, blocks.name_no[np.maximum(last_group, 0)], -1)
        in_writes: npt.NDArray[np.bool_] = (group == texts.index(_RAW_WRITES)) & ~is_group
        return in_writes

    def _assign_number(self, name_no: int, line: int, *, in_write_group: bool) -> int:
        """Return the (old or new) number of a name's series; −1, reported at `line`, for an unknown name."""
        key = (name_no, in_write_group)
        if key in self._numbers:
            return self._numbers[key]
        name = self.names.texts[name_no].decode("utf-8", "replace")
        tag = self._tag(name, in_write_group=in_write_group)
        if tag is None:
            shown = printable(self.names.texts[name_no])
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

    def _tag(self, name: str, *, in_write_group: bool) -> Tag | None:
        """Return the meaning of a name; None if this ACT has no such histogram or the head does not list it.

        A head that lists no histograms, but devices, must list the device of the name, if it has one.
        """
        head = self.head
        if head.histogram_names and name not in head.histogram_names:
            return None
        tag = tag_of(name, head.generation, in_write_group=in_write_group)
        if tag is None or tag.device is None or not head.devices or head.histogram_names:
            return tag
        return tag if tag.device in head.devices else None
