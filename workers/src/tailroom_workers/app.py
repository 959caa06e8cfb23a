"""The Celery application: its broker, how tasks run, and its behaviour while Valkey is unavailable.

A message only wakes a worker for a lane (a kind of due work with its own queue); the database has the work.
So messages are acknowledged early, Celery repeats none, and a lost broker loses nothing. Beat sends tasks by
name: only a worker imports their code.
"""

import logging
from importlib import import_module

from celery import Celery
from celery.signals import after_setup_logger, worker_init

from tailroom.kit.lanes import HOUSEKEEPING, JUDGING, LANES, RENEWAL, UPLOADS
from tailroom.kit.logging import configure_logging
from tailroom.kit.memory import gc_paused
from tailroom.kit.settings import get_settings
from tailroom.kit.task_queue import HOUSEKEEP, WORK, broker_options, broker_url

LOOK_EVERY_S = {JUDGING: 1.0, UPLOADS: 1.0, RENEWAL: 2.0, HOUSEKEEPING: 5.0}
"""Seconds between the wake-up messages of each lane."""
HOUSEKEEP_EVERY_S = 3600.0
"""Seconds between two runs of housekeeping."""
_TASK_SECONDS = 600
"""Seconds after which Celery interrupts a task; half a minute later it ends its process."""

app = Celery("tailroom_workers")
app.conf.update(
    broker_url=broker_url(get_settings().redis_url),
    broker_connection_retry=True,
    broker_connection_retry_on_startup=True,
    broker_connection_max_retries=None,
    broker_transport_options={
        **broker_options(get_settings().redis_url),
        "visibility_timeout": 2 * _TASK_SECONDS,
        "socket_connect_timeout": 2.0,
        "socket_keepalive": True,
        "health_check_interval": 10,
        "retry_on_timeout": True,
    },
    broker_connection_timeout=2.0,
    task_ignore_result=True,
    task_store_errors_even_if_ignored=False,
    task_queues={lane: {"exchange": lane, "routing_key": lane} for lane in LANES},
    task_default_queue=HOUSEKEEPING,
    task_time_limit=_TASK_SECONDS + 30,
    task_soft_time_limit=_TASK_SECONDS,
    worker_prefetch_multiplier=1,
    worker_cancel_long_running_tasks_on_connection_loss=False,
    worker_send_task_events=False,
    worker_hijack_root_logger=False,
    worker_max_tasks_per_child=10_000,
    timezone="UTC",
    beat_scheduler="tailroom_workers.beat:LeasedScheduler",
    beat_max_loop_interval=1.0,
    beat_schedule={
        # An expired message is worthless: the next message leads to the same work.
        **{
            lane: {
                "task": WORK,
                "args": [lane],
                "schedule": every_s,
                "options": {"queue": lane, "expires": 2 * every_s},
            }
            for lane, every_s in LOOK_EVERY_S.items()
        },
        "housekeep": {
            "task": HOUSEKEEP,
            "schedule": HOUSEKEEP_EVERY_S,
            "options": {"queue": HOUSEKEEPING, "expires": HOUSEKEEP_EVERY_S},
        },
    },
)


@after_setup_logger.connect  # type: ignore[untyped-decorator]  # Celery has no types
def _log_less(loglevel: int | None = None, **_signal: object) -> None:
    """Configure logging, without routine messages of Celery about tasks unless the level is below INFO."""
    configure_logging()
    if loglevel is None or loglevel >= logging.INFO:
        for name in ("celery.app.trace", "celery.worker.strategy", "celery.beat"):
            logging.getLogger(name).setLevel(logging.WARNING)


@worker_init.connect  # type: ignore[untyped-decorator]  # Celery has no types
def _import_handlers(**_signal: object) -> None:
    """Import the handlers once, before the processes that share them are forked."""
    with gc_paused():
        import_module("tailroom_workers.tasks")
