"""The price list of an organisation: price, power and endurance of drives, each with date and source; and the
published prices beside it.

A rented machine has a price per hour, which may apply to every capacity. Only its owner sees a list. Its
entries replace the catalogue's facts about the same drive and capacity, for example in the cost per load. New
entries come as a list or as CSV; all are refused if any is invalid.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date, datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from pydantic import ValidationError
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from tailroom.access.repository import lock_organisation
from tailroom.catalogue import drives, repository
from tailroom.catalogue.errors import PriceListFull, PriceListInvalid
from tailroom.catalogue.price_schemas import (
    PriceEntryIn,
    PriceEntryOut,
    PriceListIn,
    PriceListOut,
    PublishedPriceOut,
    PublishedPricesOut,
)
from tailroom.catalogue.stated_prices import PRICE, prices_of
from tailroom.kit.limits import PRICE_LIST_ENTRIES, PROBLEMS_NAMED
from tailroom.storage.base import upsert
from tailroom.storage.catalogue import CatalogueFact, CatalogueItem
from tailroom.storage.drive_test import count_change
from tailroom.storage.price_list import PriceListRow

COLUMNS = ("drive", "capacity", "price", "currency", "power_w", "dwpd", "date", "source", "per")
"""Columns of a price list as CSV; `power_w`, `dwpd` and `per` may be absent or empty."""
_OPTIONAL = ("power_w", "dwpd", "per")
_STATED = ("price", "currency", "per", "power_w", "dwpd", "stated_on", "source")
"""Fields of an entry that have the same names in requests, table and answers."""
_EVERY_CAPACITY = 0
"""Stored capacity of an entry that applies to every capacity."""
_FULL = f"A price list has {PRICE_LIST_ENTRIES} entries at most; nothing was stored."
_BYTES = {"gb": 10**9, "tb": 10**12, "b": 1}
_LEAST_BYTES = 10**9
"""Smallest valid capacity without a unit, which is then in bytes."""


def price_list(session: Session, organisation_id: UUID) -> PriceListOut:
    """Return the whole price list of the organisation for the API, by drive and capacity.

    A drive that the catalogue does not have any more is named by its slug, without vendor.
    """
    items = {item.slug: item for item in repository.items_of_kind(session, drives.DRIVE, organisation_id)}
    entries = []
    for row in rows_of(session, organisation_id):
        item = items.get(row.drive_slug)
        entries.append(
            PriceEntryOut(
                slug=row.drive_slug,
                vendor=item.vendor if item else "",
                name=item.name if item else row.drive_slug,
                capacity_bytes=capacity_of(row),
                **{name: getattr(row, name) for name in _STATED},
            )
        )
    return PriceListOut(entries=entries)


def store(session: Session, organisation_id: UUID, new_list: PriceListIn, now: datetime) -> PriceListOut:
    """Store entries, replacing those about the same drive and capacity, and return the whole list.

    Raise PriceListInvalid if an entry is invalid, PriceListFull if the list becomes too long. The caller must
    then roll back the transaction, so that nothing is stored.
    """
    numbered = (
        _parse_csv(new_list.csv)
        if new_list.csv is not None
        else list(enumerate(new_list.entries or (), start=1))
    )
    if len(numbered) > PRICE_LIST_ENTRIES:
        raise PriceListFull(_FULL)
    lock_organisation(session, organisation_id)
    names = [entry.drive for _, entry in numbered if not isinstance(entry, str)]
    slugs = _slugs(session, organisation_id, names)
    problems: list[str] = []
    values: dict[tuple[str, int], dict[str, Any]] = {}
    for number, entry in numbered:
        if isinstance(entry, str):
            problems.append(f"row {number}: {entry}")
            continue
        slug = slugs[entry.drive]
        if slug is None:
            problems.append(
                f"row {number}: the catalogue has no drive “{entry.drive}”; name it as `/drives` does"
            )
        elif (slug, entry.capacity_bytes or _EVERY_CAPACITY) in values:
            problems.append(f"row {number}: “{entry.drive}” of this capacity stands above it already")
        else:
            row = _values(organisation_id, slug, entry, now)
            values[slug, row["capacity_bytes"]] = row
    if problems:
        more = len(problems) - PROBLEMS_NAMED
        named = [*problems[:PROBLEMS_NAMED], *([f"and {more} more"] if more > 0 else [])]
        raise PriceListInvalid(f"Nothing was stored. {'; '.join(named)}.")
    upsert(session, PriceListRow, list(values.values()))
    count = select(func.count()).where(PriceListRow.organisation_id == organisation_id)
    if (session.scalar(count) or 0) > PRICE_LIST_ENTRIES:
        raise PriceListFull(_FULL)
    count_change(session, organisation_id)
    return price_list(session, organisation_id)


def remove(session: Session, organisation_id: UUID, slug: str, capacity_bytes: int) -> PriceListOut:
    """Delete an entry, if it exists, and return the list; `capacity_bytes` 0 is that for every capacity."""
    session.execute(
        delete(PriceListRow).where(
            PriceListRow.organisation_id == organisation_id,
            PriceListRow.drive_slug == slug,
            PriceListRow.capacity_bytes == capacity_bytes,
        )
    )
    count_change(session, organisation_id)
    return price_list(session, organisation_id)


def rows_of(session: Session, organisation_id: UUID, slug: str | None = None) -> Sequence[PriceListRow]:
    """Return the entries of an organisation, by drive and capacity; `slug` None: of all drives."""
    query = select(PriceListRow).where(PriceListRow.organisation_id == organisation_id)
    if slug is not None:
        query = query.where(PriceListRow.drive_slug == slug)
    return session.scalars(query.order_by(PriceListRow.drive_slug, PriceListRow.capacity_bytes)).all()


def capacity_of(row: PriceListRow) -> int | None:
    """Return the capacity in bytes that an entry is about; None: every capacity."""
    return row.capacity_bytes or None


def facts_of_entry(row: PriceListRow, item_id: UUID) -> list[CatalogueFact]:
    """Return the price, power and endurance of an entry as facts of the catalogue, which are not stored."""
    stated = [
        ("price", row.price, row.currency),
        ("power", row.power_w, "W"),
        ("endurance", row.dwpd, "DWPD"),
    ]
    conditions = {"date": row.stated_on.isoformat(), "currency": row.currency, "per": row.per}
    return [
        CatalogueFact(
            item_id=item_id,
            position=-1,
            capacity_bytes=capacity_of(row),
            field=field,
            value_number=value,
            value_text=None,
            unit=unit,
            unit_as_printed=unit,
            as_printed=f"{value:g} {unit}",
            comparison="=",
            lower=value,
            upper=value,
            conditions=conditions if field == "price" else {"date": row.stated_on.isoformat()},
            source_slug=None,
            source_text=f"my price list: {row.source}",
        )
        for field, value, unit in stated
        if value is not None
    ]


def with_own_prices(facts: Sequence[Any], own: Sequence[CatalogueFact]) -> list[Any]:
    """Return the own facts, then those of `facts` that they do not replace.

    An own fact replaces those about the same field and capacity. If it is about every capacity, it replaces
    all facts about its field.
    """
    stated = {(fact.field, fact.capacity_bytes) for fact in own}
    return [
        *own,
        *(
            fact
            for fact in facts
            if stated.isdisjoint({(fact.field, fact.capacity_bytes), (fact.field, None)})
        ),
    ]


def published_prices(session: Session, organisation_id: UUID) -> PublishedPricesOut:
    """Return the prices that an organisation sees, by vendor, name and capacity, the newest first."""
    query = (
        select(CatalogueItem, CatalogueFact)
        .join(CatalogueFact, CatalogueFact.item_id == CatalogueItem.item_id)
        .where(CatalogueFact.field == PRICE, repository.visible(organisation_id))
        .order_by(
            CatalogueItem.vendor,
            CatalogueItem.name,
            CatalogueItem.slug,
            CatalogueFact.capacity_bytes,
            CatalogueFact.position,
        )
    )
    own = {(row.drive_slug, capacity_of(row)) for row in rows_of(session, organisation_id)}
    prices: list[PublishedPriceOut] = []
    for (slug, capacity_bytes), facts in groupby(
        session.execute(query).all(), key=lambda row: (row[0].slug, row[1].capacity_bytes)
    ):
        rows = list(facts)
        item = rows[0][0]
        intervals = prices_of(fact for _, fact in rows)
        prices += [
            PublishedPriceOut(
                slug=slug,
                vendor=item.vendor,
                name=item.name,
                capacity_bytes=capacity_bytes,
                is_newest=price.date == intervals[0].date,
                own_price=not own.isdisjoint({(slug, capacity_bytes), (slug, None)}),
                **asdict(price),
            )
            for price in intervals
        ]
    return PublishedPricesOut(prices=prices)


def _slugs(session: Session, organisation_id: UUID, texts: Sequence[str]) -> dict[str, str | None]:
    """Return for each text, a slug or a name, the slug of its drive; None for no drive or several."""
    slugs = repository.visible_slugs(session, organisation_id, set(texts))
    named = drives.resolve_each(session, texts, organisation_id)
    return {text: text if text in slugs else named[text] for text in texts}


def _values(organisation_id: UUID, slug: str, entry: PriceEntryIn, now: datetime) -> dict[str, Any]:
    return {
        "organisation_id": organisation_id,
        "drive_slug": slug,
        "capacity_bytes": entry.capacity_bytes or _EVERY_CAPACITY,
        **{name: getattr(entry, name) for name in _STATED},
        "stored_at": now,
    }


def _parse_csv(text: str) -> list[tuple[int, "PriceEntryIn | str"]]:
    """Return for each row its line number and its entry, or the text of its error; empty rows are skipped.

    Raise PriceListInvalid if a column is missing in the header, there is no row below it, or the text is no
    CSV.
    """
    lines = csv.reader(io.StringIO(text), delimiter=_delimiter(text))
    entries: list[tuple[int, PriceEntryIn | str]] = []
    header: list[str] | None = None
    try:
        for cells in lines:
            if not any(cell.strip() for cell in cells):
                continue
            if header is None:
                header = [cell.strip().lower() for cell in cells]
                missing = [name for name in COLUMNS if name not in header and name not in _OPTIONAL]
                if missing:
                    raise PriceListInvalid(
                        f"The first row must name the columns {', '.join(COLUMNS)}; missing:"
                        f" {', '.join(missing)}. Nothing was stored."
                    )
                continue
            row = dict(zip(header, (cell.strip() for cell in cells), strict=False))
            entries.append((lines.line_num, _entry(row)))
    except csv.Error as error:
        raise PriceListInvalid(f"Row {lines.line_num} is no CSV ({error}). Nothing was stored.") from None
    if not entries:
        raise PriceListInvalid("The list has no row below its header. Nothing was stored.")
    return entries


def _delimiter(text: str) -> str:
    """Return the most frequent of comma, semicolon and tab in the first line: spreadsheets use them all."""
    first = text.lstrip("\ufeff\n\r ").partition("\n")[0]
    return max(",;\t", key=first.count)


def _entry(row: dict[str, str]) -> "PriceEntryIn | str":
    """Return the entry of a row (cells by column), or the text of its first error."""
    try:
        per = _per(row.get("per", ""))
        return PriceEntryIn.model_validate(
            {
                "drive": row.get("drive", ""),
                "capacity_bytes": _capacity(row.get("capacity", ""), is_rented=per is not None),
                "per": per,
                "price": _number(row.get("price", ""), "price"),
                "currency": row.get("currency", "").upper(),
                "power_w": _number(row["power_w"], "power_w") if row.get("power_w") else None,
                "dwpd": _number(row["dwpd"], "dwpd") if row.get("dwpd") else None,
                "stated_on": _date(row.get("date", "")),
                "source": row.get("source", ""),
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).removesuffix("_bytes")
        rule = re.sub(r"^\w+ should", "must", first["msg"])
        return f"`{name}` is “{row.get(name, '')[:40]}”; it {rule}"
    except ValueError as error:
        return str(error)


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ValueError(f"`date` is “{text[:40]}”, which is no date such as 2026-11-29") from None


def _number(text: str, name: str) -> float:
    """Return a number without the apostrophe that exports for spreadsheets put before it."""
    text = text.removeprefix("'")
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"`{name}` is “{text[:40]}”, which is no number such as 349.90") from None


def _per(text: str) -> str | None:
    """Return `hour` for a rented machine, None for an empty text; raise ValueError for another text."""
    unit = text.strip().lower()
    if unit not in {"", "hour"}:
        raise ValueError(
            f"`per` is “{text[:40]}”; write hour for what is rented, and nothing for what is bought"
        )
    return unit or None


def _capacity(text: str, *, is_rented: bool) -> int | None:
    """Return a capacity such as `1.92 TB` in bytes; None for an empty text of a rented machine."""
    if is_rented and not text.strip():
        return None
    words = text.replace(",", ".").lower().split()
    if len(words) == 1:
        digits = words[0].rstrip("gtb")
        words = [digits, words[0][len(digits) :]]
    try:
        number, unit = words
        capacity = round(float(number) * _BYTES[unit or "b"])
    except (ValueError, KeyError, OverflowError):
        raise ValueError(f"`capacity` is “{text[:40]}”, which is no capacity such as 1.92 TB") from None
    if not unit and capacity < _LEAST_BYTES:
        raise ValueError(f"`capacity` is “{text[:40]}” without a unit; write it as 1.92 TB or 480 GB")
    return capacity
