"""Task that works through a lane of due work."""

from celery import shared_task

from tailroom.kit.task_queue import WORK
from tailroom_workers.resources import get_resources

WITHIN_S = 10.0
"""Seconds after which the process is free for other lanes, and a new task continues."""


@shared_task(name=WORK)  # type: ignore[untyped-decorator]  # Celery has no types
def work(lane: str) -> None:
    """Do the due work of a lane for up to `WITHIN_S`.

    If there is any, wake another process of the lane first, and again if work may be left.
    """
    resources = get_resources()
    notifier = resources.notifier
    if resources.executor.work_through(lane, WITHIN_S, on_first=lambda: notifier.hint(lane)):
        notifier.hint(lane, at_once=True)
