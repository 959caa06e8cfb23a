"""Which tests may be put in one order, and which classes of conditions there are."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tailroom.domain.rating.comparability import PREFIX, compare_tests
from tailroom.domain.rating.conditions import (
    FULL_LENGTH_NS,
    ActGeneration,
    ConditionClass,
    MetricClass,
    OpClass,
    TestConditions,
    class_of,
    cluster_usable,
)

BASE = TestConditions(
    MetricClass.TOTAL,
    OpClass.OVER_PROVISIONED,
    ActGeneration.FROM_2_TO_5,
    0.8,
    1536,
    1 / 3,
    FULL_LENGTH_NS,
    True,
    3.0,
)


def reasons(**changes: object) -> tuple[str, ...]:
    return compare_tests(BASE, replace(BASE, **changes)).reasons  # type: ignore[arg-type]


def test_equal_conditions_compare_without_a_word() -> None:
    found = compare_tests(BASE, BASE)
    assert found.comparable
    assert found.warnings == ()


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"load": 6.0}, "the loads differ (3x and 6x)"),
        ({"metric_class": MetricClass.DEVICE}, "different times were taken"),
        ({"op_class": OpClass.NONE}, "different shares of the flash"),
        ({"usable_ratio": 0.77}, "more than 2 points apart"),
        ({"record_bytes": 4096}, "the record sizes differ"),
        ({"write_ratio": 0.5}, "the shares of writes differ"),
        ({"duration_ns": FULL_LENGTH_NS - 1}, "less than 24 h"),
        ({"preconditioned": False}, "only one of the drives was preconditioned"),
        ({"generation": ActGeneration.FROM_6}, "different generations"),
        ({"generation": ActGeneration.BEFORE_2}, "different generations"),
    ],
)
def test_one_condition_that_differs_is_the_reason(changes: dict[str, object], word: str) -> None:
    found = reasons(**changes)
    assert len(found) == 1
    assert found[0].startswith(PREFIX)
    assert word in found[0]


def test_the_change_that_would_make_tests_comparable_is_named() -> None:
    unstated = replace(BASE, generation=ActGeneration.UNSTATED)
    (difference,) = compare_tests(unstated, BASE).differences
    assert difference.change == "state the generation of the tool of {first}"
    (difference,) = compare_tests(BASE, unstated).differences
    assert difference.change == "test {second} with a tool of generation ACT 2-5"


def test_reasons_besides_the_load_leave_it_out() -> None:
    (reason,) = compare_tests(BASE, replace(BASE, load=6.0, record_bytes=4096)).reasons_besides_load
    assert "the record sizes differ" in reason


def test_devices_of_neighbouring_generations_compare_with_a_warning() -> None:
    first = replace(BASE, metric_class=MetricClass.DEVICE)
    found = compare_tests(first, replace(first, generation=ActGeneration.FROM_6))
    assert found.comparable
    assert "ACT 6" in found.warnings[0]
    assert not compare_tests(first, replace(first, generation=ActGeneration.BEFORE_2)).comparable


def test_what_nobody_states_is_a_warning_and_within_tolerance_is_equal() -> None:
    assert reasons(usable_ratio=0.785) == ()
    assert reasons(record_bytes=1500) == ()
    unstated = replace(BASE, duration_ns=None, preconditioned=None, record_bytes=None, usable_ratio=None)
    found = compare_tests(unstated, BASE)
    assert found.comparable
    assert len(found.warnings) == 4


CONDITIONS = st.builds(
    TestConditions,
    st.sampled_from(MetricClass),
    st.sampled_from(OpClass),
    st.sampled_from(ActGeneration),
    st.sampled_from([None, 0.79, 0.8, 0.6]),
    st.sampled_from([None, 1500, 1536, 4096]),
    st.sampled_from([None, 1 / 3, 0.5]),
    st.sampled_from([None, FULL_LENGTH_NS, 60]),
    st.sampled_from([None, True, False]),
    st.sampled_from([None, 1.0, 3.0]),
)


@given(CONDITIONS, CONDITIONS)
def test_comparing_is_symmetric(first: TestConditions, second: TestConditions) -> None:
    one, other = compare_tests(first, second), compare_tests(second, first)
    assert one.comparable == other.comparable
    assert len(one.reasons) == len(other.reasons)


@given(CONDITIONS, CONDITIONS)
def test_tests_of_one_class_differ_in_nothing_that_a_class_holds(
    first: TestConditions, second: TestConditions
) -> None:
    clusters = cluster_usable([one.usable_ratio for one in (first, second) if one.usable_ratio is not None])
    one, other = class_of(first, clusters), class_of(second, clusters)
    assert (one == other) == (one.differs_from(other) is None)
    if one == other:
        words = " ".join(compare_tests(first, second).reasons)
        assert "different times" not in words
        assert "kept free" not in words
        assert "generations" not in words


def test_groups_of_usable_shares() -> None:
    assert cluster_usable([0.8, 0.79, 0.8, 0.6]) == {0.79: 0, 0.8: 0, 0.6: 1}
    assert cluster_usable([]) == {}
    unstated = replace(BASE, usable_ratio=None)
    assert class_of(unstated, {}) == ConditionClass(BASE.metric_class, BASE.op_class, BASE.generation, 0, 3)
    assert class_of(replace(BASE, record_bytes=1500), {0.8: 0}).record_class == 3
