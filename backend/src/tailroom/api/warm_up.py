"""What a process does before it says that it serves: it opens the connections that readers use at once, and
asks on each of them what every page asks, in the name of nobody.

A first connection to PostgreSQL learns its tables, and a first statement is put together, which takes longer
than answering it ever will: a thousand readers who come at once would wait for both. Only as many connections
are opened as threads for pages; all the others come with those who need them.
"""

from contextlib import ExitStack
from uuid import UUID

import psycopg
import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from tailroom.access.authenticator import NOBODY
from tailroom.analysis.pictures import PICTURES, stored_picture
from tailroom.judging.findings import stored_findings
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.runs import repository
from tailroom.runs.repository import RunFilter
from tailroom.runs.verdicts import listed_verdicts, shown_verdicts
from tailroom.work import failures

_NO_RUN = UUID(int=0)
_log = structlog.get_logger(__name__)


def warm_up(database: Database, settings: Settings) -> None:
    """Opens and asks. A database that is away or not migrated yet is no reason not to start."""
    connections = settings.page_threads + settings.analysis_threads + settings.rating_threads
    try:
        with ExitStack() as opened:
            for _ in range(connections):
                _ask(opened.enter_context(database.transaction(NOBODY)))
    except (SQLAlchemyError, psycopg.Error) as error:
        _log.warning("not_warmed_up", error=str(error).partition("\n")[0])


def _ask(session: Session) -> None:
    everything = RunFilter(scope="all")
    repository.page_of_runs(session, NOBODY, everything, None, 1)
    repository.count_runs(session, NOBODY, everything, 1)
    repository.find_run(session, NOBODY, _NO_RUN)
    repository.list_series(session, _NO_RUN)
    shown_verdicts(session, [_NO_RUN], to=NOBODY)
    listed_verdicts(session, [_NO_RUN], NOBODY)
    failures.of_subjects(session, [_NO_RUN])
    stored_findings(session, _NO_RUN)
    for picture in PICTURES:
        stored_picture(session, NOBODY, _NO_RUN, picture)
