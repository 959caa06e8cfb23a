"""Conditions of a tested load, and the classes of conditions that may be ranked together.

Unstated conditions form a class of their own: "not stated" equals "not stated" and nothing else. Only the
share of flash that was left free is an exception: "20 %" and a mere "over-provisioned" may be equal. Source:
docs/method.md 6.3, 6.5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain import act

FULL_LENGTH_NS = act.LENGTH_NS
"""Least duration of a test that may be compared: 24 h."""
USABLE_TOLERANCE_RATIO = 0.02
"""Largest difference of two usable shares of the flash that count as equal."""
_RECORD_STEP_BYTES = 512


class MetricClass(StrEnum):
    """The timed part of a read: the whole read from its scheduled start (total), or the device alone."""

    TOTAL = "total"
    DEVICE = "device"
    UNSTATED = "unstated"


class OpClass(StrEnum):
    """Whether flash was left free for the drive itself."""

    NONE = "none"
    OVER_PROVISIONED = "over_provisioned"
    UNSTATED = "unstated"


class ActGeneration(StrEnum):
    """Generation of the Aerospike Certification Tool. Before 2.0 it counted whole milliseconds under doubled
    labels, up to 5 it timed total and device, and from 6 on the device only, with reads in phase.
    """

    BEFORE_2 = "before-2.0"
    FROM_2_TO_5 = "2-5"
    FROM_6 = "6+"
    UNSTATED = "unstated"


class EvidenceClass(StrEnum):
    """The source of a test, strongest first: an agent for 24 h or for less, upload, third party, vendor."""

    MEASURED_24H = "measured_24h"
    MEASURED = "measured"
    UPLOADED = "uploaded"
    THIRD_PARTY = "third_party"
    VENDOR = "vendor"


@dataclass(frozen=True, slots=True)
class TestConditions:
    """Conditions under which a load of a drive was tested. None: not stated."""

    metric_class: MetricClass
    op_class: OpClass
    generation: ActGeneration
    usable_ratio: float | None = None
    """Usable share of the raw capacity."""
    record_bytes: int | None = None
    write_ratio: float | None = None
    """Share of writes among all operations."""
    duration_ns: int | None = None
    preconditioned: bool | None = None
    load: float | None = None
    """Multiple of the load of ACT."""
    tool: str | None = None


@dataclass(frozen=True, slots=True, order=True)
class ConditionClass:
    """The common conditions of rows that are ranked together, without the load."""

    metric_class: MetricClass
    op_class: OpClass
    generation: ActGeneration
    usable_cluster: int
    """Number of the group of usable shares that lie within 2 points; 0 is the largest group, and also that
    of tests without over-provisioning or without a stated share."""
    record_class: int | None
    """Record size in steps of 512 bytes, so that 1.5 KB is 1.5 KB whichever kilobyte was meant."""

    def differs_from(self, other: "ConditionClass") -> str | None:
        """Return in words this class's first condition that the other does not share; None if equal."""
        if self.metric_class != other.metric_class:
            return _METRIC_WORDS[self.metric_class]
        if self.op_class != other.op_class:
            return _OP_WORDS[self.op_class]
        if self.generation != other.generation:
            return _GENERATION_WORDS[self.generation]
        if self.usable_cluster != other.usable_cluster:
            return "another share of the flash kept free"
        if self.record_class != other.record_class:
            return "another record size, or one that is not stated"
        return None

    @property
    def record_bytes(self) -> int | None:
        """Record size in bytes; None: not stated."""
        return None if self.record_class is None else self.record_class * _RECORD_STEP_BYTES

    @property
    def text(self) -> str:
        """The conditions in words, without the usable share of the flash; the record size only if stated."""
        words = [_METRIC_WORDS[self.metric_class], _OP_WORDS[self.op_class]]
        words.append(_GENERATION_WORDS[self.generation])
        if self.record_bytes is not None:
            words.append(f"records of {self.record_bytes / 1024:g} KB")
        return ", ".join(words)


_METRIC_WORDS = {
    MetricClass.TOTAL: "response time (total)",
    MetricClass.DEVICE: "service time (device only)",
    MetricClass.UNSTATED: "what was timed is not stated",
}
_OP_WORDS = {
    OpClass.NONE: "no over-provisioning",
    OpClass.OVER_PROVISIONED: "over-provisioned",
    OpClass.UNSTATED: "over-provisioning not stated",
}
_GENERATION_WORDS = {
    ActGeneration.BEFORE_2: "ACT before 2.0",
    ActGeneration.FROM_2_TO_5: "ACT 2 to 5",
    ActGeneration.FROM_6: "ACT 6 and later",
    ActGeneration.UNSTATED: "generation of the tool not stated",
}


def class_of(conditions: TestConditions, usable_clusters: dict[float, int]) -> ConditionClass:
    """Return the condition class of a test. `usable_clusters` are the group numbers of `cluster_usable`;
    raise KeyError if an over-provisioned test has a usable share that is not among them.
    """
    record, ratio = conditions.record_bytes, conditions.usable_ratio
    is_over = conditions.op_class is OpClass.OVER_PROVISIONED
    return ConditionClass(
        conditions.metric_class,
        conditions.op_class,
        conditions.generation,
        usable_clusters[ratio] if ratio is not None and is_over else 0,
        None if record is None else round(record / _RECORD_STEP_BYTES),
    )


def cluster_usable(ratios: Sequence[float]) -> dict[float, int]:
    """Return a group number for each usable share; 0 is the largest group. A group spans at most 2 points."""
    groups: list[list[float]] = []
    for ratio in sorted(ratios):
        if groups and ratio - groups[-1][0] <= USABLE_TOLERANCE_RATIO * (1 + 1e-9):
            groups[-1].append(ratio)
        else:
            groups.append([ratio])
    groups.sort(key=lambda group: (-len(group), group[0]))
    return {ratio: number for number, group in enumerate(groups) for ratio in group}
