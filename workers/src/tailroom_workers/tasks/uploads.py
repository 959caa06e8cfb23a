"""Reading uploads that take longer than their senders wait."""

from uuid import UUID

import structlog
from structlog.contextvars import bound_contextvars

from tailroom.kit.task_queue import READ_UPLOAD
from tailroom.uploads.waiting import read_in_turn
from tailroom_workers.app import app
from tailroom_workers.resources import get_resources

_log = structlog.get_logger(__name__)


@app.task(name=READ_UPLOAD)  # type: ignore[untyped-decorator]  # Celery has no types
def read_upload(upload_id: str) -> None:
    """Reads one upload, in transactions of its own, and has its runs looked at."""
    resources = get_resources()
    identifier = UUID(upload_id)
    with bound_contextvars(task=READ_UPLOAD, upload_id=upload_id):
        news = read_in_turn(
            resources.database, resources.raw_files, identifier, resources.settings.upload_reading_s
        )
        if news is None:
            return
        _log.info("upload_read", runs=len(news.run_ids))
    for run_id in news.run_ids:
        resources.notifier.changed(run_id, ["state", "slices", "verdicts"], "finished")
        resources.notifier.look_at(run_id, at_once=True)
