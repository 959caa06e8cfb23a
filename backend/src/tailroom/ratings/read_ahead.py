"""Reads boards before anybody waits for them: when a process starts, and when tests have changed.

A thread of the process reads the board of everybody and those that were asked for lately, and answers the
question that the page opens with. As long as somebody asks, it looks every `LOOK_EVERY_S` whether tests have
changed; a machine at which nobody looks is left alone, since it may be measuring. Reading that fails is
logged and leaves nothing behind: the next request reads for itself.
"""

import gc
import time
from threading import Event, Thread
from uuid import UUID

import psycopg
import structlog
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from tailroom.kit.db import Database
from tailroom.ratings import service
from tailroom.ratings.service import KeptRatings
from tailroom.storage.organisation import LOCAL_ORGANISATION, OPERATOR, Organisation

LOOK_EVERY_S = 2.0
ASKED_LATELY_S = 600.0
_END_WITHIN_S = 1.0

log = structlog.get_logger()


class Warming:
    """The thread that reads ahead. Begins with `start`, ends with `close`."""

    def __init__(self, database: Database, kept: KeptRatings) -> None:
        self._database = database
        self._kept = kept
        self._ending = Event()
        self._thread = Thread(target=self._run, name="ratings-warming", daemon=True)
        self._failed = False

    def start(self) -> None:
        """Begins; nobody waits for it."""
        self._thread.start()

    def close(self) -> None:
        """Ends after what is being read, or leaves it behind."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(_END_WITHIN_S)

    def _run(self) -> None:
        self.read()
        while not self._ending.wait(LOOK_EVERY_S):
            if self._failed or self._kept.boards.was_asked_within(ASKED_LATELY_S):
                self.read()

    def read(self) -> bool:
        """Every board that is kept, and everybody's, as tests are now; whether that was possible."""
        try:
            for organisation_id in self._organisations():
                if self._ending.is_set():
                    break
                self._read(organisation_id)
        except (SQLAlchemyError, psycopg.Error, OSError) as error:
            if not self._failed and not self._ending.is_set():
                log.warning("ratings_not_read_ahead", error=str(error).partition("\n")[0])
            self._failed = True
            return False
        self._failed = False
        return True

    def _organisations(self) -> list[UUID | None]:
        """Who asked lately; at first everybody, and the owner of what this machine measures for itself."""
        kept = self._kept.boards.organisations()
        if kept:
            return kept
        with self._database.transaction() as session:
            local = session.scalar(
                select(Organisation.id).where(
                    Organisation.name == LOCAL_ORGANISATION, Organisation.made_by == OPERATOR
                )
            )
        return [None] if local is None else [None, local]

    def _read(self, organisation_id: UUID | None) -> None:
        began = time.perf_counter()
        board, is_new = self._kept.boards.read_ahead(self._database.transaction, organisation_id)
        if is_new:
            service.prepare(self._database.transaction, self._kept, board)
            # The collector has to go through the new board once: here, and not in the next request.
            gc.collect()
            log.debug("ratings_read", tests=len(board.tests), seconds=round(time.perf_counter() - began, 3))
