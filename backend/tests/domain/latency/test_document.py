"""Distributions as JSON: every form is read, what is written is read again, and broken rules are named."""

import base64
import json
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from backend.tests.domain.latency.samples import LAYOUTS, recorded
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import CountBounds, LatencyDist, LatencyRecord, Misses
from tailroom.domain.latency.document import (
    Distribution,
    distribution_of,
    distributions_of,
    document_of,
    parse_json,
)
from tailroom.domain.latency.document_schema import (
    DISTRIBUTION_SCHEMA,
    CountsContradict,
    DocumentInvalid,
    KeyUnknown,
    count,
)
from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import BucketLayout, ExplicitLayout, HdrLayout
from tailroom.domain.latency.merged_record import MergedRecord
from tailroom.domain.latency.published import from_percentiles

MS = 1_000_000
ACT = {"t": "explicit", "edges_ns": [0, MS, 8 * MS, 64 * MS, None]}
TIMES = (0, 1, MS, MS + 1, 2 * MS, 8 * MS, 64 * MS, 10**9, 10**12)


def read(**document: Any) -> LatencyRecord:
    return distribution_of(document).record


def same_answers(first: LatencyRecord, second: LatencyRecord) -> None:
    assert (first.total, first.misses, first.mean_ns) == (second.total, second.misses, second.mean_ns)
    assert first.edges_ns().tolist() == second.edges_ns().tolist()
    if first.total != 0:
        for time_ns in (*TIMES, *first.edges_ns().tolist()):
            assert first.cdf_bounds(time_ns) == second.cdf_bounds(time_ns)
        for quantile in (0.1, 0.5, 0.99, 1.0):
            assert first.quantile_bounds(quantile) == second.quantile_bounds(quantile)


@pytest.mark.parametrize(
    "counts", [[90, 5, 4, 1], [[0, 90], [1, 5], [3, 1], [2, 4]], {"3": 1, "2": 4, "0": 90, "1": 5}]
)
def test_counts_in_every_form(counts: object) -> None:
    record = read(layout=ACT, counts=counts, n=100)
    assert [record.at_or_over(at) for at in (MS, 8 * MS, 64 * MS)] == [CountBounds(n, n) for n in (10, 5, 1)]
    closed = {"t": "explicit", "edges_ns": [0, MS, 8 * MS, 64 * MS]}
    if isinstance(counts, list) and counts[0] == 90:
        same_answers(read(layout=closed, counts=counts), record)


def test_counts_as_a_histogram_in_base64() -> None:
    layout = HdrLayout(8_000, 2)
    dist = recorded(np.array([5_000, 900_000, 900_000]), layout)
    text = base64.b64encode(encode(dist.counts, layout, lowest=10)).decode()
    same_answers(read(layout={"t": "hdr", "unit_ns": 8_000, "sig": 2}, counts=text), dist)
    with pytest.raises(DocumentInvalid, match="2 digits in steps of 8 units"):
        read(layout={"t": "hdr"}, counts=text)
    with pytest.raises(DocumentInvalid, match="base64"):
        read(layout={"t": "hdr"}, counts="@@@")
    with pytest.raises(DocumentInvalid, match="kind hdr"):
        read(layout=ACT, counts=text)


@pytest.mark.parametrize(
    ("name", "clock"),
    [
        ("total", "response"),
        ("device", "service"),
        ("op", "operation"),
        ("queue", "queue"),
        (None, "operation"),
    ],
)
def test_names_of_clocks(name: str | None, clock: str) -> None:
    document: dict[str, Any] = {"layout": ACT, "counts": [1]}
    found = distribution_of(document | ({"clock": name} if name else {}))
    assert (found.clock, found.operation) == (clock, "read")


@given(
    st.sampled_from(LAYOUTS),
    st.lists(st.lists(st.integers(0, 5 * 10**9), max_size=20), min_size=1, max_size=4),
    st.booleans(),
    st.integers(0, 3),
)
@settings(deadline=None, max_examples=80)
def test_what_is_written_is_read_again(
    layout: BucketLayout, pieces: list[list[int]], more: bool, errors: int
) -> None:
    dists = [
        recorded(
            np.array(one, dtype=np.int64),
            layout,
            (MS,) if more else (),
            Misses(errors),
            summed=more,
            ends=more,
        )
        for one in pieces
    ]
    number = np.arange(len(dists), dtype=np.int64) * 10**9
    intervals = IntervalRecords.of(dists, number, np.full(len(dists), 10**9))
    written = document_of(
        Distribution("write", "response", intervals.total(), intervals, "nvme0", "timed", "test", 10**9)
    )
    found = distributions_of(parse_json(json.dumps(written)))[0]
    assert (found.operation, found.clock, found.device) == ("write", "response", "nvme0")
    assert (found.semantics, found.source, found.timeout_ns) == ("timed", "test", 10**9)
    same_answers(found.record, intervals.total())
    assert found.intervals is not None
    for position, dist in enumerate(dists):
        same_answers(found.intervals.distribution(position), dist)
    assert isinstance(found.record, LatencyDist)
    assert found.record.layout == layout
    assert document_of(found) == written
    del written["counts"]
    same_answers(distribution_of(written).record, intervals.total())


def test_statements_are_written_and_read_again() -> None:
    published = from_percentiles(
        [("0.5", 90_000), ("0.999", 3 * MS)],
        layout=HdrLayout(),
        count=2_000,
        mean_limits_ns=(100_000.0, 100_001.0),
        max_ns=7 * MS,
        misses=Misses(timeouts=3),
    )
    written = document_of(Distribution("read", "service", published))
    found = distribution_of(json.loads(json.dumps(written)))
    assert found.record == published
    both = MergedRecord.of([published, recorded(np.array([MS, 5 * MS]), HdrLayout())])
    again = distribution_of(json.loads(json.dumps(document_of(Distribution("read", "service", both)))))
    same_answers(again.record, both)


def test_percentiles_alone_and_with_a_layout() -> None:
    plain = read(percentiles=[[0.95, 129_000], ["0.99", 160_000]], mean_ns=70_930)
    assert 1.0 - plain.cdf_bounds(10**9 + 160_000)[0] == pytest.approx(64.17e-6, rel=1e-3)
    bucket = read(layout={"t": "hdr"}, percentiles=[[0.99, 7_511_000]])
    assert bucket.cdf_bounds(7_512_000) == (0.99, 1.0)
    rounded = read(percentiles=[[0.99, 7_000]], rounding={"ulp": 1_000, "mode": "truncate"})
    assert rounded.cdf_bounds(8_000) == (0.99, 1.0)
    assert rounded.cdf_bounds(7_000) == (0.0, 0.99)
    mixed = read(knots=[[MS, 0.5, 0.5]], percentiles=[[0.99, 8 * MS]], n=1000, pins=[[64 * MS, 3]])
    assert mixed.at_or_over(64 * MS) == CountBounds(3, 3)


def test_shares_are_statements() -> None:
    shares = read(layout=ACT, shares=[0.9, 0.09, 0.01, 0.0], rounding={"ulp": 0.01})
    assert shares.total is None
    assert shares.cdf_bounds(64 * MS) == (0.995, 1.0)
    assert shares.cdf_bounds(MS)[0] == pytest.approx(0.895)
    assert read(layout={"t": "pow2", "unit_ns": MS}, shares=[0.5, 0.5]).cdf_bounds(2 * MS) == (1.0, 1.0)
    assert read(layout=ACT, shares=["0.5", "0.5", "0", "0"], n=10).at_or_over(MS) == CountBounds(5, 5)


def test_several_distributions() -> None:
    one = {"op": "read", "layout": ACT, "counts": [1]}
    assert len(distributions_of([one, one])) == 2
    assert len(distributions_of({"v": 1, "series": [one, one | {"device": "nvme0"}]})) == 2
    with pytest.raises(CountsContradict, match=r"series\[1\]: n is 5"):
        distributions_of([one, one | {"n": 5}])
    with pytest.raises(DocumentInvalid, match="no distribution"):
        distributions_of([])
    with pytest.raises(KeyUnknown, match="'extra'"):
        distributions_of({"series": [one], "extra": 1})


KEYS = sorted(DISTRIBUTION_SCHEMA["properties"])
PIECE = {"start_ns": 0, "duration_ns": 5, "counts": [1]}
BROKEN: list[tuple[dict[str, Any], str]] = [
    ({"layout": ACT, "counts": [1], "count": 5}, "a distribution has no 'count'"),
    ({"layout": ACT}, "nothing is stated"),
    ({}, "nothing is stated"),
    ({"parts": [{}]}, r"parts\[0\]: there are no counts.*nothing is stated"),
    ({"v": 2, "layout": ACT, "counts": [1]}, "v is 2"),
    ({"clock": "wall", "layout": ACT, "counts": [1]}, "clock is 'wall'"),
    ({"op": "", "layout": ACT, "counts": [1]}, "op must be text"),
    ({"layout": ACT, "counts": [1], "n": 2}, "n is 2, and the counts add up to 1"),
    ({"layout": ACT, "counts": [1, -1]}, "the count of bucket 1 is -1"),
    ({"layout": ACT, "counts": [1.5]}, "the count of bucket 0 is 1.5"),
    ({"layout": ACT, "counts": [True]}, "the count of bucket 0 is True"),
    ({"layout": ACT, "counts": [float("nan")]}, "the count of bucket 0 is nan"),
    ({"layout": ACT, "counts": [1] * 5}, "bucket 4 is counted"),
    ({"layout": ACT, "counts": {"x": 1}}, "key 'x'"),
    ({"layout": ACT, "counts": [[0, 1], [0, 2]]}, "twice"),
    ({"layout": ACT, "counts": [[0, 1, 2]]}, "pairs"),
    ({"layout": ACT, "counts": 5}, "counts must be an array"),
    ({"layout": ACT, "counts": [1 << 52, 1 << 52]}, r"2\*\*53"),
    ({"layout": "hdr", "counts": [1]}, "layout must be an object"),
    ({"layout": {"t": "ddsketch"}, "counts": [1]}, "'ddsketch' is none of"),
    ({"layout": ACT, "counts": [1], "misses": {"errors": -1}}, "errors is -1"),
    ({"layout": ACT, "counts": [1], "misses": {"timed_out": 1}}, "misses has no 'timed_out'"),
    ({"layout": ACT, "counts": [5, 5], "pins": [[MS, 6]]}, "below 1000000 ns"),
    ({"layout": ACT, "counts": [5], "pins": [[MS, 0], [MS, 0]]}, "two pins"),
    ({"layout": ACT, "counts": [5], "pins": [[at, 0] for at in range(17)]}, "17 pins"),
    ({"layout": ACT, "counts": [5], "pins": [[MS]]}, "a pin is"),
    ({"layout": ACT, "counts": [5], "sum_ns": 5 * MS + 1}, "add up to"),
    ({"layout": ACT, "counts": [5], "max_ns": 0, "min_ns": 5}, "below"),
    ({"layout": ACT, "counts": [5], "mean_ns": 2 * MS}, "the mean is 2000000"),
    ({"layout": ACT, "counts": [5], "rounding": {"ulp": 1}}, "rounding says"),
    ({"layout": ACT, "counts": [5], "shares": [1.0]}, "counts cannot stand beside shares"),
    ({"layout": ACT, "counts": [5], "knots": []}, "knots needs the layout"),
    ({"layout": {"t": "knots"}, "counts": [5]}, "counts needs a layout with buckets"),
    ({"layout": {"t": "knots", "unit_ns": 1}}, "has no 'unit_ns'"),
    ({"layout": ACT, "shares": []}, "shares is empty"),
    ({"layout": ACT, "shares": [0.5, 0.5]}, "2 shares for 4 edges"),
    ({"layout": ACT, "shares": [0.5, 0.1, 0.1, 0.1]}, "add up"),
    (
        {"layout": ACT, "shares": [0.5, 0.5, 0, 0], "rounding": {"ulp": 1, "mode": "floor"}},
        "rounding.mode is 'floor'",
    ),
    ({"layout": ACT, "shares": [0.5, 0.5, 0, 0], "rounding": {}}, "rounding.ulp is None"),
    ({"percentiles": [[99, 5]]}, "a percentile is 99"),
    ({"percentiles": [[0.9, 5], [0.99, 4]]}, "end within 5 ns"),
    ({"percentiles": [[0.9]]}, "a percentile is"),
    ({"percentiles": [[0.9, 1.5]]}, "1.5 is no time"),
    ({"percentiles": [[0.9, 1000]], "mean_ns": 5}, "the mean is at most 5"),
    ({"percentiles": [[0.9, 1000]], "mean_ns": [5, 4]}, "0 <= lower <= upper"),
    ({"percentiles": [[0.9, 1000]], "misses": {"errors": 1}}, "1 misses"),
    ({"percentiles": [[0.9, 1000]], "sum_ns": 1}, "without n"),
    ({"percentiles": [[0.9, 1000]], "pins": [[5, 1]]}, "needs n"),
    ({"percentiles": [[0.9, 1000]], "n": 5, "pins": [[5, 6]]}, "only 5"),
    ({"knots": [[5, 0.5, 0.4]]}, "0 <= lower"),
    ({"knots": [[5, 0.5, float("nan")]]}, "F_hi is nan"),
    ({"knots": [[5, 0.5, 0.6], [6, 0.1, 0.2]]}, "below 5 ns"),
    ({"layout": ACT, "intervals": [PIECE | {"seq": 1}]}, r"intervals\[0\]: an interval has no 'seq'"),
    ({"layout": ACT, "intervals": [PIECE, PIECE]}, r"intervals\[1\] begins before"),
    ({"layout": ACT, "intervals": [PIECE | {"duration_ns": 0}]}, "must have a length"),
    ({"layout": ACT, "intervals": [{"start_ns": 0, "counts": [1]}]}, "duration_ns is missing"),
    ({"layout": ACT, "intervals": [PIECE], "counts": [2]}, "the intervals add up to 1"),
    ({"layout": ACT, "intervals": [PIECE], "n": 2}, "n is 2"),
    ({"parts": []}, "no record"),
    ({"parts": [{"percentiles": [[0.9, 5]]}]}, "record 0"),
    ({"parts": [{"layout": ACT, "counts": [1]}], "n": 1}, "has no 'n'"),
]


@pytest.mark.parametrize(("document", "words"), BROKEN, ids=[words for _, words in BROKEN])
def test_broken_rules_are_named(document: dict[str, Any], words: str) -> None:
    with pytest.raises(DomainError, match=words):
        distribution_of(document)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"n": NaN}', "NaN is not a number"),
        ('{"n": -Infinity}', "-Infinity is not a number"),
        ('{"n": 1,\n "n": 2}', "'n' stands twice"),
        ('{"n": 1,\n oops}', "line 2"),
        ("[" * 100_000, "nested too deeply"),
        (b'{"op": "\xff"}', "not UTF-8"),
        ('{"n": ' + "9" * 5_000 + "}", "thousands of digits"),
    ],
)
def test_json_that_is_none(text: str | bytes, words: str) -> None:
    with pytest.raises(DocumentInvalid, match=words):
        parse_json(text)


def test_numbers_that_only_json_calls_finite_are_refused() -> None:
    with pytest.raises(DocumentInvalid, match="mean_ns is inf"):
        distribution_of(parse_json('{"percentiles": [[0.5, 5]], "mean_ns": 1e999}'))
    with pytest.raises(DocumentInvalid, match="must be an object"):
        distributions_of(parse_json("5"))


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 10**6)
    | st.sampled_from(
        [10**18, 10**400, -1, 0.5, 1e308, float("nan"), float("inf"), "", "1e999999", "hdr", "inf"]
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=8,
)
PARTS: dict[str, list[Any]] = {
    "layout": [
        ACT,
        {"t": "hdr"},
        {"t": "pow2", "unit_ns": 1000},
        {"t": "knots"},
        {"t": "hdr", "unit_ns": 10**30},
    ],
    "counts": [[1, 2, 3], {"3": 5}, [[2, 7]]],
    "intervals": [[PIECE], [PIECE, PIECE | {"start_ns": 5, "misses": {"errors": 1 << 52}}]],
    "percentiles": [[[0.5, 10], ["0.9", 20]]],
    "knots": [[[5, 0.1, 0.2]]],
    "quantiles": [[[0.5, 10]], [[0.1, 10**6]]],
    "n": [6, 0],
    "misses": [{"errors": 3}],
    "mean_ns": [7, [5, 9]],
    "pins": [[[MS, 1]]],
}


@given(st.data())
@settings(deadline=None, max_examples=200)
def test_nothing_but_a_record_or_a_named_refusal(data: st.DataObject) -> None:
    keys = data.draw(st.lists(st.sampled_from(KEYS), max_size=6, unique=True))
    document = {key: data.draw(st.sampled_from(PARTS[key]) | JSON if key in PARTS else JSON) for key in keys}
    try:
        record = distribution_of(document).record
        median = record.quantile_bounds(0.5) if record.total != 0 else None
    except DomainError:
        return
    assert median is None or median.upper_ns is None or median.lower_ns <= median.upper_ns


@pytest.mark.parametrize(
    "document",
    [
        {"percentiles": [["1e999999999", 5]]},
        {"percentiles": [[0.5, 5]], "mean_ns": 10**400},
        {"percentiles": [[0.5, 5]], "quantiles": [[0.1, 50]]},
        {"percentiles": [[0.5, 5]], "quantiles": [[-1, 50]]},
        {"layout": {"t": ["hdr"]}, "counts": [1]},
        {"layout": {"t": "hdr", "unit_ns": 10**30}, "counts": []},
        {"layout": ACT, "counts": [1], "misses": {"errors": 1 << 60}},
        {"layout": ACT, "intervals": [{"start_ns": 1 << 61, "duration_ns": 1 << 61, "counts": [1]}]},
    ],
)
def test_numbers_that_would_overflow_are_refused(document: dict[str, Any]) -> None:
    with pytest.raises(DomainError):
        distribution_of(document)


def test_the_schema_is_json_and_closed() -> None:
    assert json.loads(json.dumps(DISTRIBUTION_SCHEMA)) == DISTRIBUTION_SCHEMA
    assert DISTRIBUTION_SCHEMA["additionalProperties"] is False
    written = document_of(Distribution("read", "queue", KnotsRecord(((5, 0.1, 0.2),), 3, (1.0, 9.0), 0, 99)))
    assert written.keys() <= DISTRIBUTION_SCHEMA["properties"].keys()
    counted = LatencyDist(ExplicitLayout((0, 5)), Counts(np.array([0]), np.array([1])))
    assert document_of(Distribution("read", "queue", counted)) == {
        "v": 1,
        "op": "read",
        "clock": "queue",
        "layout": {"t": "explicit", "edges_ns": [0, 5]},
        "n": 1,
        "counts": [[0, 1]],
    }


@pytest.mark.parametrize(
    ("mean_ns", "is_possible"), [(1_499, False), (1_500, True), (1_501, True), (1_502, False)]
)
def test_a_stated_mean_may_be_rounded_to_whole_nanoseconds(mean_ns: int, is_possible: bool) -> None:
    document = {"layout": ACT, "counts": [2], "sum_ns": 3_001, "mean_ns": mean_ns}
    with nullcontext() if is_possible else pytest.raises(CountsContradict, match="the mean is"):
        distribution_of(document)


def test_counts_stay_exact_as_doubles() -> None:
    assert count(2**53 - 1, "a count") == 2**53 - 1
    with pytest.raises(DocumentInvalid):
        count(2**53, "a count")
