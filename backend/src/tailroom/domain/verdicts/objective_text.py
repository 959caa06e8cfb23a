"""A latency objective in one line of text as a budget: `p99 get < 10ms`, `99.9% read < 1ms`, `p99.9 < 5ms`.

Share, operation and time, in this order. Without an operation it is the record's own (`OWN_OPERATION`). `<=`
means at most the time, `<` less than it.
"""

import re
from decimal import Decimal

from tailroom.domain.units import QuantityInvalid, duration_ns, exact_percent, latency_text
from tailroom.domain.verdicts.budget_kinds import (
    OWN_OPERATION,
    BudgetInvalid,
    PercentileBudget,
    QuantileLimit,
)

OBJECTIVE = "objective"
"""Name of every budget from an objective. It identifies no single budget: every text has another document."""
_EXAMPLES = "write it as p99 get < 10ms, 99.9% read < 1ms or p99.9 < 5ms"
_NUMBER = r"(\d{1,3}(?:\.\d{1,13})?)"
_SHARE = re.compile(rf"(?:p\s?{_NUMBER}(?:\s*%)?|{_NUMBER}\s*%)(?:\s+of\b)?", re.ASCII | re.IGNORECASE)
_OPERATION = re.compile(r"(?!\d)[^\s<≤=>%]+(?: (?!\d)[^\s<≤=>%]+)*")
_COMPARISON = re.compile(r"<=|≤|<")
_LONGEST = 300


class ObjectiveInvalid(BudgetInvalid):
    """Text that is no objective; the message names the place and shows how to write it."""


def is_objective(text: str) -> bool:
    """Return whether a text contains a comparison (`<`, `<=` or `≤`); a share alone is no objective."""
    return _COMPARISON.search(text) is not None


def objective_of(text: str) -> PercentileBudget:
    """Return the budget of an objective in text, such as `p99 get < 10ms`. `<=` becomes a limit of 1 ns more.
    Raise ObjectiveInvalid for other text, a share of 0 or of 100 % and more, and over 300 characters.
    """
    if len(text) > _LONGEST:
        raise ObjectiveInvalid(
            f"an objective has at most {_LONGEST} characters, not {len(text)}: {_EXAMPLES}"
        )

    def after_blanks(at: int) -> int:
        return at + len(text[at:]) - len(text[at:].lstrip())

    def refusal(expected: str, at: int) -> ObjectiveInvalid:
        """Return the error that the part `expected` is missing at this position."""
        where = f"at {text[at:][:40]!r} (character {at + 1})" if at < len(text) else "at its end"
        return ObjectiveInvalid(f"the objective {text[:100]!r} needs {expected} {where}: {_EXAMPLES}")

    at = after_blanks(0)
    share = _SHARE.match(text, at)
    quantile = Decimal(share[1] or share[2]) / 100 if share else Decimal(0)
    if share is None or not 0 < quantile < 1:
        raise refusal("a share between 0 and 100, such as p99 or 99.9%,", at)
    at = after_blanks(share.end())
    named = _OPERATION.match(text, at)
    operation = named[0] if named else OWN_OPERATION
    at = after_blanks(named.end() if named else at)
    compared = _COMPARISON.match(text, at)
    if compared is None:
        raise refusal("< and a time", at)
    at = after_blanks(compared.end())
    try:
        time_ns = duration_ns(text[at:])
    except QuantityInvalid:
        raise refusal("a time with its unit, such as 10ms or 250us,", at) from None
    if time_ns <= 0:
        raise refusal("a time greater than 0", at)
    at_most = compared[0] != "<"
    name = f"p{share[1]}" if share[1] else exact_percent(float(quantile))
    is_own = operation == OWN_OPERATION
    timed, operations = ("operations",) * 2 if is_own else (operation, f"the `{operation}` operations")
    return PercentileBudget(
        name=OBJECTIVE,
        version=1,
        title=f"{name} of {timed} {'≤' if at_most else '<'} {latency_text(time_ns)}",
        question=f"Do {exact_percent(float(quantile))} of {operations} take "
        f"{'at most' if at_most else 'less than'} {latency_text(time_ns)}?",
        operation=operation,
        limits=(QuantileLimit(float(quantile), time_ns + 1 if at_most else time_ns),),
    )
