"""The catalogue for the API: items of one kind, with the facts of every source."""

from collections.abc import Sequence
from typing import get_args
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.catalogue import repository
from tailroom.catalogue.errors import KindUnknown
from tailroom.catalogue.items import ItemFact, Kind, disagreeing
from tailroom.catalogue.schemas import CatalogueItemOut, CatalogueOut, FactOut, PrintedNumberOut
from tailroom.domain.claims.claim import PrintedNumber, Relation
from tailroom.storage.catalogue import CatalogueAlias, CatalogueFact, CatalogueItem

KINDS: tuple[str, ...] = get_args(Kind)


def catalogue(session: Session, kind: str, organisation_id: UUID) -> CatalogueOut:
    """Return all items of a kind that an organisation sees, with their facts.

    Raise KindUnknown if the catalogue has no such kind.
    """
    if kind not in KINDS:
        raise KindUnknown(f"The catalogue has no “{kind[:40]}”. It has: {', '.join(KINDS)}.")
    items = repository.items_of_kind(session, kind, organisation_id)
    ids = [item.item_id for item in items]
    facts: dict[UUID, list[CatalogueFact]] = {item_id: [] for item_id in ids}
    for fact in repository.facts_of(session, ids):
        facts[fact.item_id].append(fact)
    aliases: dict[UUID, list[CatalogueAlias]] = {item_id: [] for item_id in ids}
    for alias in repository.aliases_of_items(session, ids):
        aliases[alias.item_id].append(alias)
    return CatalogueOut.model_validate(
        {
            "kind": kind,
            "items": [
                item_out(i, facts[i.item_id], sorted(a.as_printed for a in aliases[i.item_id])) for i in items
            ],
        }
    )


def item_out(item: CatalogueItem, facts: Sequence[CatalogueFact], aliases: list[str]) -> CatalogueItemOut:
    """Return an item with its facts for the API; facts that contradict another are marked."""
    stated = [fact_of(row) for row in facts]
    against = disagreeing(stated)
    return CatalogueItemOut.model_validate(
        {
            "slug": item.slug,
            "kind": item.kind,
            "vendor": item.vendor,
            "name": item.name,
            "aliases": aliases,
            "private": item.organisation_id is not None,
            "facts": [fact_out(fact, conflict=place in against) for place, fact in enumerate(stated)],
            "conflicts": sorted({stated[place].field for place in against}),
        }
    )


def fact_out(fact: ItemFact, *, conflict: bool) -> FactOut:
    """Return a fact for the API; `conflict`: whether it contradicts another."""
    return FactOut(
        field=fact.field,
        capacity_bytes=fact.capacity_bytes,
        text=fact.text,
        number=None if fact.number is None else printed_out(fact.number, fact.as_printed),
        conditions=dict(fact.conditions),
        source_slug=fact.source_slug,
        source_text=fact.source_text,
        conflict=conflict,
    )


def printed_out(printed: PrintedNumber, as_printed: str | None = None) -> PrintedNumberOut:
    """Return a printed number for the API; `as_printed` replaces its own wording, if given."""
    return PrintedNumberOut.model_validate(
        {
            "as_printed": as_printed or printed.as_printed,
            "unit_as_printed": printed.unit_as_printed,
            "value": printed.value,
            "lower": printed.lower,
            "upper": printed.upper,
            "unit": printed.unit,
            "comparison": str(printed.comparison),
        }
    )


def fact_of(row: CatalogueFact) -> ItemFact:
    """Return the fact stored in a row."""
    number = None
    if row.value_number is not None:
        number = PrintedNumber(
            as_printed=row.as_printed,
            value=row.value_number,
            lower=row.lower,
            upper=row.upper,
            unit=row.unit or "",
            comparison=Relation(row.comparison),
            unit_as_printed=row.unit_as_printed or "",
        )
    return ItemFact(
        field=row.field,
        capacity_bytes=row.capacity_bytes,
        number=number,
        text=row.value_text,
        as_printed=row.as_printed,
        conditions=row.conditions,
        source_slug=row.source_slug,
        source_text=row.source_text,
    )
