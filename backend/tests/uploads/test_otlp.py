"""Metrics that the real SDK of OpenTelemetry exports over HTTP to an API that listens."""

import gzip
import json
from collections.abc import Callable, Iterator

import httpx
import pytest
from backend.tests.listening import listening
from backend.tests.uploads.conftest import SAMPLES, Json, Uploader
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.sdk.metrics import Histogram, MeterProvider
from opentelemetry.sdk.metrics.export import AggregationTemporality, PeriodicExportingMetricReader

from tailroom.kit.settings import Settings

METRIC = "http.server.request.duration"
PAYMENTS, VIEWS = 3_000, 25


@pytest.fixture(scope="module")
def server(settings: Settings) -> Iterator[str]:
    """An API as it is installed."""
    with listening(settings) as address:
        yield address


@pytest.fixture
def headers(uploader: Uploader) -> dict[str, str]:
    return uploader.headers


def _upload(uploader: Uploader, answer: httpx.Response) -> Json:
    return uploader.get(answer.headers["Location"].removeprefix("/api/v1"))


def _export(endpoint: str, headers: dict[str, str], compression: Compression) -> None:
    """Let a program with the SDK time some requests and export them as deltas."""
    exporter = OTLPMetricExporter(
        endpoint=endpoint,
        headers=headers,
        compression=compression,
        preferred_temporality={Histogram: AggregationTemporality.DELTA},
    )
    provider = MeterProvider([PeriodicExportingMetricReader(exporter, export_interval_millis=3_600_000)])
    histogram = provider.get_meter("shop").create_histogram(
        METRIC, unit="s", explicit_bucket_boundaries_advisory=[0.1, 0.3, 1.0]
    )
    for _ in range(PAYMENTS):
        histogram.record(0.2, {"route": "/pay"})
    for _ in range(VIEWS):
        histogram.record(0.05, {"route": "/view"})
    provider.get_meter("shop").create_counter("orders").add(3)
    provider.shutdown()


@pytest.mark.parametrize("compression", [Compression.NoCompression, Compression.Gzip])
def test_what_an_exporter_sends_becomes_a_run(
    server: str, uploader: Uploader, compression: Compression
) -> None:
    endpoint = f"{server}/api/v1/otlp/v1/metrics?title=payments&match=route%3D%22%2Fpay%22"
    _export(endpoint, uploader.headers, compression)
    (upload,) = uploader.get("/uploads")["uploads"]
    (run,) = uploader.get(f"/uploads/{upload['upload_id']}")["runs"]
    assert (run["title"], run["tool"]) == ("payments", "opentelemetry")
    uploader.judged(run["run_id"])
    question = {"subject": {"run_id": run["run_id"]}, "budget": {"objective": "50% < 300ms"}}
    answer = uploader.post("/sla/evaluate", question)
    assert (answer["subject"]["samples"], answer["verdict"]) == (PAYMENTS, "PASS"), answer


def test_json_is_answered_in_json(server: str, uploader: Uploader, headers: dict[str, str]) -> None:
    body = (SAMPLES / "opentelemetry/delta.json").read_bytes()
    sent = headers | {"Content-Type": "application/json; charset=utf-8", "Content-Encoding": "gzip"}
    answer = httpx.post(f"{server}/api/v1/otlp/v1/metrics", content=gzip.compress(body), headers=sent)
    assert (answer.status_code, answer.json()) == (200, {})
    assert _upload(uploader, answer)["runs"]


def test_what_holds_no_histogram_is_stored_and_named(
    server: str, uploader: Uploader, headers: dict[str, str]
) -> None:
    gauge = {"name": "room", "gauge": {"dataPoints": [{"asDouble": 21.5, "timeUnixNano": "1"}]}}
    document = {"resourceMetrics": [{"scopeMetrics": [{"metrics": [gauge]}]}]}
    sent = headers | {"Content-Type": "application/json"}
    answer = httpx.post(f"{server}/api/v1/otlp/v1/metrics", content=json.dumps(document), headers=sent)
    assert answer.status_code == 200, answer.text
    assert "no histogram of times" in answer.json()["partialSuccess"]["errorMessage"]
    (file,) = _upload(uploader, answer)["files"]
    assert "no histogram of times" in file["refusal"]


def test_senders_without_a_token_and_other_kinds_of_body_are_refused(
    server: str, headers: dict[str, str], make_token: Callable[..., str]
) -> None:
    place = f"{server}/api/v1/otlp/v1/metrics"
    form = {"Content-Type": "application/json"}
    assert httpx.post(place, content=b"{}", headers=form).status_code == 401
    viewer = {"Authorization": f"Bearer {make_token('viewer')}"}
    assert httpx.post(place, content=b"{}", headers=form | viewer).status_code == 403
    text = httpx.post(place, content=b"{}", headers=headers | {"Content-Type": "text/plain"})
    assert text.json()["code"] == "upload-malformed"
    other = httpx.post(place, content=b'{"metrics": []}', headers=headers | form)
    assert (other.status_code, other.json()["code"]) == (422, "upload-malformed")
    broken = headers | {"Content-Type": "application/x-protobuf", "Content-Encoding": "gzip"}
    assert httpx.post(place, content=b"\x1f\x8b\x08broken", headers=broken).status_code == 422
    labels = httpx.post(f"{place}?match=route", content=b"{}", headers=headers | form)
    assert "names no label" in labels.text
