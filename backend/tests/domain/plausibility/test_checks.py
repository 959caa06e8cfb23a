"""Each check by itself: what its ends prove is found, what they leave open is not."""

import math
from dataclasses import replace
from datetime import date

import pytest
from backend.tests.domain.plausibility.made_up import (
    SLUG,
    changed,
    claim,
    drive_tests,
    planted,
    publication,
)
from hypothesis import given
from hypothesis import strategies as st

from tailroom.domain.claims.claim import Load, Publication, printed_number
from tailroom.domain.plausibility.bandwidth import over_link, stated_bandwidth
from tailroom.domain.plausibility.capacity import product
from tailroom.domain.plausibility.dates import date_of, long_enough, style_of
from tailroom.domain.plausibility.finding import Finding, NumberBounds
from tailroom.domain.plausibility.gains import GainClass, GainKind, classify, gain
from tailroom.domain.plausibility.labels import operation_named
from tailroom.domain.plausibility.material import Fact
from tailroom.domain.plausibility.order import OrderedNumber, breaks, mean_fits
from tailroom.domain.plausibility.publication import audit_publication
from tailroom.domain.plausibility.rates import (
    TimedOperations,
    achieved_rate,
    concurrency,
    in_flight,
    runtimes,
)
from tailroom.domain.plausibility.samples import tail
from tailroom.domain.plausibility.tools import tool_version, version_of
from tailroom.domain.plausibility.transactions import measured_against_reads, needed_quantile

POSITIVE = st.floats(1e-3, 1e6, allow_nan=False)
HALF = st.floats(0, 0.4)


def rounded(value: float, ulp: float = 1.0) -> NumberBounds:
    return NumberBounds(max(0.0, value - ulp / 2), value + ulp / 2, value)


def by(check: str, found: Publication, *facts: Fact) -> list[Finding]:
    """Findings of one check."""
    return [one for one in audit_publication(found, (), facts) if one.check == check]


def fact(item: str, field: str, printed: str, unit: str, **conditions: str) -> Fact:
    """A fact that the made-up publication states."""
    return Fact(item, field, printed_number(printed, unit), conditions, SLUG)


@given(POSITIVE, POSITIVE, HALF, HALF)
def test_arithmetic_of_ends_contains_the_arithmetic_of_their_numbers(
    one: float, two: float, wide: float, wider: float
) -> None:
    first = NumberBounds(one * (1 - wide), one * (1 + wide), one)
    second = NumberBounds(two * (1 - wider), two * (1 + wider), two)
    slack = 1e-9 * (one + two) * max(one, two, 1.0)
    for result, exact in (
        (first.times(second), one * two),
        (first.over(second), one / two),
        (first.plus(second), one + two),
        (first.minus(second), one - two),
    ):
        assert result.lower is not None
        assert result.upper is not None
        assert result.lower - slack <= exact <= result.upper + slack


@given(POSITIVE, POSITIVE)
def test_two_numbers_surely_differ_only_where_none_is_in_both(one: float, two: float) -> None:
    first, second = rounded(one), rounded(two)
    overlap = max(first.lower or 0, second.lower or 0) <= min(first.upper or 0, second.upper or 0)
    assert first.surely_differs(second) != overlap
    assert not NumberBounds(None, None, one).surely_differs(second), "nothing is known of it"


def test_unknown_ends_stay_unknown() -> None:
    about = NumberBounds(None, None, 5.0)
    assert about.times(2.0) == NumberBounds(None, None, 10.0)
    assert NumberBounds(1.0, 2.0, 1.5).over(0.0) == NumberBounds(None, None, None)
    assert NumberBounds(1.0, 2.0, 1.5).over(NumberBounds(0.0, 4.0, 2.0)) == NumberBounds(0.25, None, 0.75)


class TestP1:
    def test_little(self) -> None:
        flight = in_flight(NumberBounds.exactly(2.04e6), [(1.0, NumberBounds.exactly(910_000.0))])
        assert flight.value == pytest.approx(1856.4)
        mixed = in_flight(
            NumberBounds.exactly(848_241.0),
            [(0.5, NumberBounds.exactly(109_870)), (0.5, NumberBounds.exactly(182_080))],
        )
        assert mixed.value == pytest.approx(123.8, abs=0.05)

    def test_more_in_flight_than_threads_is_impossible(self) -> None:
        assert concurrency(rounded(51), 50).contradicts
        assert not concurrency(rounded(50.4), 50).contradicts

    def test_loads_are_equal_within_a_quarter(self) -> None:
        # 10.0 operations are in flight on both systems where the mean is 200.31 µs.
        assert [one.kind for one in by("P1", planted("mean/old", "240.00", "us"))] == ["consistent"]
        assert [one.kind for one in by("P1", planted("mean/old", "260.00", "us"))] == ["unequal load"]


class TestP2:
    @given(st.integers(1, 10**9), st.floats(1, 1e6))
    def test_what_belongs_together_is_never_found(self, operations: int, seconds: float) -> None:
        rate = rounded(operations / seconds, ulp=1e-3)
        one = TimedOperations("a", NumberBounds.exactly(operations), rate, rounded(seconds, ulp=0.01))
        assert not any(found.contradicts for found in runtimes([one]))

    @given(st.integers(1000, 10**9), st.floats(10, 1e6), st.floats(1.02, 5))
    def test_what_is_off_by_two_per_cent_is_found(self, operations: int, seconds: float, off: float) -> None:
        one = TimedOperations(
            "a",
            NumberBounds.exactly(operations),
            NumberBounds.exactly(operations / seconds),
            NumberBounds.exactly(seconds * off),
        )
        assert any(found.contradicts for found in runtimes([one]))

    def test_a_rate_is_kept_within_one_per_cent(self) -> None:
        target = NumberBounds.exactly(1000)
        assert not achieved_rate(NumberBounds.exactly(991), target, "read").contradicts
        assert achieved_rate(NumberBounds.exactly(989), target, "read").kind == "load not reached"
        assert achieved_rate(NumberBounds.exactly(1011), target, "read").kind == "load exceeded"


class TestP3:
    @given(st.lists(st.floats(0, 1e6), min_size=2, max_size=8))
    def test_sorted_numbers_break_no_order_and_others_do(self, values: list[float]) -> None:
        placed = [
            OrderedNumber(at, str(at), NumberBounds.exactly(value), str(at))
            for at, value in enumerate(values)
        ]
        assert bool(breaks(placed)) == (values != sorted(values))
        assert bool(breaks(placed, falling=True)) == (values != sorted(values, reverse=True))

    def test_a_mean_needs_what_its_percentiles_need(self) -> None:
        quantiles = [
            OrderedNumber(0.95, "p95", NumberBounds.exactly(129_000), "a"),
            OrderedNumber(0.99, "p99", NumberBounds.exactly(160_000), "b"),
        ]
        # 0.04 · 129 + 0.01 · 160 = 6.76 µs
        assert list(mean_fits("A", NumberBounds.exactly(6_700), quantiles, "m"))
        assert not list(mean_fits("A", NumberBounds.exactly(6_800), quantiles, "m"))


class TestP4:
    @pytest.mark.parametrize(
        ("new", "old", "kind", "printed", "expected"),
        [
            (1_646_728, 812_222, GainKind.INCREASE, 102, GainClass.TRUNCATED),
            (1_646_728, 812_222, GainKind.INCREASE, 103, GainClass.ROUNDED),
            (1_646_728, 812_222, GainKind.INCREASE, 104, GainClass.WRONG),
            (1_646_728, 812_222, GainKind.INCREASE, 101, GainClass.WRONG),
            (199, 356, GainKind.REDUCTION, 44, GainClass.ROUNDED),
        ],
    )
    def test_a_gain_is_rounded_truncated_or_wrong(
        self, new: float, old: float, kind: GainKind, printed: float, expected: GainClass
    ) -> None:
        assert classify(gain(rounded(new), rounded(old), kind), printed) is expected

    @given(st.floats(1, 1000), st.floats(1, 1000))
    def test_rounding_of_the_true_gain_is_never_wrong(self, new: float, old: float) -> None:
        found = gain(NumberBounds.exactly(new), NumberBounds.exactly(old), GainKind.INCREASE)
        assert found.value is not None
        assert classify(found, round(100 * found.value)) is GainClass.ROUNDED
        assert classify(found, math.floor(100 * found.value)) is not GainClass.WRONG

    def test_a_gain_without_bounds_counts_as_rounded(self) -> None:
        assert classify(NumberBounds(0.5, None, 0.5), 20.0) is GainClass.ROUNDED


class TestP8:
    def test_labels_name_their_operation(self) -> None:
        assert operation_named("Update Latency: 95th Percentile") == "UPDATE"
        assert operation_named("50% Read / 50% Read-Modify-Write") == "READ-MODIFY-WRITE"
        assert operation_named("Runtime") is None

    def test_a_read_modify_write_contains_its_read(self) -> None:
        def of(modify: str) -> list[str]:
            means = {"READ": "110", "READ-MODIFY-WRITE": modify}
            claims = [
                claim(
                    f"{operation}/mean",
                    "latency",
                    mean,
                    "us",
                    statistic="mean",
                    operation=operation,
                    workload="F",
                )
                for operation, mean in means.items()
            ]
            return [one.kind for one in by("P8", publication(claims))]

        assert of("90") == ["read-modify-write below read"]
        assert of("110") == ["consistent"]


class TestP9AndP10:
    def test_thirty_six_whole_means_of_three_are_no_means(self) -> None:
        def of(whole: int, printed: int, runs: int) -> Finding:
            claims = [
                claim(
                    f"r{number}/p99",
                    "latency",
                    "90.00" if number < whole else "90.33",
                    "us",
                    statistic="p99",
                    conditions={"averaged_runs": runs},
                )
                for number in range(printed)
            ]
            (found,) = by("P9", publication(claims))
            return found

        found = of(36, 36, 3)
        assert found.contradicts
        assert next(one.value for one in found.figures if one.label == "by chance once in") == 3.0**36
        assert not of(5, 5, 3).contradicts
        assert not of(35, 36, 3).contradicts
        assert not of(36, 36, 1).contradicts

    def test_a_crowd_has_a_tail(self) -> None:
        def of(mean: float, share: float, flight: float) -> str | None:
            found = tail("a", NumberBounds.exactly(mean), 1e6, share, flight=NumberBounds.exactly(flight))
            return next((one.kind for one in found), None)

        assert of(0.91e6, 1.0, 1856) == "implausible tail"
        assert of(0.82e6, 0.9999, 1017) == "undecided"
        assert of(0.2e6, 1.0, 1856) == "consistent"
        assert of(0.91e6, 1.0, 50) is None, "nobody waits"
        assert of(0.91e6, 0.99, 1856) is None, "that is no tail"


class TestP11ToP13:
    def test_capacities_follow_from_counts(self) -> None:
        factors = [
            ("objects", NumberBounds.exactly(2e9)),
            ("size", NumberBounds.exactly(900)),
            ("copies", NumberBounds.exactly(2)),
        ]
        right = product("data", rounded(3.6e12, 1e11), factors, ())
        assert not right.contradicts
        assert [figure.unit for figure in right.figures] == ["bytes", "bytes", "count", "bytes", "count"]
        assert product("data", rounded(1.8e12, 1e11), factors, ()).contradicts

    def test_drives_that_are_hardly_filled_are_named(self) -> None:
        def of(used: str) -> list[str]:
            claims = [
                claim("a/capacity", "capacity", "25.6", "TB", conditions={"drive": "maker-drive"}),
                claim("b/volume", "data_volume", used, "TB", conditions={"replicated": True}),
            ]
            facts = (
                fact("server", "data_drive_count", "8", "count", tested_in=SLUG),
                fact("server", "data_drive_capacity", "3.2", "TB", tested_in=SLUG),
            )
            return [one.kind for one in by("P11", publication(claims), *facts)]

        assert of("3.6") == ["consistent", "steady state"]
        assert of("6") == ["consistent"]

    def test_a_drive_below_a_fifth_of_its_rating_is_not_the_limit(self) -> None:
        def share(rate: str) -> list[str]:
            found = publication(
                [claim("a/rate", "throughput", rate, "ops/s", item="maker-drive", workload="C", config="new")]
            )
            facts = (
                fact("maker-drive", "device_count", "8", "count"),
                fact("maker-drive", "random_read", "2,000,000", "ops/s"),
            )
            return [one.kind for one in by("P12", found, *facts)]

        assert share("1,692,491") == ["attribution"]
        assert share("8,000,000") == ["consistent"]
        assert share("17,000,000") == ["above specification"]

    def test_loads_are_half_steps(self) -> None:
        def at(*rates: float) -> list[Finding]:
            claims = [
                claim(
                    f"r{rate:.0f}/1ms",
                    "exceedance",
                    "1.0",
                    "%",
                    threshold_ns=1_000_000,
                    load=Load(operations_per_s=rate, as_printed=f"{rate:,.0f}"),
                    conditions={"tool": "act"},
                )
                for rate in rates
            ]
            return by("P12", publication(claims))

        assert [one.kind for one in at(316_500)] == ["consistent"]
        (found,) = at(316_500, 135_500)
        assert found.claim_keys == ("r135500/1ms",)

    def test_bandwidth_follows_from_rate_and_size(self) -> None:
        payload = NumberBounds.exactly(1.24e9)
        assert over_link("x", payload, NumberBounds.exactly(1e9)).contradicts
        assert not over_link("x", payload, NumberBounds.exactly(1e10)).contradicts
        assert stated_bandwidth("x", payload, NumberBounds.exactly(2e9)).contradicts
        assert not stated_bandwidth("x", payload, NumberBounds.exactly(1.25e9)).contradicts


class TestP14:
    def test_dates_are_read_as_they_are_printed(self) -> None:
        assert date_of("11/2/2011") == date_of("11/02/11") == date(2011, 11, 2)
        assert date_of("13/41/2011") is None
        assert style_of("11/2/2011") != style_of("11/02/11")

    def test_a_day_holds_one_test_of_a_drive(self) -> None:
        def days(*printed: str | None) -> list[str]:
            dates = dict(zip(("load1", "load3"), printed, strict=True))
            found = changed(lambda one: replace(one, test_date_as_printed=dates.get(one.row)))
            return [one.kind for one in by("P14", found)]

        assert days("11/1/12", "11/2/12") == ["consistent"]
        assert days("11/1/12", "11/01/2012") == ["implausible dates"]
        assert days(None, None) == []

    def test_a_short_run_is_no_certification(self) -> None:
        assert long_enough(60 * 10**9).severity == "info"
        assert long_enough(60 * 10**9).contradicts
        assert not long_enough(24 * 3600 * 10**9).contradicts


class TestP17:
    @pytest.mark.parametrize(
        ("tool", "version", "checks"),
        [
            ("memtier_benchmark", "v1.2.6", 1),
            ("memtier_benchmark", "1.3.0", 0),
            ("Yahoo! Cloud Serving Benchmark (YCSB)", "0.18.0", 1),
            ("ycsb", "0.17.0", 0),
            ("ycsb", "0.18.0-SNAPSHOT", 0),
            ("act", "1", 1),
            ("act", "2.0", 0),
            ("act", "6.4", 1),
            ("fio", "3.33", 0),
            ("compactor", "1.0", 0),
        ],
    )
    def test_versions_with_known_problems_are_named(self, tool: str, version: str, checks: int) -> None:
        assert len([one for one in tool_version(tool, version) if one.contradicts]) == checks

    def test_versions_are_read_from_their_numbers(self) -> None:
        assert version_of("v1.2.6") == (1, 2, 6)
        assert version_of("unknown") is None

    def test_results_before_a_release_were_measured_before_it(self) -> None:
        def of(year: int) -> list[str]:
            found = changed(lambda one: replace(one, test_date_as_printed=f"12/16/{year}"))
            return [one.kind for one in by("P17", found)]

        assert of(2012) == ["tool semantics"]
        assert of(2015) == []


class TestP18:
    def test_parallel_reads_need_rare_quantiles(self) -> None:
        assert needed_quantile(250, 0.5) == pytest.approx(0.99723, abs=1e-5)
        assert 1 - needed_quantile(250, 0.999) == pytest.approx(4.0e-6, rel=1e-3)

    def test_reads_one_after_another_take_at_least_their_device(self) -> None:
        def of(limit: str) -> list[str]:
            claims = [
                claim("a/reads", "reads_per_transaction", "250", "count"),
                claim("b/time", "latency", limit, "ms", operation="TRANSACTION", item="maker-drive"),
            ]
            found = by("P18", publication(claims), fact("maker-drive", "read_latency", "85", "us"))
            return [one.kind for one in found]

        assert of("20") == ["implausible if sequential"]
        assert of("65") == ["consistent"]

    def test_a_sum_is_at_least_its_shortest_part_times_their_number(self) -> None:
        assert measured_against_reads(
            250, NumberBounds.exactly(20e6), NumberBounds.exactly(85_000)
        ).contradicts
        assert not measured_against_reads(
            250, NumberBounds.exactly(22e6), NumberBounds.exactly(85_000)
        ).contradicts


class TestP19:
    def test_two_changes_allow_no_attribution(self) -> None:
        def of(old_cpu: str) -> list[str]:
            claims = [
                claim(
                    f"a/{config}",
                    "throughput",
                    "1",
                    "ops/s",
                    workload="C",
                    config=config,
                    item=f"{config}-drive",
                )
                for config in ("new", "old")
            ]
            facts = [
                fact(f"{config}-drive", "device_count", "4", "count", tested_in=f"{config}-server")
                for config in ("new", "old")
            ]
            cores = {"new": "8", "old": old_cpu}
            facts += [fact(f"{config}-server", "cpu_cores", many, "count") for config, many in cores.items()]
            return [one.kind for one in by("P19", publication(claims), *facts)]

        assert of("8") == ["consistent"]
        assert of("16") == ["attribution"]

    def test_drives_are_compared_at_a_load_they_share(self) -> None:
        def of(multiple: float) -> list[str]:
            second = [
                replace(one, key=f"b{one.key}", row=f"b{one.row}", subject="Other", load=Load(multiple))
                for one in drive_tests()
                if one.row == "load3"
            ]
            return [one.kind for one in by("P19", publication(drive_tests() + second))]

        assert of(3.0) == ["consistent"]
        assert of(6.0) == ["unequal comparison"]
