"""The tasks: work through the due work of a lane, and housekeeping."""

from datetime import timedelta

import structlog
from celery import shared_task

from tailroom.judging.renewal import make_stale_due
from tailroom.kit.clock import utc_now
from tailroom.kit.made_documents import open_made_documents
from tailroom.kit.task_queue import HOUSEKEEP, WORK
from tailroom.kit.transactions import transactions_of
from tailroom.operations.retention import expire
from tailroom.ratings.editions import make_due_edition
from tailroom.ratings.sources.refresh import make_unrated_due
from tailroom.storage.partitions import create_partitions
from tailroom.work.claims import forget_services
from tailroom_workers.resources import get_resources

WITHIN_S = 10.0
"""Seconds after which the process is free for other lanes, and a new task continues."""
_TURNS_COUNT = timedelta(days=1)
"""Time for which an organisation that was served has a process reserved."""
_log = structlog.get_logger(__name__)


@shared_task(name=WORK)  # type: ignore[untyped-decorator]  # Celery has no types
def work(lane: str) -> None:
    """Do the due work of a lane for up to `WITHIN_S`.

    If there is any, wake another process of the lane first, and again if work may be left.
    """
    resources = get_resources()
    notifier = resources.notifier
    if resources.executor.work_through(lane, WITHIN_S, on_first=lambda: notifier.hint(lane)):
        notifier.hint(lane, at_once=True)


@shared_task(name=HOUSEKEEP)  # type: ignore[untyped-decorator]  # Celery has no types
def housekeep() -> None:
    """Each hour, create partitions, remove expired data, make lost or stale work due, make a due edition."""
    resources = get_resources()
    settings, now = resources.settings, utc_now()
    transactions = transactions_of(resources.database, None)
    create_partitions(resources.database.engine, now, settings.partition_days_ahead)
    gone = expire(resources.database.engine, transactions, settings, now)
    if gone.partitions or gone.runs or gone.files:
        _log.info("expired", partitions=gone.partitions, runs=gone.runs, files=gone.files)
    open_made_documents(settings.raw_files, settings.home).expire(now)
    with transactions() as session:
        forget_services(session, now - _TURNS_COUNT)
        make_stale_due(session, now)
        make_unrated_due(session, now)
    if (edition := make_due_edition(transactions, now)) is not None:
        _log.info("edition made", name=edition)
