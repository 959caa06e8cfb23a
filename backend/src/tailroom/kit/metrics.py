"""Counters of the processes behind one port, for Prometheus; names end in their unit.

Labels have routes and kinds of work, never an id, so the number of series is bounded. Several processes count
in files, each under its number; a replacement continues the counts of its predecessor.
"""

import os
from time import perf_counter
from typing import ClassVar

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    values,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tailroom.kit.process_figures import ProcessFigures

_number = "parent"
"""Number of this process, which names its files of counters."""
ARE_SEVERAL = "PROMETHEUS_MULTIPROC_DIR" in os.environ
"""Whether several processes count together, in files; set before the first count."""
if ARE_SEVERAL:
    values.ValueClass = values.MultiProcessValue(lambda: _number)  # type: ignore[no-untyped-call]

REQUESTS = Counter("tailroom_http_requests", "Requests answered.", ("method", "route", "status"))
REQUEST_SECONDS = Histogram(
    "tailroom_http_request_duration_seconds",
    "From the request to the end of its answer; live streams count in tailroom_live_streams.",
    ("method", "route"),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0),
)
REQUESTS_UNDER_WAY = Gauge(
    "tailroom_http_requests_under_way", "Requests that are being answered.", multiprocess_mode="livesum"
)
INTERVALS_STORED = Counter("tailroom_ingest_intervals_stored", "Intervals stored for the first time.")
INTERVALS_REPEATED = Counter("tailroom_ingest_intervals_repeated", "Intervals that had been stored before.")
LIVE_STREAMS = Gauge("tailroom_live_streams", "Live streams that are open.", multiprocess_mode="livesum")
PROCESSES = Gauge("tailroom_api_processes", "Processes behind the port.", multiprocess_mode="livesum")
THREADS = Gauge(
    "tailroom_threads",
    "Threads of all processes behind the port, by kind of work.",
    ("kind", "state"),
    multiprocess_mode="livesum",
)
CONNECTIONS = Gauge(
    "tailroom_database_connections",
    "Connections of all processes behind the port.",
    ("state",),
    multiprocess_mode="livesum",
)


def begin(number: int) -> None:
    """Let this forked process count in the files of its number, as one process behind the port."""
    global _number  # noqa: PLW0603 - there is one process
    _number = str(number)
    PROCESSES.set(1)


def end(number: int) -> None:
    """Remove the live gauges of an ended process; its counters stay."""
    mark_process_dead(number)  # type: ignore[no-untyped-call]


def counted(processes: ProcessFigures) -> bytes:
    """Return all metrics of the processes behind the port, in the text format of Prometheus.

    `processes`: collector of processor time and memory of several processes; unused if there is one.
    """
    if not ARE_SEVERAL:
        PROCESSES.set(1)
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    registry.register(processes)
    return generate_latest(registry)


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_PAGES = "pages"
_STREAM = b"text/event-stream"


class RequestMetrics:
    """ASGI middleware that counts and times requests; live streams are counted, but not timed."""

    under_way: ClassVar[int] = 0
    """Number of requests that this process is answering."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward a request and record it, with status 500 if it fails before an answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, is_stream = 500, False

        async def watched_send(message: Message) -> None:
            nonlocal status, is_stream
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = dict(message.get("headers", ()))
                is_stream = headers.get(b"content-type", b"").startswith(_STREAM)
                if is_stream:
                    LIVE_STREAMS.inc()
            await send(message)

        begun = perf_counter()
        try:
            RequestMetrics.under_way += 1
            await self._app(scope, receive, watched_send)
        finally:
            RequestMetrics.under_way -= 1
            # The router records the route; requests without one are for files of the pages.
            route = getattr(scope.get("route"), "path", _PAGES)
            method = scope["method"] if scope["method"] in _METHODS else "other"
            REQUESTS.labels(method, route, status).inc()
            if is_stream:
                LIVE_STREAMS.dec()
            else:
                REQUEST_SECONDS.labels(method, route).observe(perf_counter() - begun)
