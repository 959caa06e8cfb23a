"""What every task shares: one task is one transaction, and others hear of it only after the commit."""

from typing import Any

import structlog
from celery import Task
from psycopg import errors as postgres_errors
from sqlalchemy.exc import DBAPIError
from structlog.contextvars import bound_contextvars

from tailroom_workers.resources import get_resources

_log = structlog.get_logger(__name__)


class TransactionalTask(Task):  # type: ignore[misc]  # Celery has no types
    """Opens the transaction and hands its session to the task's function as first argument.

    What the function gives to `after_commit` runs once the transaction is committed. A task that fails is
    rolled back, logged and left: the next sweep finds the same work again.
    """

    abstract = True
    typing = False

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Runs the function inside its transaction."""
        with bound_contextvars(task=self.name, task_id=self.request.id, arguments=list(args)):
            try:
                with get_resources().database.transaction() as session:
                    self.run(session, *args, **kwargs)
            except DBAPIError as error:
                if not _is_passing(error):
                    raise
                _log.warning("task_left_for_the_sweep", error=str(error.orig))


def _is_passing(error: DBAPIError) -> bool:
    """Whether the database was away or somebody else was in the way: nothing is wrong with the task."""
    passing = (
        postgres_errors.OperationalError,
        postgres_errors.InterfaceError,
        postgres_errors.LockNotAvailable,
        postgres_errors.DeadlockDetected,
    )
    return isinstance(error.orig, passing)
