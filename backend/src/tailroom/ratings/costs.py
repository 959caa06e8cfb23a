"""Costs of loads: price and power of a drive or instance, divided by the operations of a load.

A cost is in the currency of its price and, like it, per purchase or per hour (`Price.per`). Volumes have no
cost: a part of their price depends on their use, which is not on record.
"""

from typing import NamedTuple

from tailroom.catalogue.stated_prices import Price
from tailroom.domain import act
from tailroom.domain.units import NS_PER_HOUR, NS_PER_S
from tailroom.domain.verdicts.budget_kinds import Budget, TransactionBudget


class Cost(NamedTuple):
    """Lower and upper bound of a cost, in the currency of the price."""

    lower: float
    upper: float


_S_PER_HOUR = NS_PER_HOUR // NS_PER_S


def thousand_operations_per_s(load: float) -> float:
    """Return the operations per second of a load in multiples of 1x, in thousands."""
    return load * ((act.READS_PER_S + act.WRITES_PER_S) / 1_000)


def thousand_transactions_per_s(load: float, budget: Budget) -> float:
    """Return the transactions per second of a load in thousands; 0 for a budget about something else."""
    if not isinstance(budget, TransactionBudget):
        return 0.0
    return load * act.READS_PER_S / budget.reads / 1_000.0


def price_per(price: Price | None, amount: float) -> Cost | None:
    """Return a price divided by an amount. None without a price, for a price without a cost
    (`Price.has_cost`), or for an amount of 0.
    """
    return None if price is None or amount <= 0.0 or not price.has_cost else Cost(*price.over(amount))


def price_per_million_transactions(price: Price | None, load: float, budget: Budget) -> Cost | None:
    """Return the price of 1,000,000 transactions at a load in multiples of 1x. None unless the price is per
    hour, because the service life of a bought drive is not known, and as in `price_per`.
    """
    if price is None or price.per != "hour":
        return None
    return price_per(price, thousand_transactions_per_s(load, budget) * _S_PER_HOUR / 1_000)


def watts_per(power_w: float | None, amount: float) -> float | None:
    """Return the rated watts divided by an amount; None for an unknown power or an amount of 0."""
    return None if power_w is None or amount <= 0.0 else power_w / amount
