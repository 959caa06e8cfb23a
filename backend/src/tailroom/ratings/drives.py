"""What the leaderboard shows of a drive besides its tests, from the facts of the catalogue.

Where sources disagree the figure that promises least is shown (fewest drive writes, most power, highest
price); the drive's own page has all of them with their sources. A fact about one capacity counts before one
about all, and an organisation's own price list before the catalogue.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import Row
from sqlalchemy.orm import Session

from tailroom.catalogue import prices
from tailroom.ratings import repository
from tailroom.storage.catalogue import CatalogueFact

Fact = Row[Any] | CatalogueFact
"""Of the catalogue, or of a price list."""
SHOWN = ("interface", "form_factor", "endurance", "power", "price")


@dataclass(frozen=True, slots=True)
class Price:
    """What somebody asked for a drive, when, and where that stood."""

    value: float
    currency: str
    date: str | None
    source: str | None


@dataclass(frozen=True, slots=True)
class KnownDrive:
    """A drive of the catalogue with its facts by field."""

    slug: str
    vendor: str
    name: str
    item_id: UUID | None = None
    facts: dict[str, list[Fact]] = field(default_factory=dict)

    @property
    def interface(self) -> str | None:
        """As the sources say, each once."""
        return " / ".join(self._texts("interface")) or None

    @property
    def form_factors(self) -> tuple[str, ...]:
        """It may come in several."""
        return self._texts("form_factor")

    def dwpd(self, capacity_bytes: int | None) -> float | None:
        """Drive writes per day; the fewest of those that sources state."""
        return min(self._numbers("endurance", capacity_bytes, "DWPD"), default=None)

    def power_w(self, capacity_bytes: int | None) -> float | None:
        """The most of what sources state."""
        return max(self._numbers("power", capacity_bytes, "W"), default=None)

    def price(self, capacity_bytes: int | None) -> Price | None:
        """The highest; a price that is stated for one capacity is none for another."""
        found = [
            one
            for one in self._about("price", capacity_bytes)
            if one.value_number is not None and _currency(one) is not None
        ]
        best = max(found, key=lambda one: one.value_number or 0.0, default=None)
        if best is None or best.value_number is None:
            return None
        date = best.conditions.get("date")
        return Price(
            best.value_number,
            _currency(best) or "",
            date if isinstance(date, str) else None,
            best.source_text or best.source_slug,
        )

    def _about(self, name: str, capacity_bytes: int | None) -> list[Fact]:
        every = self.facts.get(name, [])
        own = [one for one in every if capacity_bytes is not None and one.capacity_bytes == capacity_bytes]
        return own or [one for one in every if one.capacity_bytes is None]

    def _numbers(self, name: str, capacity_bytes: int | None, unit: str) -> list[float]:
        found = self._about(name, capacity_bytes)
        return [one.value_number for one in found if one.value_number is not None and one.unit == unit]

    def _texts(self, name: str) -> tuple[str, ...]:
        found = (one.value_text for one in self.facts.get(name, []))
        return tuple(dict.fromkeys(one for one in found if one))


def _currency(fact: Fact) -> str | None:
    stated: Any = fact.conditions.get("currency") or fact.unit_as_printed or fact.unit
    return stated if isinstance(stated, str) and stated else None


def known_drives(
    session: Session, organisation_id: UUID | None, fields: Sequence[str] = SHOWN
) -> dict[str, KnownDrive]:
    """Every drive of the catalogue by its slug, with what the organisation's own price list states of it."""
    rows = repository.drives(session, organisation_id)
    found = {row.item_id: KnownDrive(row.slug, row.vendor, row.name, row.item_id) for row in rows}
    for fact in repository.facts(session, fields):
        if fact.item_id in found:
            found[fact.item_id].facts.setdefault(fact.field, []).append(fact)
    by_slug = {one.slug: one for one in found.values()}
    for row in () if organisation_id is None else prices.rows_of(session, organisation_id):
        drive = by_slug.get(row.drive_slug)
        if drive is None or drive.item_id is None:
            continue
        for own in prices.facts_of_entry(row, drive.item_id):
            drive.facts[own.field] = prices.with_own_prices(drive.facts.get(own.field, []), [own])
    return by_slug
