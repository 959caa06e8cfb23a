"""Distribution documents as files: recognised by their keys, read strictly."""

import gzip
import json
from typing import Any

import pytest

from tailroom.domain.latency.distribution import CountBounds, LatencyDist
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.importers.distribution_file import DISTRIBUTION_FILE
from tailroom.importers.importer import Certainty, ContentUnreadable
from tailroom.importers.parsed_run import EndState
from tailroom.importers.registry import read
from tailroom.importers.source import Source, from_bytes

ACT: dict[str, Any] = {
    "op": "read",
    "clock": "device",
    "device": "nvme0n1",
    "semantics": "from submission to completion",
    "source": "a benchmark",
    "layout": {"t": "pow2", "unit_ns": 1_000_000},
    "intervals": [
        {"start_ns": 0, "duration_ns": 10**9, "counts": [95, 4, 1]},
        {"start_ns": 10**9, "duration_ns": 10**9, "counts": [90, 5, 4, 0, 1], "misses": {"timeouts": 1}},
    ],
}
PUBLISHED: dict[str, Any] = {
    "op": "read",
    "percentiles": [[0.95, 129_000], [0.99, 160_000]],
    "mean_ns": 70_930,
}


def file(document: Any) -> Source:
    return from_bytes("result.json", json.dumps(document).encode())


def test_counts_over_time() -> None:
    result = read(file(ACT))
    assert (result.detection.format, result.detection.certainty) == ("distribution", Certainty.CERTAIN)
    (run,) = result.runs
    assert (run.format, run.state, run.duration_ns) == ("distribution", EndState.UNKNOWN, 2 * 10**9)
    assert run.parameters == {"sources": "a benchmark"}
    assert {"run.started_at", "host.cpu.model"} <= set(run.missing)
    (series,) = run.series
    assert (series.operation, series.clock, series.device) == ("read", "service", "nvme0n1")
    assert series.semantics == "from submission to completion"
    assert isinstance(series.record, LatencyDist)
    assert series.record.at_or_over(1_000_000) == CountBounds(16, 16)
    assert series.intervals is not None
    assert series.intervals.totals.tolist() == [100, 101]


def test_published_percentiles_and_several_series() -> None:
    assert read(file(PUBLISHED)).detection.certainty is Certainty.LIKELY
    (run,) = read(file({"v": 1, "series": [ACT, PUBLISHED]})).runs
    assert [type(one.record) for one in run.series] == [LatencyDist, KnotsRecord]
    assert len(read(file([ACT, PUBLISHED])).runs[0].series) == 2
    packed = from_bytes("result.json.gz", gzip.compress(json.dumps(ACT).encode()))
    assert len(read(packed).runs[0].series) == 1


def test_counts_before_the_layout_in_a_long_file() -> None:
    long = {"op": "read", "counts": [1] * 40_000, "layout": {"t": "hdr"}}
    result = read(file(long))
    assert result.detection.certainty is Certainty.POSSIBLE
    assert result.runs[0].series[0].record.total == 40_000


@pytest.mark.parametrize(
    "text",
    [
        '{"fio version": "fio-3.33", "jobs": [{"layout": {"t": "hdr"}}]}',
        '{"ALL STATS": {"GET": [{"<=msec": 0.1, "percent": 1.0}]}}',
        '{"op": "read", "value": 5}',
        "[[1, 2]]",
        "op,clock\n",
        "",
    ],
)
def test_other_json_is_not_taken(text: str) -> None:
    assert DISTRIBUTION_FILE.detect(from_bytes("x.json", text.encode()).head) is None


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (ACT | {"extra": 1}, "result.json: a distribution has no 'extra'"),
        (ACT | {"n": 5}, "n is 5"),
        ([ACT, PUBLISHED | {"mean_ns": float("nan")}], "NaN is not a number"),
        ({"series": [ACT, PUBLISHED | {"mean_ns": 5}]}, r"series\[1\]: the mean is at most 5"),
    ],
)
def test_broken_documents_are_refused_with_the_rule(document: Any, words: str) -> None:
    with pytest.raises(ContentUnreadable, match=words):
        read(file(document))
