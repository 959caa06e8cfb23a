"""Published percentiles and shares: what they prove, what the mean adds, and what is refused."""

import math
from fractions import Fraction

import numpy as np
import pytest
from backend.tests.domain.latency.legacy_act import from_legacy_act
from backend.tests.domain.latency.samples import SHAPES, check_bounds, drawn
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s, PointMasses, PointMassesInvalid
from tailroom.domain.latency.distribution import (
    CountBounds,
    DistributionEmpty,
    LatencyRecord,
    Misses,
    TimeBounds,
)
from tailroom.domain.latency.knots import (
    CountsUnknown,
    KnotsInvalid,
    KnotsRecord,
    MeanContradictsKnots,
    StatementsContradict,
)
from tailroom.domain.latency.layouts import NEVER_NS, HdrLayout
from tailroom.domain.latency.published import (
    PercentilesContradict,
    Rounding,
    RoundingMode,
    SharesContradict,
    from_bucket_shares,
    from_percentiles,
)

US, MS = 1_000, 1_000_000
QUANTILES = (0.5, 0.9, 0.95, 0.99, 0.999, 1.0)


def kioxia(mean_us: float = 70.93) -> KnotsRecord:
    return from_percentiles(
        [("0.95", 129 * US), ("0.99", 160 * US)], mean_limits_ns=(mean_us * US, mean_us * US)
    )


def test_oracle_pbox_kioxia_a_read() -> None:
    """docs/method.md 1.2: mean 70.93, p95 129, p99 160 µs need 6.76 µs of the mean and leave 64.17 to the
    tail.
    """
    for beyond_us in (100_000, 1_000_000, 10_000_000):
        lower, upper = kioxia().cdf_bounds((160 + beyond_us) * US)
        assert upper == 1.0
        assert (1.0 - lower) * beyond_us == pytest.approx(64.17, abs=0.005)
    early = kioxia().bounds().early
    assert float(early.at_ns @ early.ratio) == pytest.approx(6.76 * US, abs=5.0)
    assert kioxia().mean_ns == (70.93 * US, 70.93 * US)


def test_the_late_law_keeps_the_promise_of_the_mean() -> None:
    late = kioxia().bounds().late
    assert float(late.ratio.sum()) == pytest.approx(1.0, abs=1e-11)
    for time_ns in (200 * US, MS, 10 * MS, 1000 * MS):
        by_law = float(late.ratio[late.at_ns < time_ns].sum())
        by_mean = kioxia().cdf_bounds(time_ns)[0]
        assert by_law <= by_mean + 1e-12
        assert 1.0 - by_law <= (1.0 - by_mean) * 1.04
    without = from_percentiles([("0.95", 129 * US), ("0.99", 160 * US)]).bounds().late
    assert float(without.ratio.sum()) == pytest.approx(0.99)


def test_a_percentile_speaks_of_times_up_to_and_below_it() -> None:
    record = from_percentiles([("0.5", 100), ("0.9", 300)])
    assert record.cdf_bounds(100) == (0.0, 0.5)
    assert record.cdf_bounds(101) == (0.5, 0.9)
    assert record.cdf_bounds(300) == (0.5, 0.9)
    assert record.cdf_bounds(301) == (0.9, 1.0)
    assert record.quantile_bounds(0.0) == TimeBounds(0, 101)
    assert record.quantile_bounds(0.5) == TimeBounds(100, 101)
    assert record.quantile_bounds(0.6) == TimeBounds(100, 301)
    assert record.quantile_bounds(0.95) == TimeBounds(300, None)
    assert (record.total, record.mean_ns) == (None, None)
    assert record.edges_ns().tolist() == [0, 100, 101, 300, 301]
    assert isinstance(record, LatencyRecord)


def test_a_percentile_of_an_hdr_histogram_stands_for_its_bucket() -> None:
    record = from_percentiles([("0.99", 7_511 * US)], layout=HdrLayout())
    assert record.cdf_bounds(7_508 * US) == (0.0, 0.99)
    assert record.cdf_bounds(7_512 * US) == (0.99, 1.0)
    for mode, first_ns, end_ns in (
        (RoundingMode.TRUNCATE, 7_000, 8_000),
        (RoundingMode.HALF, 6_500, 7_501),
        (RoundingMode.UP, 6_000, 7_001),
    ):
        whole = from_percentiles([("0.99", 7 * US)], rounding=Rounding(Fraction(US), mode))
        assert whole.quantile_bounds(0.99) == TimeBounds(first_ns, end_ns)


@given(
    st.tuples(st.sampled_from(SHAPES), st.integers(1, 3_000), st.integers(0, 2**32 - 1)),
    st.lists(st.sampled_from(QUANTILES), min_size=1, max_size=5, unique=True),
    st.booleans(),
    st.booleans(),
    st.integers(0, 3),
)
@settings(deadline=None, max_examples=120)
def test_the_truth_lies_between_the_bounds(
    sample: tuple[str, int, int], quantiles: list[float], counted: bool, averaged: bool, errors: int
) -> None:
    shape, size, seed = sample
    generator = np.random.default_rng(seed)
    values = np.sort(drawn(shape, size, generator))
    record = published(values, quantiles, counted=counted, averaged=averaged, errors=errors)
    total = size + (errors if counted else 0)
    times = [*generator.choice(values, 6).tolist(), int(values[-1]) + 1, 10**13]
    for time_ns in (at + step for at in times for step in (0, 1)):
        truth = int((values < time_ns).sum())
        lower, upper = record.cdf_bounds(time_ns)
        assert lower - 1e-9 <= truth / total <= upper + 1e-9
        if counted:
            over = record.at_or_over(time_ns)
            assert over.lower <= total - truth <= over.upper
    for quantile in (0.01, 0.5, 0.97, 0.9999, 1.0):
        rank = max(1, math.ceil(Fraction(str(quantile)) * total))
        found = record.quantile_bounds(quantile)
        if rank > size:
            assert found.upper_ns is None
            continue
        assert found.lower_ns <= int(values[rank - 1])
        assert found.upper_ns is None or int(values[rank - 1]) < found.upper_ns
    mean = record.mean_ns
    if mean is not None:
        assert mean[0] * (1 - 1e-9) <= float(values.mean()) <= mean[1] * (1 + 1e-9)


@given(
    st.sampled_from(SHAPES),
    st.integers(2, 3_000),
    st.integers(0, 2**32 - 1),
    st.booleans(),
    st.integers(0, 3),
)
@settings(deadline=None, max_examples=100)
def test_laws_are_ordered_and_enclose_the_sample(
    shape: str, size: int, seed: int, averaged: bool, errors: int
) -> None:
    values = np.sort(drawn(shape, size, np.random.default_rng(seed)))
    record = published(values, [0.5, 0.95, 0.99], counted=True, averaged=averaged, errors=errors)
    bounds = record.bounds()
    times: Floats = np.unique(
        np.concatenate((values, record.edges_ns(), values + 1, bounds.middle.at_ns)).astype(np.float64)
    )
    check_bounds(bounds, times, np.searchsorted(values, times, side="left") / (size + errors))


def published(
    values: Int64s, quantiles: list[float], *, counted: bool, averaged: bool, errors: int = 0
) -> KnotsRecord:
    """What a tool would print of a sorted sample."""
    ranks = [max(1, math.ceil(Fraction(str(q)) * values.size)) for q in quantiles]
    mean = float(values.mean())
    return from_percentiles(
        [(q, int(values[rank - 1])) for q, rank in zip(quantiles, ranks, strict=True)],
        count=int(values.size) if counted else None,
        mean_limits_ns=(mean * (1 - 1e-12), mean * (1 + 1e-12)) if averaged else None,
        misses=Misses(errors=errors) if counted else None,
    )


@given(st.sampled_from(SHAPES), st.integers(1, 2_000), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=60)
def test_more_statements_only_narrow(shape: str, size: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    values = np.sort(drawn(shape, size, generator))
    coarse = published(values, [0.5, 0.99], counted=True, averaged=False)
    finer = [
        published(values, [0.5, 0.9, 0.99], counted=True, averaged=False),
        published(values, [0.5, 0.99], counted=True, averaged=True),
        KnotsRecord(coarse.knots, coarse.count, min_ns=int(values[0]), max_ns=int(values[-1])),
    ]
    for time_ns in [*generator.integers(0, int(values[-1]) + 2, 10).tolist(), *values[:3].tolist()]:
        wide = coarse.cdf_bounds(time_ns)
        for one in finer:
            narrow = one.cdf_bounds(time_ns)
            assert wide[0] <= narrow[0] + 1e-12
            assert narrow[1] <= wide[1] + 1e-12


def test_misses_are_never_below_a_time() -> None:
    record = from_percentiles([("1", 100)], count=98, misses=Misses(errors=1, timeouts=1))
    assert record.total == 100
    assert record.cdf_bounds(10**12) == (0.98, 0.98)
    assert record.at_or_over(101) == CountBounds(2, 2)
    assert record.quantile_bounds(0.99) == TimeBounds(101, None)
    assert record.quantile_bounds(0.98).upper_ns == 101
    assert float(record.bounds().late.ratio.sum()) == pytest.approx(0.98)
    with pytest.raises(CountsUnknown, match="2 misses"):
        from_percentiles([("0.5", 100)], misses=Misses(errors=2))
    with pytest.raises(CountsUnknown, match="shares only"):
        from_percentiles([("0.5", 100)]).at_or_over(5)
    with pytest.raises(DistributionEmpty):
        KnotsRecord((), 0).bounds()


def test_quantiles_of_the_first_and_of_all_operations_may_be_stated() -> None:
    record = KnotsRecord((), 10, quantiles=((0.0, 5), (1.0, 70)))
    assert record.quantile_bounds(1.0).lower_ns == 70
    for share in (-0.01, 1.01):
        with pytest.raises(KnotsInvalid):
            KnotsRecord((), 10, quantiles=((share, 5),))


@given(st.lists(st.integers(0, 50), min_size=2, max_size=8), st.sampled_from(list(RoundingMode)))
@settings(deadline=None, max_examples=80)
def test_rounded_bucket_shares_hold_the_truth(counts: list[int], mode: RoundingMode) -> None:
    total = sum(counts)
    if total == 0:
        return
    shift = {
        RoundingMode.HALF: Fraction(1, 2),
        RoundingMode.TRUNCATE: Fraction(0),
        RoundingMode.UP: Fraction(1),
    }[mode]
    printed = [
        Fraction(
            math.ceil(Fraction(100 * one, total))
            if shift == 1
            else math.floor(Fraction(100 * one, total) + shift),
            100,
        )
        for one in counts
    ]
    edges = [0, *(MS << power for power in range(len(counts) - 1))]
    record = from_bucket_shares(edges, printed, Rounding(Fraction(1, 100), mode))
    for position, edge in enumerate(edges):
        lower, upper = record.cdf_bounds(edge)
        assert lower - 1e-12 <= sum(counts[:position]) / total <= upper + 1e-12


@pytest.mark.parametrize("seed", range(20))
def test_legacy_labels_hold_for_clocks_in_any_phase(seed: int) -> None:
    generator = np.random.default_rng(seed)
    latency = drawn("lognormal", 2_000, generator) * 3
    start = generator.integers(0, MS, latency.size)
    ticks = (start + latency) // MS - start // MS
    record = from_legacy_act(
        {label: Fraction(int((ticks >= 2 * label).sum()), ticks.size) for label in (1, 8, 64)}
    )
    for time_ns in (MS, MS + 1, 2 * MS, 15 * MS + 1, 16 * MS, 127 * MS + 1, 128 * MS):
        lower, upper = record.cdf_bounds(time_ns)
        assert lower <= (latency < time_ns).mean() <= upper


BAD: list[tuple[type[DomainError], str, object]] = [
    (
        PercentilesContradict,
        "0.95 .* 160 ns and 0.99 .* 129 ns",
        lambda: from_percentiles([(0.95, 160), (0.99, 129)]),
    ),
    (PercentilesContradict, "0.5 .* 5 ns and 0.5 .* 7 ns", lambda: from_percentiles([(0.5, 5), (0.5, 7)])),
    (KnotsInvalid, "a percentile is 99", lambda: from_percentiles([(99, 5)])),
    (KnotsInvalid, "a percentile is -0.1", lambda: from_percentiles([(-0.1, 5)])),
    (KnotsInvalid, "'nan' is not a finite", lambda: from_percentiles([(float("nan"), 5)])),
    (KnotsInvalid, "'inf' is not a finite", lambda: from_percentiles([(float("inf"), 5)])),
    (KnotsInvalid, "nan is no time", lambda: from_percentiles([(0.5, float("nan"))])),  # type: ignore[list-item]
    (KnotsInvalid, "-5 is no time", lambda: from_percentiles([(0.5, -5)])),
    (KnotsInvalid, "follows", lambda: KnotsRecord(((5, 0.1, 0.2), (5, 0.1, 0.2)))),
    (KnotsInvalid, "0 <= lower", lambda: KnotsRecord(((5, 0.3, 0.2),))),
    (KnotsInvalid, "0 <= lower", lambda: KnotsRecord(((5, float("nan"), 0.2),))),
    (KnotsInvalid, "0 <= lower", lambda: KnotsRecord(((5, 0.1, 1.2),))),
    (KnotsInvalid, "must not be negative", lambda: KnotsRecord(((-5, 0.1, 0.2),))),
    (KnotsInvalid, "whole nanoseconds", lambda: KnotsRecord(((5.5, 0.1, 0.2),))),  # type: ignore[arg-type]
    (KnotsInvalid, "negative", lambda: KnotsRecord((), -1)),
    (KnotsInvalid, "negative", lambda: KnotsRecord((), 1, misses=Misses(errors=-1))),
    (KnotsInvalid, "min_ns is -1", lambda: KnotsRecord((), min_ns=-1)),
    (KnotsInvalid, "max_ns is", lambda: KnotsRecord((), max_ns=NEVER_NS)),
    (PointMassesInvalid, "not be negative", lambda: PointMasses(np.array([1.0]), np.array([-0.1]))),
    (PointMassesInvalid, "not be negative", lambda: PointMasses(np.array([-1.0]), np.array([0.1]))),
    (KnotsInvalid, "a mean between nan", lambda: KnotsRecord((), mean_limits_ns=(float("nan"), 1.0))),
    (KnotsInvalid, "a mean between 5", lambda: KnotsRecord((), mean_limits_ns=(5.0, 1.0))),
    (StatementsContradict, "below 5 ns", lambda: KnotsRecord(((5, 0.5, 0.6), (6, 0.1, 0.2)))),
    (StatementsContradict, "below", lambda: KnotsRecord((), min_ns=10, max_ns=5)),
    (MeanContradictsKnots, "at most 6700 ns, .* at least 6760", lambda: kioxia(6.7)),
    (
        MeanContradictsKnots,
        "at least 500 ns, .* at most 1",
        lambda: KnotsRecord((), mean_limits_ns=(500.0, 500.0), max_ns=99),
    ),
    (SharesContradict, "add up", lambda: from_bucket_shares([0, 5], [0.5, 0.3])),
    (SharesContradict, "add up", lambda: from_bucket_shares([0, 5], [0.7, 0.4], Rounding(Fraction(1, 100)))),
    (KnotsInvalid, "3 shares for 2 edges", lambda: from_bucket_shares([0, 5], [0.5, 0.3, 0.2])),
    (KnotsInvalid, "share of bucket 1 is 1.5", lambda: from_bucket_shares([0, 5], [0.5, 1.5])),
    (KnotsInvalid, "worth -0.1", lambda: Rounding(Fraction(-1, 10))),
    (KnotsInvalid, "quantile nan", lambda: kioxia().quantile_bounds(float("nan"))),
]


@pytest.mark.parametrize(("error", "words", "make"), BAD, ids=[str(number) for number in range(len(BAD))])
def test_what_cannot_be_is_refused(error: type[DomainError], words: str, make: object) -> None:
    with pytest.raises(error, match=words):
        make()  # type: ignore[operator]


def test_percentiles_may_come_in_any_order() -> None:
    assert from_percentiles([(0.99, 160), (0.95, 129)]) == from_percentiles([(0.95, 129), (0.99, 160)])
