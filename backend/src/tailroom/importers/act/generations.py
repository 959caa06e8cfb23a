"""Differences between the generations of ACT: banners, names of the histograms, start and end of the timing.

Read off the sources of ACT at its releases; see `docs/importers.md`.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain.units import NS_PER_MS, NS_PER_US


class ActLogGeneration(StrEnum):
    """Major versions of ACT. Results of different versions are compared only as in docs/method.md 6.3."""

    LEGACY = "1"
    """2011 to 2013, without a version: whole milliseconds, bucket 00 below 2 ms."""
    QUEUED = "2-4"
    """2.0 to 4.x, with the histograms READS, RAW READS and large blocks."""
    TRANSACTIONS = "5"
    """5.x, with named histograms and transaction queues."""
    DIRECT = "6"
    """Since 6.0 without transaction queues: the latency starts at the call."""


class Kind(StrEnum):
    """The program of ACT that wrote the log: the test of storage or of the index device."""

    STORAGE = "storage"
    INDEX = "index"


RESPONSE, SERVICE = "response", "service"

BANNER = re.compile(
    rb"^(?:ACT version (\S+)|Aerospike act(?: version (\S+))? - device IO test)", re.MULTILINE
)
BLOCK_START = re.compile(rb"^[aA]fter \d{1,18} sec:", re.MULTILINE)

NAME_LENGTH_MAX = 1000


@dataclass(frozen=True, slots=True)
class Tag:
    """Operation, device (None: all devices) and clock of a histogram of ACT; the clock is `response`
    (with the queue) or `service`.
    """

    operation: str
    clock: str
    device: str | None = None


_OLD_TAGS = {
    "READS": Tag("read", RESPONSE),
    "RAW READS": Tag("read", SERVICE),
    "WRITES": Tag("write", RESPONSE),
    "RAW WRITES": Tag("write", SERVICE),
    "LARGE BLOCK READS": Tag("large-block-read", SERVICE),
    "LARGE BLOCK WRITES": Tag("large-block-write", SERVICE),
}
TAGS_5 = {
    "reads": Tag("read", RESPONSE),
    "trans-reads": Tag("read", RESPONSE),
    "device-reads": Tag("read", SERVICE),
    "writes": Tag("write", RESPONSE),
    "device-writes": Tag("write", SERVICE),
    "large-block-reads": Tag("large-block-read", SERVICE),
    "large-block-writes": Tag("large-block-write", SERVICE),
}
TAGS_6 = {
    "reads": Tag("read", SERVICE),
    "writes": Tag("write", SERVICE),
    "large-block-reads": Tag("large-block-read", SERVICE),
    "large-block-writes": Tag("large-block-write", SERVICE),
}


def generation_of(version: str | None) -> ActLogGeneration:
    """Return the generation of a version: LEGACY without one, the newest if it is unreadable."""
    if version is None:
        return ActLogGeneration.LEGACY
    major = re.match(r"\d+", version)
    number = int(major.group()) if major and len(major.group()) < 6 else 6
    if number < 2:
        return ActLogGeneration.LEGACY
    if number < 5:
        return ActLogGeneration.QUEUED
    return ActLogGeneration.TRANSACTIONS if number == 5 else ActLogGeneration.DIRECT


def tag_of(name: str, generation: ActLogGeneration, *, in_write_group: bool) -> Tag | None:
    """Return the meaning of a histogram's name; None if this generation has no such histogram.

    Up to 4.x a bare device name means reads, or writes if it follows the group RAW WRITES (`in_write_group`).
    """
    if generation in (ActLogGeneration.LEGACY, ActLogGeneration.QUEUED):
        if (old := _OLD_TAGS.get(name)) is not None:
            return old
        return Tag("write" if in_write_group else "read", SERVICE, name) if _is_device(name) else None
    tag = (TAGS_5 if generation is ActLogGeneration.TRANSACTIONS else TAGS_6).get(name)
    if tag is not None:
        return tag
    for suffix, operation in (("-reads", "read"), ("-writes", "write")):
        device = name.removesuffix(suffix)
        if device != name and _is_device(device):
            return Tag(operation, SERVICE, device)
    return None


def _is_device(name: str) -> bool:
    return 0 < len(name) <= NAME_LENGTH_MAX and not any(sign.isspace() or ord(sign) < 32 for sign in name)


def bucket_description(generation: ActLogGeneration, unit_ns: int) -> str:
    """Return the rule that assigns latencies to buckets, as text; `unit_ns` must be that of 1 ms or 1 µs."""
    if generation is ActLogGeneration.LEGACY:
        return (
            "counted in whole milliseconds between two clock readings: bucket 00 holds differences below 2 "
            "ms, bucket n those from 2^n to below 2^(n+1) ms; the true latency lies less than 1 ms beside "
            "the difference, so limits are known only between two ends"
        )
    unit = {NS_PER_MS: "ms", NS_PER_US: "µs"}[unit_ns]
    return f"bucket 00 holds latencies below 1 {unit}, bucket n those from 2^(n−1) to below 2^n {unit}"


def clock_description(tag: Tag, generation: ActLogGeneration, kind: Kind) -> str:
    """Return a text about the start and end of the time that a histogram holds."""
    if tag.operation.startswith("large-block"):
        return "from the call to its return, by one thread for each device and direction at a constant rate"
    if tag.clock == RESPONSE:
        return (
            "from the moment a generator thread queued the request to the end of the device's answer, "
            "waiting in the queue included; a generator that lags queues late, which is not in it"
        )
    if generation is ActLogGeneration.DIRECT:
        words = (
            "from the call to its return; a thread that lags behind its schedule (up to max-lag-sec) calls "
            "late, and that delay is not in it"
        )
    else:
        words = "from the call to its return, waiting in the queue not included"
    if kind is Kind.INDEX and tag.operation == "read":
        words += "; reads of the cache threads (defragmentation) are among them"
    return words
