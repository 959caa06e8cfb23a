"""Pages of Prometheus in protobuf: classic and native histograms, against the values that were observed.

The messages are built with the field numbers of `io.prometheus.client`, and the native buckets by the rule of
its schemas, in floating point, as client libraries do.
"""

import math
import random
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.importers.metric_choice import MetricChoice
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.production.page_protobuf import GAUGE_HISTOGRAM, HISTOGRAM, SUMMARY, MetricFamily
from tailroom.importers.registry import detect, read
from tailroom.importers.source import from_bytes, from_path

SAMPLES = Path(__file__).parent / "samples"
CLASSIC_S = (0.005, 0.1, 0.3, 1.0)
S = 1_000_000_000
FROM_MS = 1_790_000_000_000


def _values(seed: int, number: int) -> list[float]:
    rng = random.Random(seed)  # noqa: S311 - repeatable, not secret
    return [rng.lognormvariate(-3, 1.5) for _ in range(number)] + [0.0, 0.25, 0.5, 1.0]


def _native(histogram: Any, values: Sequence[float], schema: int, threshold: float) -> None:
    """Fill the native buckets, whose spans leave out gaps of more than two empty buckets."""
    histogram.schema, histogram.zero_threshold = schema, threshold
    histogram.zero_count = sum(value <= threshold for value in values)
    held = Counter(math.ceil(math.log2(value) * 2.0**schema) for value in values if value > threshold)
    indices = sorted(held)
    spans: list[list[int]] = [[indices[0], indices[0] + 1]] if indices else []
    for before, after in pairwise(indices):
        if after - before > 3:
            spans.append([after, after])
        spans[-1][1] = after + 1
    end, last = 0, 0
    for first, behind in spans:
        histogram.positive_span.add(offset=first - end, length=behind - first)
        end = behind
        for index in range(first, behind):
            histogram.positive_delta.append(held[index] - last)
            last = held[index]


def _family(
    values: Sequence[float],
    *,
    classic: Sequence[float] = (),
    schema: int | None = None,
    threshold: float = 2.0**-128,
    at_ms: int = 0,
) -> Any:
    family = MetricFamily(name="http_server_duration_seconds", help="Time", type=HISTOGRAM)
    metric = family.metric.add(timestamp_ms=at_ms)
    metric.label.add(name="route", value="/pay")
    metric.histogram.sample_count, metric.histogram.sample_sum = len(values), sum(values)
    for edge in classic:
        metric.histogram.bucket.add(upper_bound=edge, cumulative_count=sum(value <= edge for value in values))
    if schema is not None:
        _native(metric.histogram, values, schema, threshold)
    return family


def _delimited(*families: Any) -> bytes:
    data = b""
    for family in families:
        body = family.SerializeToString()
        length = len(body)
        while length > 0x7F:
            data += bytes([length & 0x7F | 0x80])
            length >>= 7
        data += bytes([length]) + body
    return data


def _run(data: bytes, choice: MetricChoice | None = None) -> ParsedRun:
    source = from_bytes("metrics.bin", data)
    source.metric = choice
    (run,) = read(source).runs
    return run


def _record(run: ParsedRun) -> LatencyDist:
    record = run.series[0].record
    assert isinstance(record, LatencyDist)
    return record


def _holds_every_edge(record: LatencyDist, values: Sequence[float], slack_ns: int = 0) -> None:
    """Each count below an edge is that of the values, where an edge may be off by the slack."""
    ordered = sorted(values)
    for edge_ns in record.edges_ns().tolist():
        ends = record.below(edge_ns)
        assert ends.lower <= bisect_right(ordered, (edge_ns + slack_ns) / S)
        assert ends.upper >= bisect_right(ordered, (edge_ns - slack_ns - 1) / S)


@pytest.mark.parametrize("schema", [-4, -1, 0, 3, 5, 8])
@pytest.mark.parametrize("threshold", [2.0**-128, 0.001, 0.01])
def test_native_buckets_are_what_was_observed(schema: int, threshold: float) -> None:
    values = _values(schema, 400)
    run = _run(_delimited(_family(values, schema=schema, threshold=threshold)))
    record = _record(run)
    assert record.total == len(values)
    _holds_every_edge(record, values, 2)
    # Powers of two are edges of every schema that is not coarser than one bucket an octave.
    if schema >= 0:
        for edge in (0.25, 0.5, 1.0):
            ends = record.below(int(edge * S))
            assert ends.lower == ends.upper == sum(value <= edge for value in values)
    (mean,) = run.series[0].printed
    assert mean.lower <= sum(values) / len(values) * S <= mean.upper


def test_the_bucket_of_zeros_ends_at_its_threshold() -> None:
    values = [0.0] * 5 + [0.0005] * 3 + [0.3] * 2
    record = _record(_run(_delimited(_family(values, schema=3, threshold=0.001))))
    assert record.below(1_000_000).lower == record.below(1_000_000).upper == 8
    assert record.below(500_000).lower == 0
    assert record.below(500_000).upper == 8


@pytest.mark.parametrize("schema", [0, 3])
def test_classic_edges_beside_native_ones_are_exact_too(schema: int) -> None:
    values = _values(1, 500)
    record = _record(_run(_delimited(_family(values, classic=CLASSIC_S, schema=schema))))
    for edge in CLASSIC_S:
        ends = record.below(round(edge * S))
        assert ends.lower == ends.upper == sum(value <= edge for value in values)
    _holds_every_edge(record, values, 2)
    assert record.edges_ns().size > len(CLASSIC_S) + 5


def test_classic_buckets_alone_and_without_the_infinite_one() -> None:
    values = _values(2, 300)
    for classic in (CLASSIC_S, (*CLASSIC_S, math.inf)):
        record = _record(_run(_delimited(_family(values, classic=classic))))
        assert record.total == len(values)
        for edge in CLASSIC_S:
            assert record.below(round(edge * S)).lower == sum(value <= edge for value in values)


def test_buckets_that_contradict_each_other_give_the_classic_ones() -> None:
    values = _values(3, 100)
    family = _family(values, classic=CLASSIC_S, schema=3)
    family.metric[0].histogram.bucket[2].cumulative_count -= 1
    run = _run(_delimited(family))
    assert any("contradict" in problem.reason for problem in run.problems)
    assert _record(run).edges_ns().size < 10


def test_pages_that_follow_are_a_course_also_where_the_schema_grew_coarser() -> None:
    first, between = _values(4, 200), _values(5, 100)
    page = _delimited(_family(first, schema=5, at_ms=FROM_MS))
    coarser = _delimited(_family([*first, *between], schema=3, at_ms=FROM_MS + 15_000))
    run = _run(page + coarser)
    assert _record(run).total == len(between)
    assert run.duration_ns == 15 * S
    _holds_every_edge(_record(run), between, 2)
    assert _record(_run(page + page)).total == len(first)


def test_a_counter_that_says_when_it_began_started_again() -> None:
    first, since = _family(_values(6, 20), schema=3), _family(_values(7, 90), schema=3)
    for family, seconds in ((first, 100), (since, 900)):
        family.metric[0].histogram.created_timestamp.seconds = seconds
    run = _run(_delimited(first) + _delimited(since))
    assert _record(run).total == 94
    assert any("started again" in problem.reason for problem in run.problems)


def test_what_is_chosen_and_what_is_not_read() -> None:
    other = _family(_values(8, 10), schema=3)
    other.metric[0].label[0].value = "/cart"
    summary = MetricFamily(name="call_seconds", type=SUMMARY)
    gauge = MetricFamily(name="queue_seconds", type=GAUGE_HISTOGRAM)
    data = _delimited(_family(_values(9, 30), schema=3), other, summary, gauge)
    run = _run(data, MetricChoice.of("http_server_duration", 'route="/cart"'))
    assert _record(run).total == 14
    reasons = " ".join(problem.reason for problem in run.problems)
    assert "1 summaries" in reasons
    assert "1 gauge histograms" in reasons


def _negative(family: Any) -> None:
    family.metric[0].histogram.negative_span.add(offset=0, length=1)
    family.metric[0].histogram.negative_delta.append(3)


def _fractions(family: Any) -> None:
    family.metric[0].histogram.sample_count_float = 3.5


def _lost(family: Any) -> None:
    family.metric[0].histogram.positive_delta.pop()


def _unknown(family: Any) -> None:
    family.metric[0].histogram.schema = 9


def _other_sum(family: Any) -> None:
    family.metric[0].histogram.sample_count += 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_negative, "negative"),
        (_fractions, "not whole"),
        (_lost, "do not fit"),
        (_unknown, "schema 9"),
        (_other_sum, "do not add up"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(change: Callable[[Any], None], reason: str) -> None:
    family = _family(_values(10, 50), schema=3)
    change(family)
    with pytest.raises(DomainError, match=reason):
        _run(_delimited(family))


def test_the_sample_is_known_by_its_first_bytes_and_says_less_where_it_is_cut() -> None:
    source = from_path(SAMPLES / "prometheus/native.bin")
    assert detect(source)[0].format == "prometheus-protobuf"
    data = source.opener()
    whole = b"".join(data)
    totals = {_record(_run(whole)).total, 304}
    for end in range(1, len(whole), 7):
        try:
            run = _run(whole[:end])
        except DomainError:
            continue
        assert any("cut" in problem.reason for problem in run.problems) or _record(run).total in totals
