"""`GET /metrics` for Prometheus: counters of the processes behind the port, figures of the installation."""

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.domain.method import METHOD_VERSION
from tailroom.kit.clock import utc_now
from tailroom.kit.metrics import CONNECTIONS, REQUESTS_UNDER_WAY, THREADS, RequestMetrics, counted
from tailroom.kit.resources import Resources, resources_of
from tailroom.kit.threads import ThreadPool
from tailroom.operations.figures import LANE_STATES, InstallationFigures, figures

_ANSWERS: dict[int | str, dict[str, Any]] = {200: {"content": {"text/plain": {}}}}
router = APIRouter(tags=["operations"], route_class=GuardedRoute)


@router.get(
    "/metrics",
    summary="Figures of the processes behind the port and of the installation, for Prometheus",
    response_class=Response,
    responses=_ANSWERS,
)
@needs(Capability.OPERATE, "live")
def metrics(request: Request, caller: CallerDep) -> Response:
    """Return metrics in the text format of Prometheus.

    The caller needs the operator's token, or no token on the machine itself.
    """
    threads: dict[str, ThreadPool] = request.app.state.threads
    with caller.database.transaction() as session:
        current = figures(session, utc_now())
    note_moment(resources_of(request), threads.values())
    of_moment = generate_latest(_installation_registry(current))
    return Response(counted(request.app.state.port.figures) + of_moment, media_type=CONTENT_TYPE_LATEST)


def note_moment(resources: Resources, threads: Iterable[ThreadPool]) -> None:
    """Set this process's gauges of threads, requests and connections, of which a scrape returns the sums."""
    for thread in threads:
        THREADS.labels(thread.name, "places").set(thread.size)
        THREADS.labels(thread.name, "busy").set(thread.busy)
        THREADS.labels(thread.name, "waiting").set(thread.waiting)
    REQUESTS_UNDER_WAY.set(RequestMetrics.under_way)
    pool = resources.database.engine.pool
    CONNECTIONS.labels("in_use").set(pool.checkedout())  # type: ignore[attr-defined]
    CONNECTIONS.labels("idle").set(pool.checkedin())  # type: ignore[attr-defined]


def _installation_registry(figures: InstallationFigures) -> CollectorRegistry:
    registry = CollectorRegistry()

    def gauge(name: str, text: str, *labels: str) -> Gauge:
        return Gauge(f"tailroom_{name}", text, labels, registry=registry)

    build = gauge("build_info", "Versions; always 1.", "version", "method_version")
    build.labels(version("tailroom"), METHOD_VERSION).set(1)
    work = gauge("work", "Work of the installation by lane and state.", "lane", "state")
    oldest = gauge("work_oldest_due_seconds", "How long the oldest due work has waited.", "lane")
    for lane in figures.lanes:
        for state in LANE_STATES:
            work.labels(lane.lane, state).set(getattr(lane, state))
        oldest.labels(lane.lane).set(lane.oldest_due_s)
    size = gauge("table_size_bytes", "A table with its indexes and partitions.", "table")
    rows = gauge("table_rows_estimate", "Its rows, as PostgreSQL estimates them.", "table")
    for table in figures.tables:
        size.labels(table.name).set(table.size_bytes)
        rows.labels(table.name).set(table.estimated_rows)
    gauge("database_size_bytes", "The whole database.").set(figures.database_bytes)
    gauge("raw_files_size_bytes", "Uploaded files, by organisation.").set(figures.raw_file_bytes)
    gauge("raw_files", "Uploaded files.").set(figures.raw_files)
    gauge("partition_days_ahead", "Daily partitions that stand ready.").set(figures.partition_days_ahead)
    gauge("oldest_transaction_seconds", "Age of the oldest open transaction.").set(
        figures.oldest_transaction_s
    )
    last_backup = gauge("last_backup_timestamp_seconds", "When the last backup was made; 0 where none was.")
    last_backup.set(0 if figures.last_backup_at is None else figures.last_backup_at.timestamp())
    return registry
