"""Open connections and execute the common statements before a process reports that it serves.

The first use of a connection loads the tables of PostgreSQL, and the first execution compiles a statement;
both take longer than any answer. As many connections are opened as there are threads for pages, curves and
leaderboards.
"""

from contextlib import ExitStack
from uuid import UUID

import psycopg
import structlog
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from tailroom.access.caller import NO_ORGANISATION
from tailroom.analysis.pictures import PICTURES, stored_picture
from tailroom.judging.findings import stored_findings
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.runs import repository
from tailroom.runs.repository import RunFilter
from tailroom.runs.verdicts import cached_summaries, shown_verdicts
from tailroom.work import failures

_NO_RUN = UUID(int=0)
_log = structlog.get_logger(__name__)


def warm_up(database: Database, settings: Settings) -> None:
    """Open connections and execute the common statements; log a warning if the database cannot be used."""
    connections = settings.page_threads + settings.analysis_threads + settings.rating_threads
    try:
        with ExitStack() as opened:
            for _ in range(connections):
                _query(opened.enter_context(database.transaction(NO_ORGANISATION)))
    except (SQLAlchemyError, psycopg.Error) as error:
        _log.warning("not_warmed_up", error=str(error).partition("\n")[0])


def _query(session: Session) -> None:
    """Execute the statements of common pages, for an organisation and a run that do not exist."""
    everything = RunFilter(scope="all")
    repository.page_of_runs(session, NO_ORGANISATION, everything, None, 1)
    repository.count_runs(session, NO_ORGANISATION, everything, 1)
    repository.find_run(session, NO_ORGANISATION, _NO_RUN)
    repository.list_series(session, _NO_RUN)
    shown_verdicts(session, [_NO_RUN], reader_id=NO_ORGANISATION)
    cached_summaries(session, [_NO_RUN], NO_ORGANISATION)
    failures.by_subject(session, [_NO_RUN])
    stored_findings(session, _NO_RUN)
    for picture in PICTURES:
        stored_picture(session, NO_ORGANISATION, _NO_RUN, picture)
