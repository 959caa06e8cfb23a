"""Prices as intervals, from facts of the catalogue or of an organisation's own list.

A price has a currency, a date, a source, and a unit of payment: the item itself, or a unit of use (an hour, a
GB for a month). Prices of one date, currency and unit make one interval from the lowest to the highest. Costs
use the newest interval.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from tailroom.catalogue.publications.dataset import read_all
from tailroom.domain.errors import DomainError

if TYPE_CHECKING:
    # Comparisons of files need no database.
    from sqlalchemy import Row

    from tailroom.storage.catalogue import CatalogueFact

PriceUnit = Literal["hour", "GB-month", "IOPS-month", "MB/s-month"]
PRICE = "price"
_Fact: TypeAlias = "Row[Any] | CatalogueFact"
_CONDITIONS = frozenset({"date", "currency", "per", "region", "terms"})


class PriceInvalid(DomainError):
    """A price has no number, currency or date, or an unknown condition."""


@dataclass(frozen=True, slots=True)
class Price:
    """A price of one date: the interval from the lowest to the highest that is stated, in `currency`."""

    lower: float
    upper: float
    currency: str
    per: PriceUnit | None
    """The unit of use that is paid for; None: the item itself, bought once."""
    region: str | None
    terms: str | None
    date: str | None
    source: str | None
    """Titles of publications, or texts, separated by commas."""
    publication: str | None
    """Slug of the publication; None for other sources."""

    @property
    def basis(self) -> tuple[str | None, str, PriceUnit | None]:
        """Date (None if not stated), currency and unit, which prices of one interval have in common."""
        return self.date, self.currency, self.per

    def over(self, amount: float) -> tuple[float, float]:
        """Return the lower and upper price divided by an amount."""
        return self.lower / amount, self.upper / amount

    @property
    def has_cost(self) -> bool:
        """Whether it is the price of a whole drive or instance; the cost of a volume depends on its use."""
        return self.per in {None, "hour"}


def prices_of(facts: Iterable[_Fact]) -> list[Price]:
    """Return an interval for each source, date, currency, unit, region and terms, the newest first.

    Prices of one date are in the order of the facts. Facts without a number or a currency are left out.
    """
    groups: dict[Price, list[Price]] = {}
    for fact in facts:
        price = _price(fact)
        if price is not None:
            groups.setdefault(replace(price, lower=0.0, upper=0.0), []).append(price)
    return sorted(map(_hull, groups.values()), key=lambda price: price.date or "", reverse=True)


def newest_price(facts: Iterable[_Fact]) -> Price | None:
    """Return the interval of all prices with the newest date, currency and unit; None without any price."""
    prices = prices_of(facts)
    return _hull([price for price in prices if price.basis == prices[0].basis]) if prices else None


def check_price(unit: str | None, number: object, conditions: dict[str, Any]) -> None:
    """Raise PriceInvalid without a number, currency or date, or for an unknown unit of use or condition."""
    if number is None or unit is None or len(unit) != 3 or not unit.isupper():
        raise PriceInvalid("a price needs a number and a currency as its unit")
    try:
        date.fromisoformat(str(conditions.get("date")))
    except ValueError:
        raise PriceInvalid("a price needs the date of its document, as `date: '2026-10-01'`") from None
    if conditions.get("per") not in {None, *get_args(PriceUnit)}:
        raise PriceInvalid(f"a price is `per` one of {', '.join(get_args(PriceUnit))}, or without it")
    unknown = sorted(set(conditions) - _CONDITIONS)
    if unknown:
        raise PriceInvalid(f"a price has no condition {unknown[0]!r}")


def _price(fact: _Fact) -> Price | None:
    currency = fact.conditions.get("currency") or fact.unit_as_printed or fact.unit
    if fact.value_number is None or not isinstance(currency, str):
        return None
    value = fact.value_number
    return Price(
        value if fact.lower is None else fact.lower,
        value if fact.upper is None else fact.upper,
        currency,
        fact.conditions.get("per"),
        fact.conditions.get("region"),
        fact.conditions.get("terms"),
        fact.conditions.get("date"),
        fact.source_text or _titles().get(fact.source_slug or "", fact.source_slug),
        fact.source_slug,
    )


@cache
def _titles() -> dict[str, str]:
    return {publication.slug: publication.title for publication in read_all()}


def _hull(prices: Sequence[Price]) -> Price:
    """Return the interval from the lowest to the highest price; other fields are those of the first."""
    return replace(
        prices[0],
        lower=min(price.lower for price in prices),
        upper=max(price.upper for price in prices),
        source=", ".join(dict.fromkeys(price.source for price in prices if price.source)) or None,
    )
