"""Facts of drives from the catalogue that the leaderboard shows beside the tests.

If sources disagree, the least favourable figure is shown (fewest drive writes per day, most power), and of
prices the newest, as an interval; the drive's own page has all of them with their sources. A fact about a
capacity takes precedence over a fact about all capacities, and the organisation's own price list over the
catalogue.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import Row, any_, literal, or_, select
from sqlalchemy.orm import Session

from tailroom.catalogue import prices
from tailroom.catalogue.stated_prices import PRICE, Price, newest_price
from tailroom.ratings import repository
from tailroom.storage.catalogue import CatalogueFact, PublicationRow
from tailroom.storage.drive_test import DriveTest
from tailroom.storage.run import RETRACTED

Json = dict[str, Any]
Fact = Row[Any] | CatalogueFact
"""A fact of the catalogue or of a price list."""
SHOWN_FIELDS = ("interface", "form_factor", "endurance", "power", PRICE)
"""Fields of the catalogue that the leaderboard needs."""


@dataclass(frozen=True, slots=True)
class CatalogueDrive:
    """A drive with its facts by field. `item_id` is None if the catalogue does not have the drive."""

    slug: str
    vendor: str
    name: str
    item_id: UUID | None = None
    facts: dict[str, list[Fact]] = field(default_factory=dict)

    @property
    def names(self) -> Json:
        """Slug, vendor and name for the API."""
        return {"slug": self.slug, "vendor": self.vendor, "name": self.name}

    @property
    def interface(self) -> str | None:
        """Interfaces by all sources, each once, joined by ` / `; None if none is stated."""
        return " / ".join(self._texts("interface")) or None

    @property
    def form_factors(self) -> tuple[str, ...]:
        """Form factors by all sources, each once."""
        return self._texts("form_factor")

    def dwpd(self, capacity_bytes: int | None) -> float | None:
        """Return the fewest rated drive writes per day that a source states, or None (`_facts_about`)."""
        return min(self._numbers("endurance", capacity_bytes, "DWPD"), default=None)

    def power_w(self, capacity_bytes: int | None) -> float | None:
        """Return the highest rated power in W that a source states, or None (`_facts_about`)."""
        return max(self._numbers("power", capacity_bytes, "W"), default=None)

    def price(self, capacity_bytes: int | None) -> Price | None:
        """Return the newest price of this capacity, else the newest of all capacities, or None."""
        return newest_price(self._facts_about(PRICE, capacity_bytes))

    def _facts_about(self, name: str, capacity_bytes: int | None) -> list[Fact]:
        every = self.facts.get(name, [])
        own = [fact for fact in every if capacity_bytes is not None and fact.capacity_bytes == capacity_bytes]
        return own or [fact for fact in every if fact.capacity_bytes is None]

    def _numbers(self, name: str, capacity_bytes: int | None, unit: str) -> list[float]:
        """Return the numbers in this unit among the facts of `_facts_about`; other units are left out."""
        facts = self._facts_about(name, capacity_bytes)
        return [fact.value_number for fact in facts if fact.value_number is not None and fact.unit == unit]

    def _texts(self, name: str) -> tuple[str, ...]:
        texts = (fact.value_text for fact in self.facts.get(name, []))
        return tuple(dict.fromkeys(text for text in texts if text))


def capacity_text(capacity_bytes: int) -> str:
    """Return a capacity in TB, below 1 TB in GB, decimal as drives are sold: `3.2 TB`, `400 GB`."""
    terabytes = capacity_bytes / 1e12
    return f"{terabytes:g} TB" if terabytes >= 1.0 else f"{capacity_bytes / 1e9:g} GB"


def catalogue_drives(
    session: Session,
    organisation_id: UUID | None,
    fields: Sequence[str] = SHOWN_FIELDS,
    slugs: Collection[str] | None = None,
) -> dict[str, CatalogueDrive]:
    """Return the drives of the catalogue that an organisation (None: the public) sees, by slug, with their
    facts in `fields`. Entries of its own price list replace facts of the catalogue, whatever `fields` are.
    `slugs` of None mean all drives.
    """
    rows = repository.drives(session, organisation_id, slugs)
    drives = {row.item_id: CatalogueDrive(row.slug, row.vendor, row.name, row.item_id) for row in rows}
    for fact in repository.facts(session, fields, None if slugs is None else list(drives)):
        if fact.item_id in drives:
            drives[fact.item_id].facts.setdefault(fact.field, []).append(fact)
    by_slug = {drive.slug: drive for drive in drives.values()}
    for row in () if organisation_id is None else prices.rows_of(session, organisation_id):
        drive = by_slug.get(row.drive_slug)
        if drive is None or drive.item_id is None:
            continue
        for price in prices.facts_of_entry(row, drive.item_id):
            drive.facts[price.field] = prices.with_own_prices(drive.facts.get(price.field, []), [price])
    return by_slug


def publication_dates(session: Session) -> dict[str, str | None]:
    """Return the printed date of every publication by its slug, None if it prints no date."""
    return dict(session.execute(select(PublicationRow.slug, PublicationRow.date_as_printed)).all())


def latest_year(dates: Iterable[str | None]) -> int | None:
    """Return the latest year of printed dates, such as `11/10/12` or ISO 8601; None if none states a year."""
    years = [_year(date) for date in dates if date]
    return max((year for year in years if year is not None), default=None)


def _year(date: str) -> int | None:
    """Return the year of a printed date, or None. Two digits after the last slash mean 20xx."""
    match = re.search(r"\b(?:19|20)\d\d\b", date) or re.search(r"(?<=/)\d\d$", date)
    return None if match is None else int(match[0]) + (2000 if len(match[0]) == 2 else 0)


MOST = 100
"""Maximum number of withdrawn tests in the list; older ones keep their own pages."""


def withdrawn_tests(session: Session, drives: Mapping[str, CatalogueDrive]) -> list[Json]:
    """Return the withdrawn tests of these drives (by slug) for the API, without figures, at most `MOST`:
    runs, the latest withdrawn first, then rows of publications. A run is listed once for each drive and load.
    """
    is_marked = literal(RETRACTED) == any_(DriveTest.marks)
    query = select(DriveTest).where(or_(DriveTest.visibility == RETRACTED, is_marked))
    query = query.order_by(DriveTest.withdrawn_at.desc().nulls_last(), DriveTest.test_id)
    by_source: dict[tuple[UUID | str | None, float, str], Json] = {}
    for test in session.scalars(query):
        if test.drive_slug in drives:
            notes = dict(zip(test.marks, test.mark_notes, strict=False))
            # A run is listed once, however many clocks it was measured with.
            key = (test.run_id or test.test_id, test.load_multiple, test.drive_slug)
            by_source[key] = {
                "drive": drives[test.drive_slug].names,
                "capacity_bytes": test.capacity_bytes,
                "load": test.load_multiple,
                "run_id": test.run_id,
                "publication_slug": test.publication_slug,
                "withdrawn_at": test.withdrawn_at,
                "reason": test.withdrawal_reason if test.run_id else notes.get(RETRACTED),
            }
    return list(by_source.values())[:MOST]
