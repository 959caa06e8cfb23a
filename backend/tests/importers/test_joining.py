"""Files of several clients of one test as one run: added exactly, differences named, nothing averaged."""

import gzip
import struct
import time
from pathlib import Path

import numpy as np
import pytest
from opentelemetry.exporter.otlp.proto.common.metrics_encoder import encode_metrics
from opentelemetry.sdk.metrics import Histogram as SdkHistogram
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import AggregationTemporality, InMemoryMetricReader
from opentelemetry.sdk.metrics.view import ExplicitBucketHistogramAggregation, View
from opentelemetry.sdk.resources import Resource

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.knots import CountsUnknown
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.latency.merged_record import MergedRecord
from tailroom.importers.importer import FilesNotJoinable
from tailroom.importers.joining import joined_files
from tailroom.importers.metric_choice import MetricChoice
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.registry import read_together
from tailroom.importers.source import Source, from_bytes

SAMPLES = Path(__file__).parent / "samples"
S = 1_000_000_000


def _log(
    seed: int, *, begun_s: float = 1_790_000_000, seconds: int = 20, digits: int = 3
) -> tuple[bytes, np.ndarray]:
    """An HdrHistogram log of a client, and its latencies in microseconds."""
    import base64

    rng = np.random.default_rng(seed)
    rows = [
        "#[Logging for: READ]",
        "#[Histogram log format version 1.3]",
        f"#[StartTime: {begun_s:.3f} (seconds since epoch)]",
    ]
    values = []
    layout = HdrLayout(1_000, digits)
    for second in range(seconds):
        of_second = rng.lognormal(6, 1, 50).astype(np.int64) + 1
        values.append(of_second)
        indices, counts = np.unique(layout.index_of(of_second), return_counts=True)
        payload = base64.b64encode(encode(Counts(indices, counts.astype(np.int64)), layout)).decode()
        rows.append(f"{second}.000,1.000,{of_second.max():.3f},{payload}")
    return ("\n".join(rows) + "\n").encode(), np.concatenate(values)


def _joined(*sources: Source) -> ParsedRun:
    return joined_files(list(read_together(sources)))


def _notes(run: ParsedRun) -> str:
    return "\n".join(problem.reason for problem in run.problems if problem.file is None)


def test_histograms_are_added_count_by_count_and_piece_by_piece() -> None:
    made = [_log(seed, begun_s=1_790_000_000 + seed / 100) for seed in range(8)]
    run = _joined(*(from_bytes(f"client{at}.hdr", data) for at, (data, _) in enumerate(made)))
    (series,) = run.series
    assert isinstance(series.record, LatencyDist)
    indices, counts = np.unique(
        HdrLayout(1_000, 3).index_of(np.concatenate([values for _, values in made])),
        return_counts=True,
    )
    assert series.record.counts.indices.tolist() == indices.tolist()
    assert series.record.counts.counts.tolist() == counts.tolist()
    assert series.intervals is not None
    assert series.intervals.totals.tolist() == [8 * 50] * 20
    assert run.started_at is not None
    assert run.started_at.timestamp() == 1_790_000_000
    assert run.duration_ns == 20 * S + 7 * S // 100
    assert run.parameters["clients"] == 8
    assert _notes(run) == ""


def test_clocks_lengths_and_settings_that_differ_are_named() -> None:
    first, _ = _log(1)
    shorter, _ = _log(2, seconds=10)
    assert "lasted unequally long: b.hdr 10 s, a.hdr 20 s" in _notes(
        _joined(from_bytes("a.hdr", first), from_bytes("b.hdr", shorter))
    )
    as_long, as_short = _log(4)[0], _log(5, seconds=10)[0]
    clients = {"b.hdr": shorter, "c.hdr": first, "d.hdr": as_long, "a.hdr": as_short}
    run = _joined(*(from_bytes(name, data) for name, data in clients.items()))
    assert "lasted unequally long: b.hdr 10 s, c.hdr 20 s" in _notes(run)
    later, _ = _log(3, begun_s=1_790_000_009)
    run = _joined(from_bytes("a.hdr", first), from_bytes("b.hdr", later))
    assert "b.hdr began 9 s after the first client" in _notes(run)
    assert run.duration_ns == 29 * S
    text = (SAMPLES / "sysbench/s1_cpu.txt").read_bytes()
    other = text.replace(b"Number of threads: ", b"Number of threads: 1")
    assert other != text
    run = _joined(from_bytes("a.txt", text), from_bytes("b.txt", other))
    assert "the clients differ in connections: 2, 12" in _notes(run)


def test_other_buckets_stand_side_by_side_and_bound_the_sum() -> None:
    (fine, fine_us), (coarse, coarse_us) = _log(1), _log(2, digits=2)
    run = _joined(from_bytes("a.hdr", fine), from_bytes("b.hdr", coarse))
    record = run.series[0].record
    assert isinstance(record, MergedRecord)
    values_ns = np.concatenate((fine_us, coarse_us)) * 1_000
    for at_ns in (100_000, 400_000, 1_234_000, 5_000_000):
        ends = record.below(at_ns)
        assert ends.lower <= int((values_ns < at_ns).sum()) <= ends.upper
    assert run.series[0].intervals is None


def test_percentiles_of_a_known_number_bound_the_sum_and_are_not_averaged() -> None:
    text = (SAMPLES / "ycsb/y1.stdout.txt").read_bytes()
    slower = text.replace(b"99thPercentileLatency(us), ", b"99thPercentileLatency(us), 1")
    assert slower != text
    sources = [from_bytes("a.txt", text), from_bytes("b.txt", slower)]
    apart = [next(iter(result.result.runs)) for result in read_together(sources) if result.result is not None]
    run = _joined(*sources)
    together = next(series for series in run.series if series.operation == "insert")
    reads = [next(series for series in each.series if series.operation == "insert") for each in apart]
    assert together.record.total == sum(series.record.total or 0 for series in reads)
    assert together.printed == ()
    for at_ns in (200_000, 500_000, 2_000_000):
        ends = [series.record.at_or_over(at_ns) for series in reads]
        both = together.record.at_or_over(at_ns)
        assert both.lower == sum(each.lower for each in ends)
        assert both.upper == sum(each.upper for each in ends)
    assert not [claim for claim in run.claims if claim.quantity.startswith("latency")]


def test_percentiles_of_an_unknown_number_are_refused() -> None:
    document = b'{"op": "read", "layout": {"t": "knots"}, "percentiles": [[0.5, 90000], [0.99, 200000]]}'
    with pytest.raises(CountsUnknown, match=r"^a\.json does not state of how many operations .* read are"):
        _joined(from_bytes("a.json", document), from_bytes("b.json", document))


@pytest.mark.parametrize("temporality", [AggregationTemporality.CUMULATIVE, AggregationTemporality.DELTA])
def test_processes_that_opentelemetry_measured_are_added_up(temporality: AggregationTemporality) -> None:
    """Three processes with two routes each: the labels that only tell processes apart are left out."""
    rng = np.random.default_rng(7)
    sources, every = [], []
    for client in range(3):
        reader = InMemoryMetricReader(preferred_temporality={SdkHistogram: temporality})
        view = View(instrument_name="*", aggregation=ExplicitBucketHistogramAggregation((0.01, 0.1, 1.0)))
        named = Resource.create({"service.name": "shop", "service.instance.id": f"client {client}"})
        meter = MeterProvider([reader], resource=named, views=[view]).get_meter("shop")
        duration = meter.create_histogram("duration", unit="s")
        other = meter.create_histogram("waiting", unit="s")
        messages = []
        for _ in range(2):
            for value in rng.lognormal(-3, 1.5, 60).tolist():
                duration.record(value, {"route": "/pay" if value < 0.1 else "/cart"})
                every.append(value)
            other.record(0.5)
            messages.append(encode_metrics(reader.get_metrics_data()))  # type: ignore[arg-type]
        bodies = [message.SerializeToString() for message in messages]
        data = b"".join(struct.pack(">I", len(body)) + body for body in bodies)
        sources.append(from_bytes(f"client{client}.bin", data))
    with pytest.raises(FilesNotJoinable, match="choose a metric, duration, waiting"):
        _joined(*sources)
    for source in sources:
        source.metric = MetricChoice.of("duration", None)
    run = _joined(*sources)
    assert len(run.series) == 3
    assert {series.device for series in run.series} == {
        None,
        'route="/pay",service.name="shop"',
        'route="/cart",service.name="shop"',
    }
    assert not [problem for problem in run.problems if "is not in" in problem.reason]
    record = run.series[0].record
    assert isinstance(record, LatencyDist)
    for edge in (0.01, 0.1, 1.0):
        ends = record.below(round(edge * S))
        assert ends.lower == ends.upper == sum(value <= edge for value in every)
    assert run.series[0].intervals is not None
    assert int(run.series[0].intervals.totals.sum()) == len(every) == 360


def test_files_that_are_no_clients_of_one_test_are_refused() -> None:
    log, _ = _log(1)
    text = (SAMPLES / "sysbench/s1_cpu.txt").read_bytes()
    with pytest.raises(FilesNotJoinable, match="what they time differs"):
        _joined(from_bytes("a.hdr", log), from_bytes("b.txt", text))
    with pytest.raises(DomainError, match="format not recognised"):
        _joined(from_bytes("a.hdr", log), from_bytes("b.hdr", b"nothing that is known\n"))
    with pytest.raises(FilesNotJoinable, match="2 runs"):
        _joined(from_bytes("a.hdr", log), from_bytes("b.hdr", log + log))
    with pytest.raises(FilesNotJoinable, match=r"b\.hdr has the same counts at the same times as a\.hdr"):
        _joined(from_bytes("a.hdr", log), from_bytes("b.hdr", log))
    histogram = (SAMPLES / "memtier/given1.json").read_bytes()
    with pytest.raises(FilesNotJoinable, match=r"^b\.json\.gz has the same content as a\.json: it is a copy"):
        _joined(from_bytes("a.json", histogram), from_bytes("b.json.gz", gzip.compress(histogram)))


def test_eight_logs_of_an_hour_within_two_seconds() -> None:
    first, other = (_log(seed, seconds=3_600)[0].splitlines(keepends=True) for seed in range(2))
    # One second of each client is another's, so that no file is a copy.
    logs = [b"".join([*first[:at], other[at], *first[at + 1 :]]) for at in range(100, 108)]
    sources = [from_bytes(f"client{at}.hdr", log) for at, log in enumerate(logs)]
    began = time.process_time()
    run = _joined(*sources)
    assert time.process_time() - began < 2.0
    assert run.series[0].record.total == 8 * 3_600 * 50
