"""Drives, servers, networks, databases and workloads of the package, read from files, without a database.

A fact is a statement of one source. Contradicting facts about a field are all included: numbers whose bounds
do not overlap, or texts that differ, under the same conditions (`disagreeing`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Literal
from uuid import UUID

import msgspec

from tailroom.catalogue.names import NamedItem, likely_duplicates, normalised
from tailroom.catalogue.publications.dataset import ReferenceInvalid, reference_files
from tailroom.catalogue.publications.document import ConditionIn, RoundingWord
from tailroom.catalogue.stated_prices import PRICE, check_price
from tailroom.domain.claims.claim import PrintedNumber, Relation, printed_number
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.published import RoundingMode

Kind = Literal["drive", "server", "network", "database", "workload"]
CAPACITY = "capacity"
SEVERAL_VALUES = frozenset(
    {CAPACITY, "form_factor", "network_adapter", "data_drive", "namespace.storage-engine.device"}
)
"""Fields that may have several values at once, so that facts about them never contradict each other."""


@dataclass(frozen=True, slots=True)
class ItemFact:
    """A statement of one source about a field; exactly one of `number` and `text` is set.

    `capacity_bytes` is the capacity of the drive that the fact is about, None for all capacities. The source
    is a publication (`source_slug`) or any other (`source_text`).
    """

    field: str
    capacity_bytes: int | None
    number: PrintedNumber | None
    text: str | None
    as_printed: str
    conditions: Mapping[str, ConditionIn]
    source_slug: str | None
    source_text: str | None


@dataclass(frozen=True, slots=True)
class Item:
    """Hardware or software of the catalogue, with its names and facts."""

    kind: Kind
    named: NamedItem
    facts: tuple[ItemFact, ...]


class _FactIn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fact as in the file: a printed number, or a text."""

    field: str
    printed: str | None = None
    unit: str | None = None
    text: str | None = None
    as_printed: str | None = None
    comparison: Relation = Relation.EQUAL
    rounding: RoundingWord = "half"
    capacity_bytes: int | None = None
    conditions: dict[str, ConditionIn] = {}
    source: str | None = None
    source_text: str | None = None


class _ItemIn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An item as in the file."""

    slug: str
    vendor: str
    name: str
    aliases: list[str] = []
    facts: list[_FactIn] = []


class _CatalogueIn(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of items of one kind."""

    format: Literal["tailroom-catalogue/1"]
    kind: Kind
    items: list[_ItemIn]


@cache
def read_items() -> tuple[Item, ...]:
    """Return every item of the package, by kind and slug.

    Raise ReferenceInvalid if a file is malformed or two items have the same slug.
    """
    items = [
        item for file in reference_files("items") for item in read_catalogue(file.read_bytes(), file.name)
    ]
    slugs = [item.named.slug for item in items]
    twice = sorted({slug for slug in slugs if slugs.count(slug) > 1})
    if twice:
        raise ReferenceInvalid(f"items share a slug: {', '.join(twice)}")
    return tuple(sorted(items, key=lambda item: (item.kind, item.named.slug)))


def read_catalogue(content: bytes, name: str) -> list[Item]:
    """Return the items in a file; raise ReferenceInvalid, starting with `name`, if it is malformed."""
    try:
        document = msgspec.yaml.decode(content, type=_CatalogueIn)
    except msgspec.MsgspecError as error:
        raise ReferenceInvalid(f"{name}: {error}") from error
    items = []
    for item in document.items:
        try:
            facts = tuple(_fact(fact) for fact in item.facts)
        except DomainError as error:
            raise ReferenceInvalid(f"{name}: {item.slug}: {error}") from error
        items.append(
            Item(document.kind, NamedItem(item.slug, item.vendor, item.name, tuple(item.aliases)), facts)
        )
    return items


def duplicates_among(items: Sequence[Item]) -> list[tuple[str, str]]:
    """Return the pairs of slugs of items of the same kind that are likely the same item."""
    return [
        (first.named.slug, second.named.slug)
        for first, second in combinations(items, 2)
        if first.kind == second.kind and likely_duplicates(first.named, [second.named])
    ]


def aliases_of(named: NamedItem) -> dict[str, str]:
    """Return the spellings of an item as printed, by their normalised form; empty forms are left out."""
    aliases: dict[str, str] = {}
    for spelling in named.spellings():
        key = normalised(spelling)
        if key:
            aliases.setdefault(key, spelling)
    return aliases


def disagreeing(facts: Sequence[ItemFact]) -> set[int]:
    """Return the positions of the facts that contradict another of these facts."""
    positions: set[int] = set()
    for (position, first), (other_position, second) in combinations(enumerate(facts), 2):
        if _same_question(first, second) and not _may_both_hold(first, second):
            positions |= {position, other_position}
    return positions


def _same_question(first: ItemFact, second: ItemFact) -> bool:
    """Return whether two facts state the same field, of the same capacity, under the same conditions.

    A fact about all capacities is about each of them. False for fields that may have several values.
    """
    return (
        first.field == second.field
        and first.field not in SEVERAL_VALUES
        and first.conditions == second.conditions
        and (
            None in (first.capacity_bytes, second.capacity_bytes)
            or first.capacity_bytes == second.capacity_bytes
        )
    )


def _may_both_hold(first: ItemFact, second: ItemFact) -> bool:
    """Return whether two facts can both be true: equal texts, or overlapping bounds in the same unit.

    A missing bound is open.
    """
    if first.number is None or second.number is None:
        return first.text == second.text
    if first.number.unit != second.number.unit:
        return False
    lower = [end for end in (first.number.lower, second.number.lower) if end is not None]
    upper = [end for end in (first.number.upper, second.number.upper) if end is not None]
    return not lower or not upper or max(lower) <= min(upper)


def _fact(stated: _FactIn) -> ItemFact:
    """Return a fact from its form in the file.

    Raise ReferenceInvalid without a source, or unless exactly one of `printed` and `text` is set;
    PrintedUnreadable for a malformed number; PriceInvalid for an incomplete price.
    """
    if (stated.printed is None) == (stated.text is None):
        raise ReferenceInvalid(f"{stated.field}: give `printed` or `text`, one of the two")
    if stated.source is None and stated.source_text is None:
        raise ReferenceInvalid(f"{stated.field}: a fact needs a `source` or a `source_text`")
    if stated.field == PRICE:
        check_price(stated.unit, stated.printed, stated.conditions)
    number = None
    if stated.printed is not None:
        number = printed_number(
            stated.printed,
            stated.unit or "",
            comparison=stated.comparison,
            rounding=None if stated.rounding == "set" else RoundingMode(stated.rounding),
        )
    return ItemFact(
        field=stated.field,
        capacity_bytes=stated.capacity_bytes,
        number=number,
        text=stated.text,
        as_printed=stated.as_printed or stated.text or stated.printed or "",
        conditions=stated.conditions,
        source_slug=stated.source,
        source_text=stated.source_text,
    )


def stated_fact(field: str, value: float | str, unit: str | None, source: str) -> ItemFact:
    """Return a fact that a person states about all capacities: a text, or an exact number in `unit`."""
    number = None
    if not isinstance(value, str):
        number = PrintedNumber(f"{value:g}", value, value, value, unit or "", Relation.EQUAL, unit or "")
    return ItemFact(
        field=field,
        capacity_bytes=None,
        number=number,
        text=value if isinstance(value, str) else None,
        as_printed=value if isinstance(value, str) else f"{value:g}",
        conditions={},
        source_slug=None,
        source_text=source,
    )


def fact_values(item_id: UUID, position: int, fact: ItemFact) -> dict[str, Any]:
    """Return the column values of `CatalogueFact`; `position` counts the facts of the item from 0."""
    number = fact.number
    return {
        "item_id": item_id,
        "position": position,
        "capacity_bytes": fact.capacity_bytes,
        "field": fact.field,
        "value_number": None if number is None else number.value,
        "value_text": fact.text,
        "unit": None if number is None else number.unit,
        "unit_as_printed": None if number is None else number.unit_as_printed,
        "as_printed": fact.as_printed,
        "comparison": "=" if number is None else str(number.comparison),
        "lower": None if number is None else number.lower,
        "upper": None if number is None else number.upper,
        "conditions": dict(fact.conditions),
        "source_slug": fact.source_slug,
        "source_text": fact.source_text,
    }
