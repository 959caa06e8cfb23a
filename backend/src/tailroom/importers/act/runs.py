"""The series of a log's histograms, and the result of a run after its last line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tailroom.catalogue.disclosure import STARTED_AT
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.act.configuration import LEGACY_LARGE_BLOCKS, Configuration, Value
from tailroom.importers.act.counters import Counters
from tailroom.importers.act.events import Events, FailedIo, end_of, printable
from tailroom.importers.act.generations import ActLogGeneration, Tag, tag_of
from tailroom.importers.act.scanner import Blocks, Names
from tailroom.importers.act.series import parsed_series
from tailroom.importers.disclosure import TOOL_VERSION, open_device_fields
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries
from tailroom.importers.problems import Problems

_RAW_WRITES = b"RAW WRITES"
_NEWEST = 6


def _not_stated(head: Configuration) -> tuple[str, ...]:
    """Return the names of the disclosure fields that the log does not state.

    Direct I/O and the working set count as stated: ACT always uses O_DIRECT and reads all over the device.
    """
    stated = {"plan.act_storage.direct_io", "plan.act_storage.working_set_bytes"}
    if head.device_bytes:
        stated |= {"host.block_devices.*.size_bytes", "plan.act_storage.file_size_bytes"}
    if head.integer("record-bytes") or head.integer("read-req-num-512-blocks") or head.section == "ACT-INDEX":
        stated.add("plan.act_storage.record_bytes")
    if head.load_multiple is not None:
        stated.add("plan.act_storage.load_multiple")
    if isinstance(head.items.get("scheduler-mode"), str):
        stated.add("host.block_devices.*.scheduler")
    if all(device.startswith("/dev/") for device in head.devices) and head.devices:
        stated.add("host.file_systems.*.type")
    facts_of_run = [STARTED_AT] if head.has_banner else [STARTED_AT, TOOL_VERSION]
    return (*facts_of_run, *open_device_fields(stated))


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


class ActUnitUnknown(ContentUnreadable):
    """The log does not state whether its buckets are in milliseconds or microseconds."""


@dataclass(slots=True)
class RunInProgress:
    """A run during reading: its problems, events, cumulative counts, and numbers of series."""

    problems: Problems
    events: Events
    counters: Counters
    numbering: Numbering


def parsed_run(head: Configuration, run: RunInProgress, *, cut: bool) -> ParsedRun:
    """Return the finished run, emptying `run`. Raise ActUnitUnknown if the unit of its buckets is unknown."""
    counters, events, problems = run.counters, run.events, run.problems
    if counters.blocks and head.unit_ns is None:
        raise ActUnitUnknown(
            f"{problems.file}: the log has no head, so nothing says whether its buckets are milliseconds or "
            f"microseconds; add the configuration file of the run"
        )
    state, state_text = end_of(head, events, counters.last_s, counters.blocks, cut=cut)
    series = _series(head, run)
    _note_end(head, run, state, cut=cut)
    _note_devices(problems, series)
    _note_buckets(head, run)
    _note_version(head, problems)
    _note_rate(head, problems)
    return ParsedRun(
        format=f"act-{head.kind}",
        tool="act",
        tool_version=head.version,
        series=tuple(series),
        state=state,
        state_text=state_text,
        problems=problems.all(),
        missing=_not_stated(head),
        parameters=_parameters(head, events),
        duration_ns=counters.last_s * NS_PER_S if counters.blocks else None,
        closed_loop=False,
    )


def _series(head: Configuration, run: RunInProgress) -> list[ParsedSeries]:
    """Return a series for each histogram with intervals, removed from `run`; report failures of no series."""
    counters, numbering, events = run.counters, run.numbering, run.events
    series: list[ParsedSeries] = []
    for number, (tag, text) in enumerate(zip(numbering.tags, numbering.texts, strict=True)):
        histograms = counters.by_series.pop(number, None)
        if histograms is None:
            continue
        if counters.lengthened_s is not None:
            histograms.lengthen(counters.lengthened_s)
        errors = _errors_of(events.failed, tag, histograms.columns()[0])
        series.append(parsed_series(tag, text, histograms, errors, head))
    for failed in events.failed:
        if not any(
            each.operation == failed.operation and each.device in (None, failed.device) for each in series
        ):
            run.problems.add(
                "unassigned",
                f"there is no histogram that the failed operations ({failed.operation}) belong to",
            )
    return series


def _note_end(head: Configuration, run: RunInProgress, state: EndState, *, cut: bool) -> None:
    """Report a cut line, an early stop, blocks after the planned end, and merged intervals."""
    counters, problems = run.counters, run.problems
    if cut:
        problems.note("cut", "the file ends in the middle of a line, which is left out")
    if state in (EndState.DEVICE_TOO_SLOW, EndState.GENERATOR_TOO_SLOW) and counters.blocks:
        problems.add(
            "short",
            f"the block at {counters.last_s} s was written when the test had been stopped: its counts cover "
            f"less time than it says",
            counters.last_line,
        )
    duration_s = head.integer("test-duration-sec")
    if duration_s is not None and counters.last_s > duration_s:
        problems.note(
            "after",
            f"blocks go on to {counters.last_s} s, beyond the {duration_s} s that the test was to last",
            counters.last_line,
        )
    if counters.lengthened_s is not None:
        problems.note("long", f"so many blocks are stored as intervals of {counters.lengthened_s} s")


def _note_devices(problems: Problems, series: Sequence[ParsedSeries]) -> None:
    for operation in ("read", "write"):
        of_operation = [each for each in series if each.operation == operation and each.clock == "service"]
        of_devices = [each for each in of_operation if each.device is not None]
        of_all = [each for each in of_operation if each.device is None]
        if not of_devices or not of_all:
            continue
        summed, total = sum(map(_answered, of_devices)), _answered(of_all[0])
        if summed != total:
            problems.note(
                "sum of devices",
                f"{of_all[0].source_name} counts {total} operations and the devices together {summed}: the "
                f"counters are read one after the other while the test runs",
            )


def _note_buckets(head: Configuration, run: RunInProgress) -> None:
    """Report buckets without an edge at the official limits (1, 8, 64 ms), and totals that are no sums."""
    counters, problems = run.counters, run.problems
    if not counters.blocks:
        return
    if head.generation is ActLogGeneration.LEGACY:
        problems.note(
            "unit",
            "this ACT counts in whole milliseconds and its first bucket reaches to 2 ms: its share over 1 ms "
            "is a share over between 1 and 2 ms, and understates the true one",
        )
        if counters.live_difference:
            problems.note(
                "live",
                f"totals are counters of their own here and differ from the sums of the buckets by up to "
                f"{counters.live_difference}; the buckets are taken",
            )
    elif head.unit_ns != NS_PER_MS:
        problems.note(
            "unit",
            "buckets are powers of two of a microsecond, so that the official limits of 1, 8 and 64 ms lie "
            "inside buckets; the edges nearest to them are 1.024, 8.192 and 65.536 ms",
        )


def _note_version(head: Configuration, problems: Problems) -> None:
    if not head.has_banner:
        problems.add("version", "the log has no banner, so its version is not known; read as ACT 6 writes it")
        return
    if head.version is None:
        return
    major = head.version.split(".")[0]
    if not major.isascii() or not major.isdigit():
        problems.add("version", f"version {head.version} is no number; read as ACT 6 writes it")
    elif len(major) > 4 or int(major) > _NEWEST:
        problems.add("version", f"version {head.version} is not known yet; read as ACT 6 writes it")


def _note_rate(head: Configuration, problems: Problems) -> None:
    rates = head.truncated_rate_per_s
    if rates is not None and rates[0] != rates[1]:
        problems.note(
            "rate",
            f"this ACT makes {rates[0]} requests a second and not {rates[1]}: the share of each service "
            f"thread is cut to a whole number",
        )


def _errors_of(failed: Mapping[FailedIo, Mapping[int, int]], tag: Tag, end_s: Int64s) -> Int64s:
    """Return the number of failed operations of a series by interval.

    An operation counts in the interval with the end of the block before it, or else in the last.
    """
    errors = np.zeros(end_s.size, np.int64)
    for io, by_time in failed.items():
        if io.operation != tag.operation or (tag.device is not None and io.device != tag.device):
            continue
        times = np.fromiter(by_time.keys(), np.int64, len(by_time))
        at = np.minimum(np.searchsorted(end_s, times, side="right"), end_s.size - 1)
        np.add.at(errors, at, np.fromiter(by_time.values(), np.int64, len(by_time)))
    return errors


def _parameters(head: Configuration, events: Events) -> dict[str, Value]:
    """Return configured values by key, values that ACT calculated, and those derived here if known."""
    parameters: dict[str, Value] = {**head.items, **head.derived, "act_generation": head.generation.value}
    if head.devices:
        parameters["device-names"] = " ".join(head.devices)
    for device, size in head.device_bytes.items():
        parameters[f"size-bytes {device}"] = size
    rates = head.truncated_rate_per_s
    derived: dict[str, Value] = {
        "cpus": head.cpus,
        "requests_queued_max": events.queued_max,
        "load_multiple": head.load_multiple,
        "standard_load": head.is_standard_load,
        "requests_per_s": None if rates is None else rates[0],
        "large_blocks_per_s": head.large_blocks_per_s,
        "config_file": head.config_file,
    }
    parameters |= {name: value for name, value in derived.items() if value is not None}
    if (large_blocks := head.integer("large-block-ops-per-sec")) is not None:
        parameters["large_block_load_multiple"] = LEGACY_LARGE_BLOCKS.get(large_blocks)
    return parameters


def _answered(series: ParsedSeries) -> int:
    total = series.record.total
    return 0 if total is None else total - series.record.misses.total
