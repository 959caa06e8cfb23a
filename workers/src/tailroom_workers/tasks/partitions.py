"""Partitions of the interval table: tomorrow's are made ahead, those past retention are dropped."""

from sqlalchemy.orm import Session

from tailroom.kit.clock import utc_now
from tailroom.kit.task_queue import MAINTAIN_PARTITIONS
from tailroom.storage.partitions import create_partitions, drop_expired_partitions
from tailroom_workers.app import app
from tailroom_workers.base_task import TransactionalTask
from tailroom_workers.resources import get_resources


@app.task(base=TransactionalTask, name=MAINTAIN_PARTITIONS)  # type: ignore[untyped-decorator]  # Celery has no types
def maintain_partitions(session: Session) -> None:
    """Keeps the partitions in step with the days."""
    settings = get_resources().settings
    now = utc_now()
    create_partitions(session, now, settings.partition_days_ahead)
    drop_expired_partitions(session, now, settings.interval_retention_days)
