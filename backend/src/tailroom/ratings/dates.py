"""Dates of tests and publications, as printed."""

import re
from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.storage.catalogue import PublicationRow


def publication_dates(session: Session) -> dict[str, str | None]:
    """Return the dates of all publications by slug, as printed; a value is None if no date is printed."""
    return dict(session.execute(select(PublicationRow.slug, PublicationRow.date_as_printed)).all())


def latest_year(dates: Iterable[str | None]) -> int | None:
    """Return the latest year of dates as printed, such as `11/10/12`, `24 September 2019` or ISO 8601.

    None if no date states a year.
    """
    years = [_year(date) for date in dates if date]
    return max((year for year in years if year is not None), default=None)


def _year(date: str) -> int | None:
    """Return the year in a date as printed; None without a year.

    Two digits after the last slash mean 20xx.
    """
    match = re.search(r"\b(?:19|20)\d\d\b", date) or re.search(r"(?<=/)\d\d$", date)
    return None if match is None else int(match[0]) + (2000 if len(match[0]) == 2 else 0)
