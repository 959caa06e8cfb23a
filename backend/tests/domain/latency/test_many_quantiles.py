"""Many records at once say what each says alone: bounds of quantiles, and which contradict themselves."""

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.layouts import BucketLayout, HdrLayout, layout_of
from tailroom.domain.latency.many_quantiles import Records, many_quantiles

QUANTILES = (0.5, 0.9, 0.99, 0.999, 1.0)
THRESHOLDS_NS = (1_000_500, 2_000_000, 3_700_123)


def test_any_record_gives_what_it_gives_alone() -> None:
    rng = np.random.default_rng(20_261_127)
    kinds = {"consistent": 0, "contradicting": 0, "cut": 0, "among misses": 0}
    for _ in range(60):
        records = _made(rng, HdrLayout(), int(rng.integers(1, 90)))
        found = many_quantiles(records, QUANTILES)
        assert found is not None
        for row in range(records.size):
            alone = _alone(records, row)
            assert bool(found.is_consistent[row]) == (alone is not None)
            if alone is None:
                kinds["contradicting"] += 1
                assert (found.lower_ns[:, row] == UNKNOWN).all()
                assert (found.upper_ns[:, row] == UNKNOWN).all()
                continue
            kinds["consistent"] += 1
            kinds["cut"] += alone.cells.counts.size != alone.counts.indices.size
            assert int(found.count[row]) == alone.count
            for number, quantile in enumerate(QUANTILES):
                lower, upper = int(found.lower_ns[number, row]), int(found.upper_ns[number, row])
                if not alone.total * (1.0 - quantile) >= 1.0 - 1e-9:
                    assert (lower, upper) == (UNKNOWN, UNKNOWN)
                    continue
                bounds = alone.quantile_bounds(quantile)
                kinds["among misses"] += bounds.upper_ns is None
                assert lower == bounds.lower_ns
                assert upper == (UNKNOWN if bounds.upper_ns is None else bounds.upper_ns)
    assert all(number > 100 for number in kinds.values()), kinds


def test_no_record_and_buckets_without_an_end() -> None:
    nothing = many_quantiles(_made(np.random.default_rng(1), HdrLayout(), 0), QUANTILES)
    assert nothing is not None
    assert nothing.lower_ns.shape == (len(QUANTILES), 0)
    open_ended = layout_of({"t": "explicit", "edges_ns": [0, 1_000_000, 2_000_000, None]})
    none = np.full(1, UNKNOWN, np.int64)
    one = Records(
        open_ended,
        np.array([0, 1]),
        np.array([2]),
        np.array([7]),
        (),
        np.empty((1, 0), np.int64),
        np.zeros(1, np.int64),
        none,
        none,
        none,
    )
    assert many_quantiles(one, QUANTILES) is None


def _made(rng: np.random.Generator, layout: BucketLayout, size: int) -> Records:
    """Records of latencies in nanoseconds; every third is made to say something that may not be true."""
    rows = [_latencies_ns(rng) for _ in range(size)]
    filled = [np.unique(HdrLayout().index_of(one // 1_000), return_counts=True) for one in rows]
    pins = np.array([[(one >= at).sum() for at in THRESHOLDS_NS] for one in rows], np.int64)
    pins = pins.reshape(size, len(THRESHOLDS_NS))
    sum_ns = np.array([one.sum() if one.size else UNKNOWN for one in rows], np.int64)
    min_ns = np.array([one.min() if one.size else UNKNOWN for one in rows], np.int64)
    max_ns = np.array([one.max() if one.size else UNKNOWN for one in rows], np.int64)
    for row in range(size):
        if rng.random() < 0.3:
            (sum_ns, min_ns, max_ns)[int(rng.integers(3))][row] = UNKNOWN
        if rng.random() < 0.3:
            column = (pins[:, int(rng.integers(3))], sum_ns, min_ns, max_ns)[int(rng.integers(4))]
            column[row] = max(
                0, int(column[row]) + int(rng.integers(-2, 3)) * int(rng.choice([1, 500, 900_000]))
            )
    return Records(
        layout,
        np.concatenate((np.zeros(1, np.int64), np.cumsum([one.size for one, _ in filled]))).astype(np.int64),
        np.concatenate([one for one, _ in filled] or [np.empty(0, np.int64)]).astype(np.int64),
        np.concatenate([one for _, one in filled] or [np.empty(0, np.int64)]).astype(np.int64),
        THRESHOLDS_NS,
        pins,
        rng.choice([0, 0, 0, 1, 5], size).astype(np.int64),
        sum_ns,
        min_ns,
        max_ns,
    )


def _latencies_ns(rng: np.random.Generator) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """None, few, or many; often around a threshold, so that it lies inside a bucket."""
    count = int(rng.choice([0, 1, 2, 10, 400, 3_000]))
    middle = float(rng.choice([50_000, 1_000_400, 3_700_000]))
    return np.maximum(0, middle * rng.lognormal(0.0, 0.2, count)).astype(np.int64)


def _alone(records: Records, row: int) -> LatencyDist | None:
    entries = slice(int(records.offsets[row]), int(records.offsets[row + 1]))
    known = [
        None if one[row] == UNKNOWN else int(one[row])
        for one in (records.sum_ns, records.min_ns, records.max_ns)
    ]
    try:
        found = LatencyDist(
            records.layout,
            Counts(records.indices[entries], records.counts[entries]),
            dict(zip(records.thresholds_ns, records.pins[row].tolist(), strict=True)),
            Misses(int(records.misses[row])),
            *known,
        )
        found.cells  # noqa: B018 - whether there are any
    except DomainError:
        return None
    return found
