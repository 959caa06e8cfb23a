"""Figures of a document never contradict each other, and what would is seen."""

import json
from typing import Any

import pytest
from backend.bench.contradictions import contradictions
from backend.tests.importers.reading import SAMPLES

from tailroom.importers.inspection import inspect_sources
from tailroom.importers.inspection_json import json_lines
from tailroom.importers.opening import open_bytes


def _document(name: str, text: str) -> dict[str, Any]:
    (file,) = inspect_sources(open_bytes(name, text.encode()), 10, (1_000_000, 8_000_000))
    document: dict[str, Any] = json.loads("".join(json_lines([file.document])))
    return document


@pytest.mark.parametrize(
    ("sample", "before", "after"),
    [
        ("bonnie/table_and_csv.txt", ",16,", ",-16,"),
        ("vegeta/report.txt", "100.00%", "-99.50%"),
        ("latency_tables/asadm.txt", " 0.0", "-1.1"),
    ],
)
def test_negative_rates_and_shares_are_none(sample: str, before: str, after: str) -> None:
    text = (SAMPLES / sample).read_text()
    assert before in text
    for at in range(text.count(before)):
        pieces = text.split(before)
        document = _document(sample, before.join(pieces[: at + 1]) + after + before.join(pieces[at + 1 :]))
        assert contradictions(document) == []
        assert all(claim["lower"] >= 0 for claim in document.get("claims", ()))


def test_contradictions_are_seen() -> None:
    document = _document("act.log", (SAMPLES / "act/act66_storage_3x_1dev_us_90s.log").read_text())
    assert contradictions(document) == []
    series = document["series"][0]
    series["quantiles"]["0.99"]["upper_us"] = series["quantiles"]["0.5"]["upper_us"] / 2
    series["exceedance"][0]["whole"]["upper_ratio"] = 1.5
    series["exceedance"][1]["slices"][0]["count"] = series["count"] * 2
    series["misses"]["errors"] = -1
    document["duration_s"] = -3.0
    document["claims"] = [{"operation": "read", "quantity": "x", "lower": 2.0, "upper": 1.0}]
    assert [sentence.split(":")[0] for sentence in contradictions(document)] == [
        "the run lasted -3.0 s",
        "x of read is 2.0 to 1.0",
        "read (service) counts " + str([series["count"], *series["misses"].values()]),
        "read (service), percentiles",
        "read (service), percentiles",
        "read (service), shares",
        "read (service), shares",
    ]
