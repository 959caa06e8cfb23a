"""Costs of loads: price and power of a drive or instance over the operations or transactions of a load.

A cost is in the currency and the unit of use of its price. Volumes have none: a part of their price depends
on their use, which is not on record.
"""

from typing import NamedTuple

from tailroom.catalogue.stated_prices import Price
from tailroom.domain import act
from tailroom.domain.units import NS_PER_HOUR, NS_PER_S
from tailroom.domain.verdicts.budget_kinds import Budget, TransactionBudget


class Cost(NamedTuple):
    """Bounds of a cost, in the currency of the price per its unit of use (`Price.per`)."""

    lower: float
    upper: float


OPS_PER_KTPS = (act.READS_PER_S + act.WRITES_PER_S) / 1_000
"""A load of 1x in thousands of operations per second."""
_S_PER_HOUR = NS_PER_HOUR // NS_PER_S


def price_per_ktps(price: Price | None, load: float) -> Cost | None:
    """Return the price per 1,000 operations per second at a load in multiples of 1x; None without a price."""
    return _over(price, load * OPS_PER_KTPS)


def price_per_thousand_transactions(price: Price | None, load: float, budget: Budget) -> Cost | None:
    """Return the price per 1,000 transactions per second at a load in multiples of 1x.

    None if no price is known, or the budget is not about transactions.
    """
    return _over(price, _thousand_transactions_per_s(load, budget))


def price_per_million_transactions(price: Price | None, load: float, budget: Budget) -> Cost | None:
    """Return the price of 1,000,000 transactions at a load, in the currency, from a price per hour.

    None for a drive that is bought, since its service life is not on record.
    """
    if price is None or price.per != "hour":
        return None
    return _over(price, _thousand_transactions_per_s(load, budget) * _S_PER_HOUR / 1_000)


def watts_per_ktps(power_w: float | None, load: float) -> float | None:
    """Return the rated watts per 1,000 operations per second; `load` in multiples of 1x; None if unknown."""
    return None if power_w is None or load <= 0.0 else power_w / (load * OPS_PER_KTPS)


def watts_per_thousand_transactions(power_w: float | None, load: float, budget: Budget) -> float | None:
    """Return the rated watts per 1,000 transactions per second.

    None if the power is unknown, or the budget is not about transactions.
    """
    thousands = _thousand_transactions_per_s(load, budget)
    return None if power_w is None or thousands <= 0.0 else power_w / thousands


def _thousand_transactions_per_s(load: float, budget: Budget) -> float:
    """Return the thousands of transactions per second of a load; 0 if the budget has no transactions."""
    if not isinstance(budget, TransactionBudget):
        return 0.0
    return load * act.READS_PER_S / budget.reads / 1_000.0


def _over(price: Price | None, amount: float) -> Cost | None:
    """Return the price divided by an amount; None if there is no price or the amount is not positive."""
    return None if price is None or amount <= 0.0 or not price.has_cost else Cost(*price.over(amount))
