"""Traces from the agent's batch to the verdict, as a collector gets them; run ids in the log."""

import gzip
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import UUID

import pytest
from backend.tests.agent import Agent, interval
from fastapi.testclient import TestClient
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from tailroom.api.app import create_app
from tailroom.kit import tracing
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.notifier import Notifier
from tailroom.kit.raw_files import open_raw_files
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import transactions_of
from tailroom.work import claims
from tailroom.work.claims import WorkClaim
from tailroom.work.executor import Executor
from tailroom_workers.handlers import handlers

OTHERS = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
"""Of the standard's own examples."""


class Collector:
    """Takes OTLP over HTTP."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.services: set[str] = set()
        got = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                content = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    content = gzip.decompress(content)
                for of_resource in ExportTraceServiceRequest.FromString(content).resource_spans:
                    named = {one.key: one.value.string_value for one in of_resource.resource.attributes}
                    got.services.add(named["service.name"])
                    for of_scope in of_resource.scope_spans:
                        got.spans.extend(of_scope.spans)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_arguments: object) -> None:
                """Is quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def of(self, run_id: str) -> dict[str, Span]:
        """Spans of a run's trace, by name."""
        trace_id = UUID(run_id).bytes
        return {one.name: one for one in self.spans if one.trace_id == trace_id}

    def close(self) -> None:
        """Ends it."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def collector() -> Iterator[Collector]:
    found = Collector()
    yield found
    found.close()


@pytest.fixture
def executor(settings: Settings, database: Database, redis_url: str) -> Executor:
    notifier = Notifier(redis_url)
    store = open_raw_files(settings.raw_files, settings.home)
    return Executor(database, handlers(settings, notifier, store, transactions_of(database, None)), {})


def claimed(database: Database, agent: Agent, kind: str) -> WorkClaim:
    """What is to be done for an agent's run, which is announced where it was not."""
    agent.announce()
    with database.transaction() as session:
        found = claims.claim_one(session, kind, UUID(agent.run_id), utc_now())
    assert found is not None
    return found


def attribute(span: Span, name: str) -> str:
    return next(str(one.value.string_value) for one in span.attributes if one.key == name)


def test_a_run_is_one_trace_from_the_batch_to_the_verdict(
    settings: Settings,
    collector: Collector,
    executor: Executor,
    database: Database,
    make_token: Callable[..., str],
) -> None:
    traced = create_app(settings.model_copy(update={"otlp_url": collector.url}))
    with TestClient(traced) as client:
        agent = Agent(client, make_token())
        run = UUID(agent.run_id)
        client.headers["traceparent"] = f"00-{run.hex}-{run.hex[16:]}-01"
        assert agent.announce(title="xylophagous").status_code == 201
        assert agent.send([interval(no, seq) for no in (0, 1) for seq in range(3)]).status_code == 200
        assert agent.finish({0: 2, 1: 2}).status_code == 200
        for kind in ("judge", "audit"):
            executor.do(claimed(database, agent, kind))
        stranger = Agent(client, agent.token)
        client.headers["traceparent"] = OTHERS
        assert stranger.announce().status_code == 201
        assert stranger.send([interval(0, 0)]).status_code == 200
    spans = collector.of(agent.run_id)
    names = {"announce_run", "send_intervals", "finish_run", "work judge", "roll up", "judge budgets"}
    assert names | {"store verdicts", "work audit"} <= set(spans)
    above = run.bytes[8:]
    for name in ("announce_run", "send_intervals", "finish_run", "work judge"):
        assert spans[name].parent_span_id == above, name
    assert spans["judge budgets"].parent_span_id == spans["work judge"].span_id
    assert len(attribute(spans["send_intervals"], "tailroom.request_id")) == 32
    others = [one for one in collector.spans if one.trace_id.hex() == OTHERS.split("-")[1]]
    batch = next(one for one in others if one.name == "send_intervals")
    assert [one.trace_id for one in batch.links] == [UUID(stranger.run_id).bytes]
    assert "xylophagous" not in "".join(str(one) for one in collector.spans), "what people wrote stays here"
    assert collector.services == {"tailroom-api"}


def test_a_collector_that_is_away_costs_spans_and_nothing_else(
    settings: Settings, collector: Collector, make_token: Callable[..., str]
) -> None:
    collector.close()
    traced = create_app(settings.model_copy(update={"otlp_url": collector.url}))
    with TestClient(traced) as client:
        assert Agent(client, make_token()).announce().status_code == 201


def test_without_a_collector_nothing_of_it_is_loaded(
    client: TestClient, make_token: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tracing.end()
    for name in ("opentelemetry", "opentelemetry.sdk.trace", "opentelemetry.sdk.resources"):
        monkeypatch.setitem(sys.modules, name, None)
    assert Agent(client, make_token()).announce().status_code == 201
    with pytest.raises(tracing.TracingNotInstalled, match=r"tailroom\[tracing\]"):
        tracing.begin("http://127.0.0.1:1", "x")


@pytest.mark.parametrize(
    "text", [None, "", "00-0-0-01", "00-" + "0" * 32 + "-" + "1" * 16 + "-01", "x" * 500]
)
def test_what_names_no_trace_is_none(text: str | None) -> None:
    assert tracing.from_header(text) is None


def test_the_log_names_the_run_beside_the_request_and_the_work(
    client: TestClient, database: Database, make_token: Callable[..., str]
) -> None:
    run_id = str(new_id())
    with capture_logs(processors=[merge_contextvars]) as lines:
        answer = client.post(f"/api/v1/runs/{run_id}/intervals", headers={"Authorization": "Bearer tlr_no"})
    assert answer.status_code == 401
    line = next(one for one in lines if one["event"] == "refused")
    assert (line["run_id"], line["request_id"]) == (run_id, answer.headers["X-Request-ID"])

    def broken(*_claim: object) -> None:
        raise ValueError("it broke")

    claim = claimed(database, Agent(client, make_token()), "judge")
    with capture_logs(processors=[merge_contextvars]) as lines:
        Executor(database, {"judge": broken}, {}).do(claim)
    line = next(one for one in lines if one["event"] == "work_failed")
    assert (line["run_id"], line["work"]) == (str(claim.subject), "judge")
