"""Traces: all work on a run is one trace, whose id is the run's.

Off unless `TAILROOM_OTLP_URL` names a collector of OpenTelemetry; then the extra `tailroom[tracing]` must be
installed. Spans have kinds, ids and counts, and nothing that was measured or written by people. They are sent
by a thread of their own and lost if the collector is unavailable.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

TRACEPARENT = "traceparent"
_SHAPE = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}")
_EXPORT_S = 10
_provider: "TracerProvider | None" = None


class TracingNotInstalled(RuntimeError):
    """A collector is configured, but the exporter is not installed."""


class TraceParent(NamedTuple):
    """Ids of a trace (128 bits) and of a span (64 bits), which becomes the parent of new spans."""

    trace_id: int
    span_id: int


def run_parent(run_id: UUID) -> TraceParent:
    """Return the parent of all spans of a run: the run's id as trace id, its low 64 bits (or 1) as span id.

    The agent sends the same in `traceparent` (`agent/crates/agent/src/transport.rs`).
    """
    return TraceParent(run_id.int, run_id.int & (2**64 - 1) or 1)


def from_header(text: str | None) -> TraceParent | None:
    """Return the parent in a `traceparent` header (W3C Trace Context); None if it is missing or not valid."""
    match = None if text is None else _SHAPE.fullmatch(text.strip())
    if match is None:
        return None
    parent = TraceParent(int(match[1], 16), int(match[2], 16))
    return parent if parent.trace_id and parent.span_id else None


def begin(otlp_url: str | None, service: str) -> None:
    """Export spans of this process to the collector at `otlp_url` from now on; None: change nothing.

    `service`: name of the process. An earlier export is ended. Raise TracingNotInstalled without the extra.
    """
    global _provider  # noqa: PLW0603 - one for each process
    if otlp_url is None:
        return
    end()
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415 - an extra
            OTLPSpanExporter,
        )
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError:
        raise TracingNotInstalled(
            "TAILROOM_OTLP_URL is set, and OpenTelemetry is not installed: pip install 'tailroom[tracing]'."
        ) from None
    _provider = TracerProvider(resource=Resource.create({"service.name": service}))
    exporter = OTLPSpanExporter(f"{otlp_url.rstrip('/')}/v1/traces", timeout=_EXPORT_S)
    _provider.add_span_processor(BatchSpanProcessor(exporter))


def end() -> None:
    """Export the remaining spans and stop tracing; do nothing if tracing is off."""
    global _provider  # noqa: PLW0603 - one for each process
    if _provider is not None:
        _provider.shutdown()
    _provider = None


@contextmanager
def span(
    name: str, below: TraceParent | None = None, *, beside: TraceParent | None = None, **attributes: str | int
) -> Iterator[None]:
    """Record a span during the context; do nothing if tracing is off.

    Its parent is `below`, or the current span if that is None. A link to `beside` is added unless `below` is
    in the same trace. `attributes`: ids and counts. An error marks the span with its class name and is raised
    again.
    """
    if _provider is None:
        yield
        return
    from opentelemetry import trace  # noqa: PLC0415 - an extra

    def span_context(trace_parent: TraceParent) -> trace.SpanContext:
        sampled = trace.TraceFlags(trace.TraceFlags.SAMPLED)
        return trace.SpanContext(
            trace_parent.trace_id, trace_parent.span_id, is_remote=True, trace_flags=sampled
        )

    parent = None if below is None else trace.set_span_in_context(trace.NonRecordingSpan(span_context(below)))
    is_elsewhere = beside is not None and (below is None or beside.trace_id != below.trace_id)
    links = [trace.Link(span_context(beside))] if beside is not None and is_elsewhere else []
    named_attributes = {f"tailroom.{key}": value for key, value in attributes.items()}
    tracer = _provider.get_tracer("tailroom")
    with tracer.start_as_current_span(
        name,
        parent,
        attributes=named_attributes,
        links=links,
        record_exception=False,
        set_status_on_exception=False,
    ) as current:
        try:
            yield
        except Exception as error:
            # By its kind alone: its text may hold what was sent.
            current.set_status(trace.Status(trace.StatusCode.ERROR, type(error).__name__))
            raise
