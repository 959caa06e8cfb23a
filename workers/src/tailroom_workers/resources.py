"""Resources that the tasks of one worker process share: a database pool and a connection to Valkey."""

from dataclasses import dataclass
from functools import lru_cache

from celery.signals import worker_process_init, worker_process_shutdown

from tailroom.kit import tracing
from tailroom.kit.db import Database, TimeLimits
from tailroom.kit.lanes import BACKGROUND, JUDGING
from tailroom.kit.notifier import Notifier
from tailroom.kit.raw_files import open_raw_files
from tailroom.kit.settings import Settings, get_settings
from tailroom.kit.transactions import transactions_of
from tailroom.work.executor import Executor
from tailroom_workers.handlers import handlers

_POOL_SIZE = 2
"""Connections of a process: one for the work, one to extend its claim."""
_LIMITS = TimeLimits(lock_s=2.0, statement_s=120.0, idle_in_transaction_s=60.0)
"""Time limits of statements, long for large uploads; waits for locks are short, since work is retried."""


@dataclass(frozen=True, slots=True)
class WorkerResources:
    """Resources that the tasks of a process share; the first task creates them."""

    settings: Settings
    database: Database
    notifier: Notifier
    executor: Executor


@lru_cache(maxsize=1)
def get_resources() -> WorkerResources:
    """Return the resources of this process; the first call creates them."""
    settings = get_settings()
    notifier = Notifier(settings.redis_url)
    database = Database(
        settings.database_url,
        pool_size=_POOL_SIZE,
        limits=_LIMITS,
        hint=notifier.hint,
        secured=settings.row_level_security,
    )
    raw_files = open_raw_files(settings.raw_files, settings.home)
    processes = {
        JUDGING: settings.judging_processes,
        **dict.fromkeys(BACKGROUND, settings.background_processes),
    }
    executor = Executor(
        database, handlers(settings, notifier, raw_files, transactions_of(database, None)), processes
    )
    return WorkerResources(settings, database, notifier, executor)


@worker_process_init.connect  # type: ignore[untyped-decorator]  # Celery has no types
def begin(**_signal: object) -> None:
    """Drop the connections of the parent process, because a fork must not share them, and begin tracing."""
    if get_resources.cache_info().currsize:
        get_resources().database.engine.dispose(close=False)
    get_resources.cache_clear()
    tracing.begin(get_settings().otlp_url, "tailroom-worker")


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]  # Celery has no types
def close(**_signal: object) -> None:
    """Close the resources of this process, if any, and end tracing."""
    if get_resources.cache_info().currsize:
        get_resources().notifier.close()
        get_resources().database.dispose()
    get_resources.cache_clear()
    tracing.end()
