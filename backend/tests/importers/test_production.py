"""Histograms of production systems: pages and answers of Prometheus, metrics of OpenTelemetry.

What real libraries write is compared with what was observed, value by value.
"""

import json
import random
import struct
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from google.protobuf.json_format import MessageToJson
from opentelemetry.exporter.otlp.proto.common.metrics_encoder import encode_metrics
from opentelemetry.sdk.metrics import Histogram as SdkHistogram
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import AggregationTemporality, InMemoryMetricReader
from opentelemetry.sdk.metrics.view import (
    ExplicitBucketHistogramAggregation,
    ExponentialBucketHistogramAggregation,
    View,
)
from prometheus_client import CollectorRegistry, Histogram, Summary
from prometheus_client import generate_latest as text_page
from prometheus_client.openmetrics.exposition import generate_latest as openmetrics_page

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.importers.metric_choice import MetricChoice, MetricChoiceInvalid
from tailroom.importers.parsed_run import ParsedRun, Severity
from tailroom.importers.production.ladders import exponential_edge_ns
from tailroom.importers.registry import detect, read
from tailroom.importers.source import from_bytes, from_path

SAMPLES = Path(__file__).parent / "samples"
EDGES_S = (0.005, 0.025, 0.1, 0.3, 1.0)
MS, S = 1_000_000, 1_000_000_000


def generate_latest(registry: CollectorRegistry) -> bytes:
    """The page that the real client shows."""
    page: bytes = text_page(registry)
    return page


def openmetrics(registry: CollectorRegistry) -> bytes:
    """The same page in the form of OpenMetrics."""
    page: bytes = openmetrics_page(registry)  # type: ignore[no-untyped-call]
    return page


def _runs(data: bytes, choice: MetricChoice | None = None, name: str = "metrics") -> list[ParsedRun]:
    source = from_bytes(name, data)
    source.metric = choice
    return list(read(source).runs)


def _run(data: bytes, choice: MetricChoice | None = None) -> ParsedRun:
    (run,) = _runs(data, choice)
    return run


def _below_or_at(run: ParsedRun, edge_s: float) -> int:
    """Operations that took at most an edge, which must be known exactly."""
    record = run.series[0].record
    assert isinstance(record, LatencyDist)
    below = record.below(round(edge_s * S))
    assert below.lower == below.upper
    return below.lower


def _values(seed: int, number: int) -> list[float]:
    rng = random.Random(seed)  # noqa: S311 - repeatable, not secret
    return [round(rng.lognormvariate(-3, 1.2), 6) for _ in range(number)] + [0.1, 0.3, 0.3, 1.0]


def _page_registry() -> tuple[CollectorRegistry, Histogram]:
    registry = CollectorRegistry()
    return registry, Histogram(
        "http_server_duration_seconds", "Time", ["route", "method"], registry=registry, buckets=EDGES_S
    )


@pytest.mark.parametrize("exposition", [generate_latest, openmetrics])
def test_a_page_of_the_real_client_is_what_was_observed(
    exposition: Callable[[CollectorRegistry], bytes],
) -> None:
    registry, histogram = _page_registry()
    pay, cart = _values(1, 500), _values(2, 300)
    for value in pay:
        histogram.labels("/pay", "POST").observe(value)
    for value in cart:
        histogram.labels('/a"b,le="', "GET").observe(value)
    data = exposition(registry)
    run = _run(data)
    for edge in EDGES_S:
        assert _below_or_at(run, edge) == sum(value <= edge for value in pay + cart)
    chosen = _run(data, MetricChoice.of("http_server_duration", 'route="/pay"'))
    for edge in EDGES_S:
        assert _below_or_at(chosen, edge) == sum(value <= edge for value in pay)
    quoted = _run(
        data, MetricChoice.of("http_server_duration_seconds", 'route="/a\\"b,le=\\"",method!="PUT"')
    )
    assert quoted.series[0].record.total == len(cart)
    (mean,) = chosen.series[0].printed
    assert mean.lower <= sum(pay) / len(pay) * S <= mean.upper


def test_two_scrapes_make_the_stretch_between_them_and_a_restart_counts_from_zero() -> None:
    registry, histogram = _page_registry()
    for value in _values(1, 200):
        histogram.labels("/pay", "POST").observe(value)
    first = openmetrics(registry)
    between = _values(3, 100)
    for value in between:
        histogram.labels("/pay", "POST").observe(value)
    run = _run(first + openmetrics(registry))
    assert [_below_or_at(run, edge) for edge in EDGES_S] == [
        sum(value <= edge for value in between) for edge in EDGES_S
    ]
    registry, histogram = _page_registry()
    for value in _values(4, 20):
        histogram.labels("/pay", "POST").observe(value)
    restarted = _run(first + openmetrics(registry))
    assert restarted.series[0].record.total == 24
    assert any("started again" in problem.reason for problem in restarted.problems)


def test_a_page_that_was_copied_twice_is_one_page() -> None:
    registry, histogram = _page_registry()
    histogram.labels("/pay", "POST").observe(0.2)
    data = generate_latest(registry)
    assert _run(data + data).series[0].record.total == 1


def _answer(samples: Sequence[tuple[float, Sequence[int]]], labels: dict[str, str]) -> bytes:
    edges = [*(str(edge) for edge in EDGES_S), "+Inf"]
    result = [
        {
            "metric": labels | {"__name__": "http_seconds_bucket", "le": str(edge)},
            "values": [[at, str(counts[column])] for at, counts in samples],
        }
        for column, edge in enumerate(edges)
    ]
    document = {"status": "success", "data": {"resultType": "matrix", "result": result}}
    return json.dumps(document).encode()


def _states(each: Sequence[Sequence[float]]) -> list[list[int]]:
    """Cumulative counters after each batch of values."""
    edges = [*EDGES_S, float("inf")]
    seen: list[float] = []
    states = []
    for values in each:
        seen += values
        states.append([sum(value <= edge for value in seen) for edge in edges])
    return states


def test_a_range_is_the_course_between_its_times() -> None:
    batches = [_values(seed, 30) for seed in range(6)]
    states = _states(batches)
    samples = [(1_790_000_000.5 + 15 * at, state) for at, state in enumerate(states)]
    run = _run(_answer(samples, {"instance": "a:80"}))
    intervals = run.series[0].intervals
    assert intervals is not None
    assert intervals.totals.tolist() == [len(batch) for batch in batches[1:]]
    assert intervals.start_ns.tolist() == [15 * S * at for at in range(5)]
    assert run.started_at is not None
    assert run.started_at.timestamp() == 1_790_000_000.5
    assert _below_or_at(run, 0.3) == sum(value <= 0.3 for batch in batches[1:] for value in batch)
    reset = [
        *samples[:3],
        *((at, [count - samples[2][1][k] for k, count in enumerate(counts)]) for at, counts in samples[3:]),
    ]
    with_restart = _run(_answer(reset, {"instance": "a:80"}))
    assert with_restart.series[0].record.total == run.series[0].record.total
    of_a_sum = _run(_answer(reset, {}))
    assert of_a_sum.series[0].record.total == (run.series[0].record.total or 0) - len(batches[3])
    assert any("sum over processes fell" in problem.reason for problem in of_a_sum.problems)


def test_answers_in_pieces_are_joined_by_their_times() -> None:
    states = _states([_values(seed, 30) for seed in range(6)])
    samples = [(1_790_000_000 + 15 * at, state) for at, state in enumerate(states)]
    whole = _run(_answer(samples, {"instance": "a:80"}))
    pieces = _run(
        _answer(samples[:4], {"instance": "a:80"}) + b"\n" + _answer(samples[3:], {"instance": "a:80"})
    )
    assert whole.series[0].intervals is not None
    assert pieces.series[0].intervals is not None
    assert whole.series[0].intervals.totals.tolist() == pieces.series[0].intervals.totals.tolist()


def test_native_sums_below_zero_give_no_mean() -> None:
    """Their difference may be a possible mean, but what was added to them was no latency."""
    text = (SAMPLES / "prometheus/native.json").read_text()
    assert _run(text.encode()).series[0].printed
    for sum_ in ("1.299842", "3.215398", "5.809201"):
        text = text.replace(f'"{sum_}"', f'"{float(sum_) - 6:.6f}"')
    assert _run(text.encode()).series[0].printed == ()


@pytest.mark.parametrize(("first", "claims"), [(0.0, 1), (-1.0, 0)])
def test_a_sum_below_zero_gives_no_mean(first: float, claims: int) -> None:
    batches = [_values(1, 30), _values(2, 30)]
    states = [(1_790_000_000 + 15 * at, state) for at, state in enumerate(_states(batches))]
    answer = json.loads(_answer(states, {}))
    sums = [(states[0][0], str(first)), (states[1][0], str(first + sum(batches[1])))]
    answer["data"]["result"].append({"metric": {"__name__": "http_seconds_sum"}, "values": sums})
    assert len(_run(json.dumps(answer).encode()).series[0].printed) == claims


def test_what_extrapolates_is_refused_with_the_reason() -> None:
    data = _answer([(1_790_000_000, [1, 2, 3, 4, 5, 6])], {}).replace(b'"3"', b'"3.0344827586206895"')
    with pytest.raises(DomainError, match="extrapolate"):
        _run(data)


def test_summaries_are_refused_with_the_reason() -> None:
    registry = CollectorRegistry()
    Summary("call_seconds", "Time", registry=registry).observe(0.2)
    with pytest.raises(DomainError, match="without certain ends"):
        _run(generate_latest(registry))


def test_native_histograms_keep_their_edges_and_the_coarser_schema_counts() -> None:
    run = _run((SAMPLES / "prometheus/native.json").read_bytes())
    record = run.series[0].record
    assert isinstance(record, LatencyDist)
    # 2^-4 and 2^-2 s are edges of every schema; 2^-3.75 s is one only of the finer.
    assert record.total == 36
    assert record.below(62_500_000).lower == record.below(62_500_000).upper == 1
    assert record.below(250_000_000).lower == 35
    assert record.below(74_325_444).lower == 1
    assert record.below(88_388_348).lower == 15


def _sdk(temporality: AggregationTemporality) -> tuple[InMemoryMetricReader, SdkHistogram, SdkHistogram]:
    reader = InMemoryMetricReader(preferred_temporality={SdkHistogram: temporality})
    views = [
        View(instrument_name="explicit", aggregation=ExplicitBucketHistogramAggregation(EDGES_S)),
        View(instrument_name="exponential", aggregation=ExponentialBucketHistogramAggregation(max_size=30)),
    ]
    meter = MeterProvider([reader], views=views).get_meter("shop")
    return (
        reader,
        meter.create_histogram("explicit", unit="s"),  # type: ignore[return-value]
        meter.create_histogram("exponential", unit="ms"),
    )


@pytest.mark.parametrize("temporality", [AggregationTemporality.CUMULATIVE, AggregationTemporality.DELTA])
@pytest.mark.parametrize("form", ["json lines", "protobuf", "protobuf messages"])
def test_the_real_sdk_is_what_was_recorded(temporality: AggregationTemporality, form: str) -> None:
    reader, explicit, exponential = _sdk(temporality)
    recorded: list[float] = []
    messages = []
    for seed in range(1 if form == "protobuf" else 3):
        values = _values(seed, 150 + seed)
        recorded += values
        for value in values:
            explicit.record(value, {"http.route": "/pay"})
            exponential.record(value * 1_000)
        messages.append(encode_metrics(reader.get_metrics_data()))  # type: ignore[arg-type]
    if form == "json lines":
        data = "".join(MessageToJson(one, indent=None) + "\n" for one in messages).encode()
    elif form == "protobuf":
        data = messages[0].SerializeToString()
    else:
        bodies = [one.SerializeToString() for one in messages]
        data = b"".join(struct.pack(">I", len(body)) + body for body in bodies)
    first, second = _runs(data)
    for edge in EDGES_S:
        assert _below_or_at(first, edge) == sum(value <= edge for value in recorded)
    assert first.series[0].intervals is not None
    assert first.series[0].intervals.size == len(messages)
    record = second.series[0].record
    assert isinstance(record, LatencyDist)
    assert record.total == len(recorded)
    ordered = sorted(round(value * S) for value in recorded)
    for edge_ns in record.edges_ns().tolist():
        ends = record.below(edge_ns)
        # An edge holds within 1 ns, and the library works edges out in floating point.
        assert ends.lower <= bisect_left(ordered, edge_ns + 1_000)
        assert ends.upper >= bisect_left(ordered, edge_ns - 1_000)
    assert second.series[0].record.quantile_bounds(0.5).lower_ns < ordered[len(ordered) // 2] + 1_000


def test_an_exponential_point_without_values_leaves_the_edges_of_the_others() -> None:
    """JSON of OTLP leaves out the fields of a point that counted nothing, so its metric states its kind."""
    times = {"startTimeUnixNano": str(S), "timeUnixNano": str(2 * S)}
    counted = {**times, "timeUnixNano": str(3 * S), "count": "3", "positive": {"bucketCounts": ["3"]}}
    histogram = {"aggregationTemporality": 2, "dataPoints": [times, counted]}
    metric = {"name": "duration", "unit": "s", "exponentialHistogram": histogram}
    document = {"resourceMetrics": [{"scopeMetrics": [{"metrics": [metric]}]}]}
    (run,) = _runs(json.dumps(document).encode())
    assert run.series[0].record.quantile_bounds(0.5).lower_ns == S


@pytest.mark.parametrize("scale", [-4, -1, 0, 3, 8, 20])
def test_exponential_edges_are_exact(scale: int) -> None:
    """The edge is the last whole nanosecond not over `2^(i / 2^scale)` seconds, checked in whole numbers."""
    power = 1 << max(0, scale)
    for index in (-3 * power, -power - 1, -1, 0, 1, power, 3 * power + 1):
        edge_ns = exponential_edge_ns(index, scale, S)
        exponent = Decimal(index) / Decimal(2) ** scale
        if exponent % 1 == 0 and abs(exponent) < 30:
            exact = Decimal(2) ** int(exponent) * S
            assert edge_ns == int(exact.to_integral_value(rounding="ROUND_FLOOR"))
        assert edge_ns <= 2.0 ** float(exponent) * S * (1 + 1e-15)
        assert edge_ns + 1 >= 2.0 ** float(exponent) * S * (1 - 1e-15)


def test_an_edge_holds_what_took_exactly_so_long() -> None:
    registry, histogram = _page_registry()
    for _ in range(10):
        histogram.labels("/pay", "POST").observe(0.3)
    record = _run(generate_latest(registry)).series[0].record
    assert isinstance(record, LatencyDist)
    assert record.edge_tolerance_ns == 1
    assert record.below(300 * MS).lower == 10
    assert record.below(300 * MS - 2) == record.below(200 * MS)
    assert record.below(300 * MS - 2).lower == 0
    assert record.quantile_bounds(1.0).upper_ns == 300 * MS + 1


@pytest.mark.parametrize(
    ("name", "stated", "factor"),
    [("a_seconds", None, S), ("a_ms", None, MS), ("a_duration", None, None), ("a_duration", MS, MS)],
)
def test_the_unit_is_that_of_the_name_or_is_asked_for(
    name: str, stated: int | None, factor: int | None
) -> None:
    rows = f'# TYPE {name} histogram\n{name}_bucket{{le="2"}} 3\n{name}_bucket{{le="+Inf"}} 3\n'
    source = from_bytes("m", rows.encode())
    source.stated_unit_ns = stated
    (run,) = read(source).runs
    assert run.series[0].record.edges_ns().max() == 2 * (factor or S) + 1
    assert ("tool.latency_unit" in run.missing) == (not name.endswith(("_seconds", "_ms")))
    assert run.parameters["latency_unit"] == {S: "s", MS: "ms"}[factor or S]


def test_sizes_are_no_times() -> None:
    page = (SAMPLES / "prometheus/page.txt").read_bytes()
    run = _run(page)
    assert run.series[0].operation == "http_server_duration_seconds"
    assert any("http_request_size_bytes" in problem.reason for problem in run.problems)
    assert any("1 summaries" in problem.reason for problem in run.problems)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda page: page.replace(b'le="+Inf"', b'le="9"'), "+Inf"),
        (lambda page: page.replace(b'le="0.3"', b'le="0,3"'), "no number"),
        (lambda page: page.replace(b"_bucket", b"_bukcet"), "no histogram"),
    ],
)
def test_a_page_without_certain_edges_is_refused(damage: Callable[[bytes], bytes], reason: str) -> None:
    with pytest.raises(DomainError, match=reason.replace("+", r"\+")):
        _run(
            damage((SAMPLES / "prometheus/page.txt").read_bytes()),
            MetricChoice.of("http_server_duration", None),
        )


def test_labels_are_written_as_prometheus_writes_them() -> None:
    choice = MetricChoice.of("a", '{route="/p\\"ay", code!="500"}')
    assert choice is not None
    assert choice.fits({"route": '/p"ay', "code": "200"})
    assert not choice.fits({"route": '/p"ay', "code": "500"})
    for text in ("route=/pay", 'route=~"/p.*"', '"'):
        with pytest.raises(MetricChoiceInvalid):
            MetricChoice.of("a", text)


def test_a_name_that_does_not_exist_is_answered_with_those_that_do() -> None:
    with pytest.raises(DomainError, match="it has http_server_duration_seconds"):
        _run((SAMPLES / "prometheus/page.txt").read_bytes(), MetricChoice.of("grpc", None))


@pytest.mark.parametrize(
    "name", ["prometheus/range.json", "prometheus/instant.json", "opentelemetry/cumulative.bin"]
)
def test_cut_files_are_refused_or_say_less(name: str) -> None:
    data = (SAMPLES / name).read_bytes()
    whole = _runs(data)[0].series[0].record.total or 0
    for end in range(0, len(data), max(1, len(data) // 40)):
        try:
            runs = _runs(data[:end])
        except DomainError:
            continue
        assert all((one.record.total or 0) <= whole for run in runs for one in run.series)


def test_protobuf_is_known_by_its_fields_and_nothing_is_taken_out() -> None:
    source = from_path(SAMPLES / "opentelemetry/request.bin")
    assert detect(source)[0].format == "otlp-protobuf"
    assert [one for one in read(source).problems if one.severity is not Severity.NOTE] == []


def test_a_page_of_ten_thousand_series_within_a_second() -> None:
    registry, histogram = _page_registry()
    for number in range(10_000 // (len(EDGES_S) + 3)):
        histogram.labels(f"/{number}", "GET").observe(number / 1_000)
    data = generate_latest(registry)
    assert data.count(b"\n") >= 9_999
    began = time.process_time()
    run = _run(data)
    assert time.process_time() - began < 1.0
    assert run.series[0].record.total == 1_250


def test_a_week_of_scrapes_within_two_seconds() -> None:
    size = 40_320
    counts = np.cumsum(np.cumsum(np.random.default_rng(1).poisson(3, (size, 6)), axis=1), axis=0)
    samples = [(1_790_000_000 + 15 * at, row) for at, row in enumerate(counts.tolist())]
    data = _answer(samples, {"instance": "a:80"})
    began = time.process_time()
    run = _run(data)
    assert time.process_time() - began < 2.0
    assert run.series[0].record.total == int(counts[-1, -1] - counts[0, -1])
    assert run.series[0].intervals is not None
    assert run.series[0].intervals.size == size - 1


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"type": "tdigest", "compression": 100, "centroids": [[0.1, 3], [0.2, 5]]}', "t-digest"),
        ('{"kll_sketch": {"k": 200, "levels": [0, 12, 40]}}', "KLL"),
    ],
)
def test_sketches_without_certain_ends_are_refused_with_the_reason(text: str, name: str) -> None:
    with pytest.raises(DomainError, match=f"{name}.*no certain ends"):
        _run(text.encode())
