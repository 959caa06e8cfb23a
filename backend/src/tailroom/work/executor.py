"""Execution of claimed work: no connection is held, and the result is always recorded.

The work of a handler that raises is retried after a pause until it is given up. A taken lock is no failure.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from threading import Event, Thread

import structlog
from psycopg import errors as postgres_errors
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from structlog.contextvars import bound_contextvars

from tailroom.kit import tracing
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.transactions import ChangedMeanwhile, Transactions, transactions_of
from tailroom.work import claims
from tailroom.work.claims import WorkClaim
from tailroom.work.kinds import EXTEND_EVERY_S, KINDS

Handler = Callable[[WorkClaim, Transactions], datetime | None]
"""Does the work in transactions of its organisation; returns when it is due again, None if never."""

_LOCKED_PAUSE = timedelta(milliseconds=500)
_log = structlog.get_logger(__name__)


class Executor:
    """Executes due work in one process."""

    def __init__(
        self, database: Database, handlers: Mapping[str, Handler], processes: Mapping[str, int]
    ) -> None:
        """Create an executor; `handlers` by kind of work, `processes`: number of processes by lane."""
        self._database = database
        self._handlers = handlers
        self._processes = processes
        self._transactions = transactions_of(database, None)

    def work_through(self, lane: str, within_s: float, on_first: Callable[[], object] | None = None) -> bool:
        """Do the due work of a lane in order, for up to `within_s` seconds; work that has begun is completed.

        Return True if the time was up first, False if no work was left to claim. `on_first` is called before
        the first work.
        """
        until_s = time.monotonic() + within_s
        while time.monotonic() < until_s:
            with self._transactions() as session:
                claim = claims.claim_next(session, lane, utc_now(), self._processes.get(lane, 1))
            if claim is None:
                return False
            if on_first is not None:
                on_first()
                on_first = None
            self.do(claim)
        return True

    def do(self, claim: WorkClaim) -> None:
        """Do claimed work and record its outcome: finished, failed, or released to be tried again.

        Work is released if another process changed its data meanwhile, or the database failed temporarily.
        """
        context = {"work": claim.kind, "subject": str(claim.subject), "attempt": claim.attempts}
        if KINDS[claim.kind].subject_is_run:
            context["run_id"] = str(claim.subject)
        with bound_contextvars(**context):
            try:
                with _span_of(claim), extended(self._transactions, claim):
                    again_at = self._handlers[claim.kind](
                        claim, transactions_of(self._database, claim.organisation_id)
                    )
            except ChangedMeanwhile as reason:
                _log.debug("work_in_the_way", reason=str(reason))
                self._release(claim)
            except DBAPIError as error:
                if not _is_temporary(error):
                    self._fail(claim, error)
                    return
                _log.warning("work_put_off", error=str(error.orig).partition("\n")[0])
                self._release(claim)
            except Exception as error:  # noqa: BLE001 - any failure is recorded, and other work continues
                self._fail(claim, error)
            else:
                with self._transactions() as session:
                    claims.finish(session, claim, utc_now(), again_at)

    def _release(self, claim: WorkClaim) -> None:
        with self._transactions() as session:
            claims.release(session, claim, utc_now() + _LOCKED_PAUSE)

    def _fail(self, claim: WorkClaim, error: Exception) -> None:
        described = f"{type(error).__name__}: {error}"
        with self._transactions() as session:
            is_given_up = claims.fail(session, claim, described, utc_now())
        _log.error("work_given_up" if is_given_up else "work_failed", exc_info=error)


def _span_of(claim: WorkClaim) -> AbstractContextManager[None]:
    parent = tracing.run_parent(claim.subject) if KINDS[claim.kind].subject_is_run else None
    subject = str(claim.subject)
    return tracing.span(f"work {claim.kind}", parent, subject=subject, attempt=claim.attempts)


@contextmanager
def extended(transactions: Transactions, claim: WorkClaim) -> Iterator[None]:
    """Extend a claim every `EXTEND_EVERY_S` in a thread, until the context ends or the claim is lost."""
    ended = Event()

    def extend() -> None:
        while not ended.wait(EXTEND_EVERY_S):
            try:
                with transactions() as session:
                    if not claims.extend(session, claim, utc_now()):
                        return
            except SQLAlchemyError as error:
                _log.warning("claim_not_extended", error=str(error).partition("\n")[0])

    thread = Thread(target=extend, name="claim", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()


def _is_temporary(error: DBAPIError) -> bool:
    """Return whether the error is temporary; a query cancelled, such as by a time limit, is not."""
    if isinstance(error.orig, postgres_errors.QueryCanceled):
        return False
    temporary = (
        postgres_errors.OperationalError,
        postgres_errors.InterfaceError,
        postgres_errors.LockNotAvailable,
        postgres_errors.DeadlockDetected,
    )
    return isinstance(error.orig, temporary)
