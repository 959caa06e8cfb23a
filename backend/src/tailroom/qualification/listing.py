"""The suites of an organisation, page by page."""

from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.kit.pagination import TimeCursor
from tailroom.qualification import repository
from tailroom.qualification.schemas import SuiteListOut, SuiteSummaryOut
from tailroom.qualification.suite import suite_title
from tailroom.runs.service import read_cursor


def list_suites(session: Session, organisation_id: UUID, cursor_text: str | None, limit: int) -> SuiteListOut:
    """Return one page of at most `limit` of the organisation's own suites, the newest first. `cursor_text`
    comes from the page before, None for the first. Raise CursorUnreadable if it is malformed.
    """
    cursor = None if cursor_text is None else read_cursor(cursor_text)
    page = repository.page_of_suites(session, organisation_id, cursor, limit + 1)
    shown = page[:limit]
    runs = repository.newest_runs(session, organisation_id, [suite.suite_id for suite in shown])
    newest = {UUID(run.plan["qualify"]["id"]): run for run in runs}
    suites = []
    for suite in shown:
        run = newest[suite.suite_id]
        # A plan may lack a part; the list must not fail.
        stated = run.plan["qualify"]
        device, steps = str(stated.get("device", "not stated")), stated.get("steps")
        suites.append(
            SuiteSummaryOut(
                suite_id=suite.suite_id,
                title=suite_title(run.host, device),
                device=device,
                began_at=suite.began_at,
                last_run_at=run.started_at,
                runs=suite.runs,
                steps=[str(step) for step in steps] if isinstance(steps, list) else [],
                last_step=str(stated.get("step", "not stated")),
            )
        )
    last = shown[-1] if len(page) > limit else None
    return SuiteListOut(
        suites=suites,
        next_cursor=None if last is None else TimeCursor(last.began_at, last.suite_id).encode(),
    )
