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


OPS_PER_KTPS = (act.READS_PER_S + act.WRITES_PER_S) / 1_000
"""A load of 1x in thousands of operations per second."""
_S_PER_HOUR = NS_PER_HOUR // NS_PER_S


def price_per_ktps(price: Price | None, load: float) -> Cost | None:
    """Return the price per 1,000 operations per second at a load in multiples of 1x. None without a price,
    for a price without a cost (`Price.has_cost`), or for a load of 0.
    """
    return _divide_price(price, load * OPS_PER_KTPS)


def price_per_thousand_transactions(price: Price | None, load: float, budget: Budget) -> Cost | None:
    """Return the price per 1,000 transactions per second at a load in multiples of 1x. None as in
    `price_per_ktps`, and for a budget that is not about transactions.
    """
    return _divide_price(price, _thousand_transactions_per_s(load, budget))


def price_per_million_transactions(price: Price | None, load: float, budget: Budget) -> Cost | None:
    """Return the price of 1,000,000 transactions at a load in multiples of 1x. None unless the price is per
    hour, because the service life of a bought drive is not known, and as in
    `price_per_thousand_transactions`.
    """
    if price is None or price.per != "hour":
        return None
    return _divide_price(price, _thousand_transactions_per_s(load, budget) * _S_PER_HOUR / 1_000)


def watts_per_ktps(power_w: float | None, load: float) -> float | None:
    """Return the rated watts per 1,000 operations per second at a load in multiples of 1x. None for an
    unknown power or a load of 0.
    """
    return None if power_w is None or load <= 0.0 else power_w / (load * OPS_PER_KTPS)


def watts_per_thousand_transactions(power_w: float | None, load: float, budget: Budget) -> float | None:
    """Return the rated watts per 1,000 transactions per second at a load in multiples of 1x. None for an
    unknown power, a load of 0, or a budget that is not about transactions.
    """
    thousands = _thousand_transactions_per_s(load, budget)
    return None if power_w is None or thousands <= 0.0 else power_w / thousands


def _thousand_transactions_per_s(load: float, budget: Budget) -> float:
    """Return the transactions per second of a load in thousands; 0 for a budget about something else."""
    if not isinstance(budget, TransactionBudget):
        return 0.0
    return load * act.READS_PER_S / budget.reads / 1_000.0


def _divide_price(price: Price | None, amount: float) -> Cost | None:
    """Return a price's bounds divided by `amount`; None without a cost or for an amount of 0 or less."""
    return None if price is None or amount <= 0.0 or not price.has_cost else Cost(*price.over(amount))
