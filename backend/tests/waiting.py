"""How tests wait: for a condition and never for a time, so that a busy machine makes them slow, not red."""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

import psutil
from sqlalchemy import text

from tailroom.kit.db import Database

Found = TypeVar("Found")
PATIENCE_S = 300.0
"""Longer than anything takes that comes at all: at a load of 35 an API needed more than two minutes."""


def until(
    holds: Callable[[], Found],
    within_s: float = PATIENCE_S,
    every_s: float = 0.05,
    told: Callable[[], object] = lambda: "it did not come true",
) -> Found:
    """What it finds, as soon as it finds something; `told` says what there was instead."""
    deadline = time.monotonic() + within_s
    while not (found := holds()):
        assert time.monotonic() < deadline, f"not within {within_s:.0f} s: {told()}"
        time.sleep(every_s)
    return found


async def until_async(holds: Callable[[], object]) -> None:
    """Return as soon as the condition holds, and leave the event loop to others until then."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"not within {PATIENCE_S:.0f} s"
        await asyncio.sleep(0.005)


def is_gone(pid: int) -> bool:
    """Whether no such process runs; one that waits to be collected by its parent does not run."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def waits_for_a_lock(database: Database) -> bool:
    """Whether somebody waits for a lock in it, of a cluster on any node; what one transaction sees of others
    stays as it was.
    """
    with database.transaction() as session:
        everywhere = session.scalar(text("SELECT to_regclass('citus_stat_activity')"))
        waiting = text(
            f"SELECT count(*) FROM {everywhere or 'pg_stat_activity'}"  # noqa: S608 - one of two names
            " WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return bool(session.scalar(waiting))
