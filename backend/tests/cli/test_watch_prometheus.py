"""`tailroom watch-prometheus` against a server that answers as Prometheus does, of a real client's counts."""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import pytest
from prometheus_client import CollectorRegistry, Histogram
from typer.testing import CliRunner, Result

from tailroom.cli.main import build_app

METRIC = "shop_seconds"
QUERY = f"{METRIC}_bucket"
FAST_S, SLOW_S = 0.05, 0.5
TOKEN = "t0ken"
OBJECTIVE = "90% < 300ms"


@dataclass
class Prometheus:
    """A program's histogram, and what a Prometheus that scrapes it answers."""

    registry: CollectorRegistry = field(default_factory=CollectorRegistry)
    url: str = ""
    asked: list[dict[str, str]] = field(default_factory=list)
    status: int = 200

    def __post_init__(self) -> None:
        self.histogram = Histogram(
            METRIC, "Time to answer", ["route"], buckets=(0.1, 0.3, 1.0), registry=self.registry
        )
        self.before = self.samples()

    def samples(self) -> dict[tuple[tuple[str, str], ...], float]:
        """Return the counters that a scrape of the program has."""
        families = self.registry.collect()
        samples = (sample for family in families for sample in family.samples)
        return {tuple(sample.labels.items()): sample.value for sample in samples if sample.name == QUERY}

    def answer(self, asked: dict[str, str]) -> dict[str, Any]:
        """Return the counters as they were at the start, and as they are now at the end."""
        self.asked.append(asked)
        if asked["query"] != QUERY:
            return {"status": "error", "error": "parse error: unexpected end of input"}
        start, end, step = (float(asked[name]) for name in ("start", "end", "step"))
        states = int((end - start) / step)
        result = [
            {
                "metric": {"__name__": QUERY, "instance": "shop:8080", **dict(labels)},
                "values": [
                    [start + number * step, f"{self.before.get(labels, 0) if number < states else value:g}"]
                    for number in range(states + 1)
                ],
            }
            for labels, value in self.samples().items()
        ]
        return {"status": "success", "data": {"resultType": "matrix", "result": result}}


@pytest.fixture
def prometheus() -> Iterator[Prometheus]:
    program = Prometheus()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            asked = {name: values[0] for name, values in parse_qs(body).items()}
            document = program.answer(asked)
            status = program.status if document["status"] == "success" else 400
            if self.headers.get("Authorization") != f"Bearer {TOKEN}":
                status, document = 401, {"status": "error", "error": "no token"}
            self.send_response(status if self.path == "/prom/api/v1/query_range" else 404)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(document).encode())

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - named by the base class
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    program.url = f"http://127.0.0.1:{server.server_address[1]}/prom/"
    yield program
    server.shutdown()
    server.server_close()
    thread.join(10)


def _watch(prometheus: Prometheus, *words: str, query: str = QUERY, token: str = TOKEN) -> Result:
    asked = ["--query", query, "--objective", OBJECTIVE, "--token", token, "--step", "15s", "--last", "30min"]
    app = build_app(["watch-prometheus", "judge"])
    return CliRunner().invoke(app, ["watch-prometheus", prometheus.url, *asked, *words])


def _observe(prometheus: Prometheus, route: str, value_s: float, count: int) -> None:
    for _ in range(count):
        prometheus.histogram.labels(route).observe(value_s)


def test_what_was_counted_is_judged_over_the_stretch_that_was_asked_for(prometheus: Prometheus) -> None:
    _observe(prometheus, "/pay", FAST_S, 3_000)
    kept = _watch(prometheus, "--json")
    assert kept.exit_code == 0, kept.output
    answer = json.loads(kept.stdout)
    assert (answer["verdict"], answer["strength"]) == ("PASS", "observed")
    (asked,) = prometheus.asked
    assert float(asked["end"]) - float(asked["start"]) == pytest.approx(1_800)
    assert (asked["query"], asked["step"]) == (QUERY, "15")


def test_the_answer_follows_what_is_counted_meanwhile(prometheus: Prometheus) -> None:
    _observe(prometheus, "/pay", FAST_S, 3_000)
    assert _watch(prometheus).exit_code == 0
    _observe(prometheus, "/pay", SLOW_S, 3_000)
    late = _watch(prometheus, "--every", "100ms", "--times", "2")
    assert late.exit_code == 1, late.output
    assert late.stdout.count("FAIL") >= 2
    assert len(prometheus.asked) == 3


def test_of_several_histograms_the_command_asks_which(prometheus: Prometheus) -> None:
    _observe(prometheus, "/pay", SLOW_S, 3_000)
    _observe(prometheus, "/cart", FAST_S, 3_000)
    assert _watch(prometheus, "--match", 'route="/pay"').exit_code == 1
    assert _watch(prometheus, "--match", 'route="/cart"').exit_code == 0


def test_refusals_of_the_server_are_told_apart_from_its_absence(prometheus: Prometheus) -> None:
    refused = _watch(prometheus, query="shop_seconds_bucket{")
    assert (refused.exit_code, "parse error" in refused.stderr) == (2, True)
    stranger = _watch(prometheus, token="other")
    assert (stranger.exit_code, "no token" in stranger.stderr) == (2, True)
    _observe(prometheus, "/pay", FAST_S, 10)
    prometheus.status = 503
    assert _watch(prometheus).exit_code == 70
    prometheus.url = "http://127.0.0.1:9/"
    away = _watch(prometheus)
    assert (away.exit_code, away.stderr.endswith("does not answer: connection refused\n")) == (70, True)


def test_a_stretch_of_more_states_than_an_answer_holds_is_refused_before_it_is_asked(
    prometheus: Prometheus,
) -> None:
    refused = _watch(prometheus, "--last", "30d")
    assert (refused.exit_code, "11,000" in refused.stderr, prometheus.asked) == (2, True, [])
