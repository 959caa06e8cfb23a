"""Drives of the catalogue: find by name, list, and add a drive of an organisation.

A text that equals no stored spelling, or the spelling of two drives, resolves to no drive. A new drive that
may be a duplicate is refused with the names of the candidates, until a person states that it is different.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from sqlalchemy import select, true
from sqlalchemy.orm import Session

from tailroom.catalogue import repository
from tailroom.catalogue.disclosure import ACT_STORAGE
from tailroom.catalogue.errors import DriveInvalid, DriveLikelyKnown, DrivesFull
from tailroom.catalogue.items import CAPACITY, ItemFact, aliases_of, fact_values, stated_fact
from tailroom.catalogue.names import NamedItem, likely_duplicates, normalised, spellings_of
from tailroom.catalogue.schemas import CatalogueItemOut, DriveIn, DriveMatchOut, DrivesOut
from tailroom.catalogue.service import item_out
from tailroom.catalogue.suggestion_schemas import FACT_UNITS
from tailroom.kit.identifiers import new_id
from tailroom.kit.lanes import RENEWAL
from tailroom.storage.catalogue import CatalogueFact, CatalogueItem
from tailroom.storage.run import FINISHED, Run
from tailroom.work.kinds import RATE
from tailroom.work.outbox import make_many_due

DRIVE = "drive"
MAX_OWN_DRIVES = 1_000
"""Maximum number of drives that an organisation may add."""


def resolve(session: Session, text: str, organisation_id: UUID | None = None) -> str | None:
    """Return the slug of the drive that a text names, ignoring capacities; None for no drive or several.

    Only shared drives and those of the organisation are considered; without an organisation, shared drives.
    """
    return resolve_each(session, [text], organisation_id)[text]


def resolve_each(
    session: Session, texts: Sequence[str], organisation_id: UUID | None = None
) -> dict[str, str | None]:
    """Return for each text the result of `resolve`, with one query for all texts."""
    spellings_by_text = {text: spellings_of(text) for text in texts}
    spellings_to_find = sorted(
        {spelling for spellings in spellings_by_text.values() for spelling in spellings}
    )
    slugs_by_spelling: dict[str, set[str]] = {}
    if spellings_to_find:
        for spelling, slug in repository.items_called(session, DRIVE, spellings_to_find, organisation_id):
            slugs_by_spelling.setdefault(spelling, set()).add(slug)
    matches: dict[str, str | None] = {}
    for text, spellings in spellings_by_text.items():
        # The first spelling on record decides, also where it is that of several drives.
        slugs = next(filter(None, map(slugs_by_spelling.get, spellings)), set())
        matches[text] = next(iter(slugs)) if len(slugs) == 1 else None
    return matches


def search(session: Session, organisation_id: UUID, text: str, limit: int) -> DrivesOut:
    """Return at most `limit` drives with a name that contains the text, best matches first.

    An empty text gives the first drives by name. A text of ignored words and punctuation alone gives none.
    Case, punctuation and capacities do not count.
    """
    form = normalised(text)
    if text.strip() and not form:
        return DrivesOut(drives=[])
    matches = repository.drives_matching(session, form, organisation_id, limit)
    facts: dict[UUID, list[CatalogueFact]] = {item.item_id: [] for item, _ in matches}
    for fact in repository.facts_of(session, list(facts)):
        facts[fact.item_id].append(fact)
    return DrivesOut(drives=[_match(item, facts[item.item_id], spelling) for item, spelling in matches])


def add(session: Session, organisation_id: UUID, drive: DriveIn, now: datetime) -> CatalogueItemOut:
    """Store and return a drive that only the organisation sees; its finished ACT runs are due to be rated
    again.

    Raise DriveInvalid for a name without model, DrivesFull if the organisation has `MAX_OWN_DRIVES`,
    DriveLikelyKnown if a known drive may be the same, unless the request states that it is another.
    """
    item_id = new_id()
    named = NamedItem(_slug(drive, item_id), drive.vendor.strip(), drive.name.strip(), tuple(drive.aliases))
    aliases = aliases_of(named)
    if not aliases or not normalised(named.name):
        raise DriveInvalid(f"“{drive.name}” names no model: give its letters and digits, without capacity.")
    if repository.count_items_of_organisation(session, organisation_id) >= MAX_OWN_DRIVES:
        raise DrivesFull(f"This organisation has added {MAX_OWN_DRIVES} drives, the most it may.")
    likely = likely_duplicates(named, _names_on_record(session, organisation_id))
    if likely and not drive.is_another:
        names = ", ".join(f"“{item.vendor} {item.name}” ({item.slug})" for item in likely)
        raise DriveLikelyKnown(
            f"“{named.vendor} {named.name}” may be on record already as {names}. Use that one, or send "
            "`is_another: true` to say that yours is another drive."
        )
    item = {
        "item_id": item_id,
        "slug": named.slug,
        "kind": DRIVE,
        "vendor": named.vendor,
        "name": named.name,
        "organisation_id": organisation_id,
        "created_at": now,
    }
    alias_rows = [
        {"normalised": key, "item_id": item_id, "as_printed": as_printed}
        for key, as_printed in aliases.items()
    ]
    fact_rows = [fact_values(item_id, position, fact) for position, fact in enumerate(_facts(drive))]
    repository.add_item(session, item, alias_rows, fact_rows)
    rate_runs_again(session, organisation_id, now)
    stored = repository.item_by_slug(session, named.slug, organisation_id)
    if stored is None:
        raise RuntimeError(f"drive {named.slug} is gone after it was stored")
    return item_out(stored, repository.facts_of(session, [item_id]), sorted(set(aliases.values())))


def rate_runs_again(session: Session, organisation_id: UUID | None, now: datetime) -> None:
    """Make finished ACT runs due to be rated again, because they may have measured a new drive.

    `organisation_id` owns the runs; with None, those of all organisations.
    """
    subjects = select(Run.run_id.label("subject"), Run.organisation_id).where(
        true() if organisation_id is None else Run.organisation_id == organisation_id,
        Run.workload == ACT_STORAGE,
        Run.state == FINISHED,
    )
    make_many_due(session, RATE, subjects, now, RENEWAL)


def _names_on_record(session: Session, organisation_id: UUID) -> list[NamedItem]:
    items = repository.items_of_kind(session, DRIVE, organisation_id)
    spellings: dict[UUID, list[str]] = {}
    for alias in repository.aliases_of_items(session, [item.item_id for item in items]):
        spellings.setdefault(alias.item_id, []).append(alias.as_printed)
    return [NamedItem(i.slug, i.vendor, i.name, tuple(spellings.get(i.item_id, ()))) for i in items]


def _slug(drive: DriveIn, item_id: UUID) -> str:
    """Return a readable slug with a part of the id, so that it discloses no other organisation's drive."""
    words = re.sub(r"[^a-z0-9]+", "-", f"{drive.vendor} {drive.name}".lower()).strip("-")[:80].strip("-")
    return f"{words or 'drive'}-{item_id.hex[-8:]}"


def _facts(drive: DriveIn) -> list[ItemFact]:
    facts = []
    for field, unit in FACT_UNITS.items():
        values = drive.capacities_bytes if field == CAPACITY else [getattr(drive, field)]
        facts += [stated_fact(field, value, unit, drive.source) for value in values if value is not None]
    price = drive.price
    if price is not None:
        conditions = {"currency": price.currency, "date": price.date.isoformat()}
        fact = stated_fact("price", price.value, price.currency, price.source)
        facts.append(replace(fact, capacity_bytes=price.capacity_bytes, conditions=conditions))
    return facts


def _match(item: CatalogueItem, facts: Sequence[CatalogueFact], spelling: str | None) -> DriveMatchOut:
    """Return a drive for a list of matches; `spelling` is the name that matched, None without a search."""

    def texts(field: str) -> list[str]:
        return list(dict.fromkeys(f.value_text for f in facts if f.field == field and f.value_text))

    sizes = {round(f.value_number) for f in facts if f.field == CAPACITY and f.value_number is not None}
    return DriveMatchOut(
        slug=item.slug,
        vendor=item.vendor,
        name=item.name,
        capacities_bytes=sorted(sizes),
        interface=" / ".join(texts("interface")) or None,
        form_factor=" / ".join(texts("form_factor")) or None,
        matched=spelling,
        private=item.organisation_id is not None,
    )
