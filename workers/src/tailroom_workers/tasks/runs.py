"""Looking at runs: one that somebody named, and whichever the sweep finds behind."""

from functools import partial
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from tailroom.analysis import service
from tailroom.kit.clock import utc_now
from tailroom.kit.db import after_commit
from tailroom.kit.task_queue import ROLLUP_RUN, SWEEP
from tailroom.ratings.refreshing import refresh_run, runs_to_rate
from tailroom.uploads.waiting import uploads_to_read
from tailroom_workers.app import app
from tailroom_workers.base_task import TransactionalTask
from tailroom_workers.resources import get_resources

_log = structlog.get_logger(__name__)


@app.task(base=TransactionalTask, name=ROLLUP_RUN)  # type: ignore[untyped-decorator]  # Celery has no types
def rollup_run(session: Session, run_id: str) -> None:
    """Rolls up what has arrived for a run, judges it when that is due, and tells whoever watches."""
    identifier = UUID(run_id)
    looked = service.look_at_run(session, identifier, utc_now())
    if looked is None:
        _log.warning("run_unknown")
        return
    refresh_run(session, identifier)
    if looked.changed:
        notifier = get_resources().notifier
        after_commit(session, lambda: notifier.changed(identifier, looked.changed, looked.run_state))


@app.task(base=TransactionalTask, name=SWEEP)  # type: ignore[untyped-decorator]  # Celery has no types
def sweep(session: Session) -> None:
    """Asks for every run whose slices or verdicts lag behind, and for every upload that nobody has read; this
    is what makes lost hints harmless.
    """
    notifier = get_resources().notifier
    for upload_id in uploads_to_read(session, utc_now()):
        after_commit(session, partial(notifier.read_upload, upload_id))
    behind = [*service.runs_to_look_at(session, utc_now()), *runs_to_rate(session)]
    for run_id in dict.fromkeys(behind):
        after_commit(session, partial(notifier.look_at, run_id))
