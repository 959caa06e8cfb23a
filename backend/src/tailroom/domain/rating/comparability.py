"""Whether two tests are comparable, with each reason against it in words.

If only one of two tests states a condition that decides what was measured (timed part, over-provisioning,
generation of the tool), they are not comparable; an unstated length, mix or preconditioning is a warning.
Source: docs/method.md 6.3, 6.5.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from tailroom.domain.confidence.shares import LOAD_TOLERANCE_RATIO
from tailroom.domain.rating.conditions import (
    FULL_LENGTH_NS,
    USABLE_TOLERANCE_RATIO,
    ActGeneration,
    MetricClass,
    OpClass,
    TestConditions,
)
from tailroom.domain.units import duration_text, percent_text

PREFIX = "not comparable because "
_RECORD_TOLERANCE_RATIO = 0.05
_MIX_TOLERANCE_RATIO = 0.02


class ConditionKind(StrEnum):
    """The condition in which two tests differ. MIX is record size or share of writes, METRIC the timed part
    of a read, and GENERATION that of the tool.
    """

    GENERATION = "generation"
    LOAD = "load"
    METRIC = "metric"
    OVER_PROVISIONING = "over-provisioning"
    MIX = "mix"
    LENGTH = "length"
    PRECONDITIONING = "preconditioning"


class ConditionDifference(NamedTuple):
    """A difference that forbids a comparison, and the remedy (placeholders `{first}`, `{second}`)."""

    kind: ConditionKind
    difference: str
    change: str


@dataclass(frozen=True, slots=True)
class TestComparability:
    """The differences that forbid a comparison, and warnings: facts not stated, or weakening differences."""

    differences: tuple[ConditionDifference, ...]
    warnings: tuple[str, ...]

    @property
    def comparable(self) -> bool:
        """Whether no difference forbids a comparison."""
        return not self.differences

    @property
    def comparable_but_for_load(self) -> bool:
        """Whether the tests differ in nothing but their load, or not at all."""
        return all(difference.kind is ConditionKind.LOAD for difference in self.differences)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The reasons against a comparison, each as text that begins with `PREFIX`."""
        return tuple(PREFIX + difference.difference for difference in self.differences)

    @property
    def reasons_besides_load(self) -> tuple[str, ...]:
        """The reasons against a comparison other than the load, each as text that begins with `PREFIX`."""
        others = (difference for difference in self.differences if difference.kind is not ConditionKind.LOAD)
        return tuple(PREFIX + difference.difference for difference in others)


def compare_tests(first: TestConditions, second: TestConditions) -> TestComparability:
    """Return the differences that forbid comparing two tests, and warnings; each may be empty."""
    entries = [entry for check in _CHECKS for entry in check(first, second)]
    return TestComparability(
        tuple(entry for entry in entries if isinstance(entry, ConditionDifference)),
        tuple(entry for entry in entries if isinstance(entry, str)),
    )


_Entries = Iterator[ConditionDifference | str]
"""Differences, and warnings as text."""


def _generations(first: TestConditions, second: TestConditions) -> _Entries:
    """Yield the difference and the warnings about the generation and name of the tool, if any."""
    pair = {first.generation, second.generation}
    if len(pair) > 1:
        both_device = first.metric_class is second.metric_class is MetricClass.DEVICE
        if pair == {ActGeneration.FROM_2_TO_5, ActGeneration.FROM_6} and both_device:
            yield "ACT 6 issues its reads in step; device times of ACT 2 to 5 are only close to them"
        else:
            both = f"{_generation_text(first.generation)} and {_generation_text(second.generation)}"
            yield ConditionDifference(
                ConditionKind.GENERATION,
                f"the tool is of different generations ({both}), which time different things",
                "state the generation of the tool of {first}"
                if first.generation is ActGeneration.UNSTATED
                else f"test {{second}} with a tool of generation {_generation_text(first.generation)}",
            )
    elif pair == {ActGeneration.UNSTATED}:
        yield "neither source states the generation of the tool"
    if None not in (first.tool, second.tool) and first.tool != second.tool:
        yield f"measured with different tools ({first.tool} and {second.tool})"


def _loads(first: TestConditions, second: TestConditions) -> _Entries:
    """Yield the difference or warning about the load, if any."""
    if first.load is None or second.load is None:
        yield "the load of a test is not stated"
    elif abs(first.load - second.load) > LOAD_TOLERANCE_RATIO * max(first.load, second.load):
        yield ConditionDifference(
            ConditionKind.LOAD,
            f"the loads differ ({first.load:g}x and {second.load:g}x)",
            f"test {{second}} at {first.load:g}x",
        )


def _metrics(first: TestConditions, second: TestConditions) -> _Entries:
    """Yield the difference or warning about the timed part of a read, if any."""
    if first.metric_class != second.metric_class:
        yield ConditionDifference(
            ConditionKind.METRIC,
            f"different times were taken ({_metric_text(first)} and {_metric_text(second)})",
            "state which time was measured of {first}"
            if first.metric_class is MetricClass.UNSTATED
            else f"measure the {_metric_text(first)} of {{second}}",
        )
    elif first.metric_class is MetricClass.UNSTATED:
        yield "neither source states whether the device or the whole read was timed"


def _over_provisioning(first: TestConditions, second: TestConditions) -> _Entries:
    """Yield the difference or warning about the share of the flash that was left free, if any."""
    if first.op_class != second.op_class:
        both = f"{_op_text(first.op_class)} and {_op_text(second.op_class)}"
        yield ConditionDifference(
            ConditionKind.OVER_PROVISIONING,
            f"different shares of the flash were kept free ({both})",
            "state the over-provisioning of {first}"
            if first.op_class is OpClass.UNSTATED
            else f"test {{second}} with the over-provisioning of {{first}} ({_op_text(first.op_class)})",
        )
    elif first.op_class is OpClass.UNSTATED:
        yield "neither source states the over-provisioning"
    elif first.usable_ratio is not None and second.usable_ratio is not None:
        if abs(first.usable_ratio - second.usable_ratio) > USABLE_TOLERANCE_RATIO * (1 + 1e-9):
            both = f"{percent_text(first.usable_ratio)} and {percent_text(second.usable_ratio)}"
            yield ConditionDifference(
                ConditionKind.OVER_PROVISIONING,
                f"the usable shares of the flash lie more than 2 points apart ({both})",
                f"test {{second}} with {percent_text(first.usable_ratio)} of its flash usable",
            )
    elif first.usable_ratio != second.usable_ratio:
        yield "one source does not say how much of the flash was kept free"


def _mixes(first: TestConditions, second: TestConditions) -> _Entries:
    """Yield the differences and warnings about record size and share of writes, if any."""
    sizes = (first.record_bytes, second.record_bytes)
    if sizes[0] is None or sizes[1] is None:
        yield "the record size of a test is not stated"
    elif abs(sizes[0] - sizes[1]) > _RECORD_TOLERANCE_RATIO * max(sizes[0], sizes[1]):
        yield ConditionDifference(
            ConditionKind.MIX,
            f"the record sizes differ ({sizes[0]:,} and {sizes[1]:,} bytes)",
            f"test {{second}} with records of {sizes[0]:,} bytes",
        )
    shares = (first.write_ratio, second.write_ratio)
    if shares[0] is not None and shares[1] is not None:
        if abs(shares[0] - shares[1]) > _MIX_TOLERANCE_RATIO:
            yield ConditionDifference(
                ConditionKind.MIX,
                f"the shares of writes differ ({percent_text(shares[0])} and {percent_text(shares[1])})",
                f"test {{second}} with {percent_text(shares[0])} of writes",
            )
    elif shares != (None, None):
        yield "the share of writes of a test is not stated"


def _lengths(first: TestConditions, second: TestConditions) -> _Entries:
    """Yield the difference if any test is shorter than 24 h, else a warning if any length is not stated."""
    lengths = {"{first}": first.duration_ns, "{second}": second.duration_ns}
    short = {name: ns for name, ns in lengths.items() if ns is not None and ns < FULL_LENGTH_NS}
    if short:
        yield ConditionDifference(
            ConditionKind.LENGTH,
            f"a test lasted {duration_text(min(short.values()))}, less than 24 h",
            f"test {' and '.join(short)} for 24 h",
        )
    elif None in lengths.values():
        yield "the length of a test is not stated"


def _preconditioning(first: TestConditions, second: TestConditions) -> _Entries:
    """Yield the difference or warning about preconditioning, if any."""
    pair = (first.preconditioned, second.preconditioned)
    if None in pair:
        yield "the preconditioning of a test is not stated"
    elif pair[0] != pair[1]:
        yield ConditionDifference(
            ConditionKind.PRECONDITIONING,
            "only one of the drives was preconditioned",
            "precondition both",
        )


_CHECKS = (_generations, _loads, _metrics, _over_provisioning, _mixes, _lengths, _preconditioning)


def _generation_text(generation: ActGeneration) -> str:
    """Return the generation of the tool in words: `ACT 2-5`, `not stated`."""
    return "not stated" if generation is ActGeneration.UNSTATED else f"ACT {generation.value}"


def _metric_text(conditions: TestConditions) -> str:
    """Return the timed part of a read in words: `response time`, `device time`, `not stated`."""
    words = {MetricClass.TOTAL: "response time", MetricClass.DEVICE: "device time"}
    return words.get(conditions.metric_class, "not stated")


def _op_text(op_class: OpClass) -> str:
    """Return the over-provisioning in words: `none`, `over-provisioned`, `not stated`."""
    return {OpClass.NONE: "none", OpClass.OVER_PROVISIONED: "over-provisioned"}.get(op_class, "not stated")
