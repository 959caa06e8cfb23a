"""One run of ACT from its lines: head, blocks, events; and what is known of it at the end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.layouts import Pow2Layout
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.act.configuration import (
    LEGACY_LARGE_BLOCKS,
    Configuration,
    Value,
    read_config_file,
    read_head,
    with_config_file,
)
from tailroom.importers.act.counters import Counters
from tailroom.importers.act.disclosure import not_stated
from tailroom.importers.act.events import Events, FailedIo, end_of, text_of
from tailroom.importers.act.generations import BANNER, BLOCK_START, Generation, Tag, tag_of
from tailroom.importers.act.scanner import Blocks, Names, scan
from tailroom.importers.act.series import parsed_series
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries
from tailroom.importers.problems import Problems
from tailroom.importers.source import Block, Source

_HEAD_BYTES_MAX = 1 << 20
_CARRY_BYTES_MAX = 8 << 20
_RUNS_MAX = 1000


class ActUnitUnknown(ContentUnreadable):
    """The log does not say whether its buckets are milliseconds or microseconds."""


class ActTooManyRuns(ContentUnreadable):
    """More starts in one file than anybody makes."""


def read_runs(source: Source, config_files: Sequence[Source]) -> list[ParsedRun]:
    """Every run of a log, in order. A banner, or counts that fall, begin another one."""
    configs = {one.name: read_config_file(one) for one in config_files}
    problems = Problems(source.name)
    found: list[ParsedRun] = []
    reader = _RunReader(problems, configs)
    cut = False
    for part, begins_run in _parts(source):
        if begins_run and reader.has_head:
            found.extend(reader.finished(cut=False))
            problems = Problems(source.name)
            reader = _RunReader(problems, configs)
        if len(found) > _RUNS_MAX:
            raise ActTooManyRuns(f"{source.name} holds more than {_RUNS_MAX} starts of a test")
        cut = not part.data.endswith(b"\n")
        for further in reader.feed(part):
            found.append(further)
    found.extend(reader.finished(cut=cut))
    return found


def _parts(source: Source) -> Iterator[tuple[Block, bool]]:
    """Whole lines; a banner always begins a part, and the flag says that it does."""
    for block in source.blocks():
        begins = [match.start() for match in BANNER.finditer(block.data)]
        cuts = sorted({0, *begins, len(block.data)})
        line = block.first_line
        for begin, end in zip(cuts, cuts[1:], strict=False):
            data = block.data[begin:end]
            yield Block(line, data), begin in begins
            line += data.count(b"\n")


@dataclass(slots=True)
class _RunReader:
    """Reads one run; where counts fall it begins the next one, with the same head."""

    problems: Problems
    configs: dict[str, dict[str, Value]]
    has_head: bool = False
    _head_bytes: int = 0
    _head_lines: list[tuple[int, bytes]] = field(default_factory=list)
    _head: Configuration | None = None
    _carry: Block | None = None
    _names: Names = field(default_factory=Names)
    _tags: list[Tag] = field(default_factory=list)
    _tag_names: list[str] = field(default_factory=list)
    _series_numbers: dict[tuple[int, bool], int] = field(default_factory=dict)
    _counters: Counters | None = None
    _events: Events | None = None

    def feed(self, part: Block) -> Iterator[ParsedRun]:
        """Lines of this run; gives back the runs that ended in them."""
        self.has_head = self.has_head or BANNER.match(part.data) is not None
        if self._head is None:
            start = BLOCK_START.search(part.data)
            self._keep_head(part.data if start is None else part.data[: start.start()], part.first_line)
            if start is None:
                return
            self._begin()
            lines = part.data.count(b"\n", 0, start.start())
            part = Block(part.first_line + lines, part.data[start.start() :])
        data, line = part.data, part.first_line
        if self._carry is not None:
            data, line = self._carry.data + data, self._carry.first_line
        cut = max(data.rfind(b"\nafter "), data.rfind(b"\nAfter ")) + 1
        if cut == 0 and len(data) > _CARRY_BYTES_MAX:
            cut = data.rfind(b"\n") + 1
        self._carry = Block(line + data.count(b"\n", 0, cut), data[cut:])
        if cut:
            yield from self._take(scan(data[:cut], line, self._names))

    def finished(self, *, cut: bool) -> Iterator[ParsedRun]:
        """The end of the file, or of this run in it."""
        if self._head is None:
            if not self._head_lines:
                return
            self._begin()
        if self._carry is not None and self._carry.data:
            data, line = self._carry.data, self._carry.first_line
            if cut:
                # Half a line says half a number.
                data = data[: data.rfind(b"\n") + 1]
            if data:
                yield from self._take(scan(data, line, self._names))
        yield self._run(cut=cut)

    def _keep_head(self, data: bytes, first_line: int) -> None:
        if self._head_bytes + len(data) > _HEAD_BYTES_MAX:
            self.problems.add(
                "head", f"more than {_HEAD_BYTES_MAX} bytes before the first block; skipped", first_line
            )
            data = data[: max(0, _HEAD_BYTES_MAX - self._head_bytes)]
        self._head_bytes += len(data)
        self._head_lines.extend(enumerate(data.split(b"\n"), first_line))

    def _begin(self) -> None:
        head = read_head([text.decode("utf-8", "replace") for _, text in self._head_lines])
        for name, items in self.configs.items():
            head, found = with_config_file(head, name, items)
            for problem in found:
                self.problems.add("config", problem.reason)
        self._head = head
        self._events = Events(self.problems, commit_to_device=head.items.get("commit-to-device") is True)
        for line, words in self._head_lines:
            if words.startswith((b"ERROR", b"drive(s)", b"ACT can't", b"Signal", b"SIG", b"usage:")):
                self._events.take(words.strip(), line, 0)
        self._counters = self._new_counters(head)

    def _new_counters(self, head: Configuration) -> Counters:
        return Counters(
            interval_s=head.interval_s,
            live_totals=head.generation is Generation.LEGACY,
            bucket_max=Pow2Layout(head.unit_ns or NS_PER_MS).index_limit - 2,
            problems=self.problems,
        )

    def _take(self, blocks: Blocks) -> Iterator[ParsedRun]:
        assert self._counters is not None
        rest: Blocks | None = blocks
        while rest is not None:
            series_of = self._series_of(rest)
            before_s = self._counters.last_s
            restart = self._counters.add(rest, series_of)
            self._tell_events(rest, before_s, restart)
            if restart is None:
                return
            yield self._run(cut=False)
            assert self._head is not None
            self.problems = Problems(self.problems.file)
            self._events = Events(self.problems, commit_to_device=self._events_commit())
            self._counters = self._new_counters(self._head)
            rest = rest.since(restart)

    def _events_commit(self) -> bool:
        return self._events is not None and self._events.commit_to_device

    def _tell_events(self, blocks: Blocks, before_s: int, restart: int | None) -> None:
        assert self._events is not None
        labels = blocks.label_s.tolist()
        for block, line, words in blocks.others:
            if restart is not None and block >= restart:
                return
            self._events.take(words, line, labels[block] if block >= 0 else before_s)

    def _series_of(self, blocks: Blocks) -> Int64s:
        """Number of the series of each histogram; −1 for a name that means nothing."""
        assert self._head is not None
        writes = self._among_writes(blocks)
        found = np.empty(blocks.name_no.size, np.int64)
        for among in (False, True):
            for name in np.unique(blocks.name_no[writes == among]).tolist():
                found[(blocks.name_no == name) & (writes == among)] = self._number(
                    name, blocks, among_writes=among
                )
        return found

    def _among_writes(self, blocks: Blocks) -> np.typing.NDArray[np.bool_]:
        """Whether the last group up to 4.x was one of writes: then a device's bare name means its writes."""
        names = self._names.texts
        groups = {number for number, name in enumerate(names) if name.endswith((b"READS", b"WRITES"))}
        if b"RAW WRITES" not in names:
            return np.zeros(blocks.name_no.size, np.bool_)
        raw_writes = names.index(b"RAW WRITES")
        is_group = np.isin(blocks.name_no, sorted(groups))
        last_group = np.maximum.accumulate(np.where(is_group, np.arange(blocks.name_no.size), -1))
        group_name = np.where(last_group >= 0, blocks.name_no[np.maximum(last_group, 0)], -1)
        return (group_name == raw_writes) & ~is_group

    def _number(self, name_no: int, blocks: Blocks, *, among_writes: bool) -> int:
        assert self._head is not None
        key = (name_no, among_writes)
        if key in self._series_numbers:
            return self._series_numbers[key]
        name = self._names.texts[name_no].decode("utf-8", "replace")
        tag = self._tag(name, among_writes=among_writes)
        if tag is None:
            line = int(blocks.heading_line[int(np.flatnonzero(blocks.name_no == name_no)[0])])
            self.problems.add(
                "name", f"no histogram of this ACT has the name {text_of(name.encode())}; left out", line
            )
            number = -1
        elif tag in self._tags:
            number = self._tags.index(tag)
        else:
            number = len(self._tags)
            self._tags.append(tag)
            self._tag_names.append(name)
        self._series_numbers[key] = number
        return number

    def _tag(self, name: str, *, among_writes: bool) -> Tag | None:
        assert self._head is not None
        head = self._head
        if head.histogram_names and name not in head.histogram_names:
            return None
        tag = tag_of(name, head.generation, among_writes=among_writes)
        if tag is None or tag.device is None or not head.devices or head.histogram_names:
            return tag
        return tag if tag.device in head.devices else None

    def _run(self, *, cut: bool) -> ParsedRun:
        assert self._head is not None
        assert self._counters is not None
        assert self._events is not None
        head, counters, events = self._head, self._counters, self._events
        if counters.blocks and head.unit_ns is None:
            raise ActUnitUnknown(
                f"{self.problems.file}: the log has no head, so nothing says whether its buckets are "
                f"milliseconds or microseconds; add the configuration file of the run"
            )
        state, state_text = end_of(head, events, counters.last_s, counters.blocks, cut=cut)
        self._note_end(state, cut=cut)
        series = self._series(counters, events)
        self._compare_devices(series)
        self._note_units(head, counters)
        return ParsedRun(
            format=f"act-{head.kind}",
            tool="act",
            tool_version=head.version,
            series=tuple(series),
            state=state,
            state_text=state_text,
            problems=self.problems.all(),
            missing=not_stated(head),
            parameters=_parameters(head, events),
            duration_ns=counters.last_s * NS_PER_S if counters.blocks else None,
            closed_loop=False,
        )

    def _series(self, counters: Counters, events: Events) -> list[ParsedSeries]:
        assert self._head is not None
        found: list[ParsedSeries] = []
        for number, tag in enumerate(self._tags):
            pieces = counters.pieces.pop(number, None)
            if pieces is None:
                continue
            if counters.piece_s is not None:
                pieces.lengthen(counters.piece_s)
            end_s = pieces.columns()[0]
            errors = _errors_of(events.failed, tag, end_s)
            found.append(parsed_series(tag, self._tag_names[number], pieces, errors, self._head))
        for failed in events.failed:
            if not any(
                one.operation == failed.operation and one.device in (None, failed.device) for one in found
            ):
                self.problems.add(
                    "failed", f"there is no histogram that failed operations ({failed.operation}) belong to"
                )
        return found

    def _note_end(self, state: EndState, *, cut: bool) -> None:
        assert self._head is not None
        assert self._counters is not None
        counters = self._counters
        if cut:
            self.problems.add(
                "cut", "the file ends in the middle of a line; the half line is left out", note=True
            )
        if state in (EndState.DEVICE_TOO_SLOW, EndState.GENERATOR_TOO_SLOW) and counters.blocks:
            self.problems.add(
                "short",
                f"the block at {counters.last_s} s was written when the test had been stopped: its counts "
                f"cover less time than it says",
                counters.last_line,
            )
        duration_s = self._head.whole("test-duration-sec")
        if duration_s is not None and counters.last_s > duration_s:
            self.problems.add(
                "after",
                f"blocks go on to {counters.last_s} s, beyond the {duration_s} s that the test was to last: "
                f"the interval between blocks does not divide it",
                counters.last_line,
                note=True,
            )
        if counters.piece_s is not None:
            self.problems.add(
                "long",
                f"the log is so long that its blocks are kept as pieces of {counters.piece_s} s",
                note=True,
            )

    def _compare_devices(self, series: Sequence[ParsedSeries]) -> None:
        """Live counters: the sum over the devices may differ by a few, which is worth a sentence."""
        for operation in ("read", "write"):
            of_devices = [one for one in series if one.operation == operation and one.device is not None]
            of_all = [
                one
                for one in series
                if one.operation == operation and one.device is None and one.clock == "service"
            ]
            if not of_devices or not of_all:
                continue
            summed = sum(_counted(one) for one in of_devices)
            total = _counted(of_all[0])
            if summed != total:
                self.problems.add(
                    "sum of devices",
                    f"{of_all[0].source_name} counts {total} operations and the devices together {summed}: they "
                    f"are read one after the other while the test runs",
                    note=True,
                )

    def _note_units(self, head: Configuration, counters: Counters) -> None:
        if not counters.blocks:
            return
        if head.generation is Generation.LEGACY:
            self.problems.add(
                "unit",
                "this ACT counts in whole milliseconds and labels a bucket of 1 to 2 ms as the first: its share "
                "over 1 ms is a share over between 1 and 2 ms and understates the true one",
                note=True,
            )
            if counters.live_difference:
                self.problems.add(
                    "live",
                    f"totals are counters of their own here and differ from the sums of the buckets by up to "
                    f"{counters.live_difference}; the buckets are taken",
                    note=True,
                )
        elif head.unit_ns != NS_PER_MS:
            self.problems.add(
                "unit",
                "buckets are powers of two of a microsecond, so that the official limits of 1, 8 and 64 ms lie "
                "inside buckets; the edges nearest to them are 1.024, 8.192 and 65.536 ms",
                note=True,
            )
        if not head.has_banner:
            self.problems.add(
                "banner",
                "the log has no banner, so its version is not known; read as ACT 6 writes it",
            )
        elif head.version is not None and not head.version.split(".")[0].isdigit():
            self.problems.add("version", f"version {head.version} is no number; read as ACT 6 writes it")
        elif head.version is not None and int(head.version.split(".")[0][:6]) > 6:
            self.problems.add("version", f"version {head.version} is not known; read as ACT 6 writes it")


def _errors_of(failed: dict[FailedIo, dict[int, int]], tag: Tag, end_s: Int64s) -> Int64s:
    """Failed operations of a series by piece: an error stands after the block that ended before it."""
    errors = np.zeros(end_s.size, np.int64)
    for io, by_time in failed.items():
        if io.operation != tag.operation or (tag.device is not None and io.device != tag.device):
            continue
        times = np.fromiter(by_time.keys(), np.int64, len(by_time))
        at = np.minimum(np.searchsorted(end_s, times, side="right"), end_s.size - 1)
        np.add.at(errors, at, np.fromiter(by_time.values(), np.int64, len(by_time)))
    return errors


def _counted(series: ParsedSeries) -> int:
    total = series.record.total
    return 0 if total is None else total - series.record.misses.total


def _parameters(head: Configuration, events: Events) -> dict[str, Value]:
    """The configuration as echoed, what ACT derived of it, and what we do."""
    found: dict[str, Value] = {**head.items, **head.derived}
    if head.devices:
        found["device-names"] = " ".join(head.devices)
    for device, size in head.device_bytes.items():
        found[f"size-bytes {device}"] = size
    if head.cpus is not None:
        found["cpus"] = head.cpus
    if events.queued_max is not None:
        found["requests_queued_max"] = events.queued_max
    if (load := head.load_multiple) is not None:
        found["load_multiple"] = load
    if (rate := head.large_blocks_per_s) is not None:
        found["large_blocks_per_s"] = rate
    if (legacy := head.whole("large-block-ops-per-sec")) is not None:
        found["large_block_load_multiple"] = LEGACY_LARGE_BLOCKS.get(legacy)
    if head.config_file is not None:
        found["config_file"] = head.config_file
    return found
