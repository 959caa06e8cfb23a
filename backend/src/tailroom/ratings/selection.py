"""Which rows a question shows, under which common conditions, in which order, and what that hides.

With equal conditions only rows of one class are shown: of the classes that the filters leave, the one in
which most drives hold a load, then with the fewest conditions that nobody states, then with most rows. The
order of rows is total and does not depend on the page, so a cursor (the place of the last row shown) stays
right when rows come and go.
"""

import base64
import binascii
import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tailroom.domain import act
from tailroom.domain.rating.conditions import ConditionClass, EvidenceClass
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.order import ORDER, rank_of
from tailroom.domain.verdicts.verdict import Strength, Verdict
from tailroom.ratings.drives import KnownDrive
from tailroom.ratings.errors import FilterInvalid
from tailroom.ratings.leaderboard import RatedRow, Ratings
from tailroom.ratings.query import LeaderboardQuery
from tailroom.ratings.withdrawn import Withdrawn
from tailroom.runs.errors import CursorUnreadable

Key = tuple[float | str, ...]
_LARGEST = 1e300
_BACKWARDS = frozenset({"-drive"})
"""Orders by text that run from the last to the first."""
OPS_PER_KTPS = (act.READS_PER_S + act.WRITES_PER_S) / 1_000
"""A load of 1 in thousands of operations a second."""

_OF_DRIVE: dict[str, Callable[[KnownDrive], Sequence[str]]] = {
    "vendor": lambda drive: (drive.vendor,),
    "interface": lambda drive: (drive.interface,) if drive.interface else (),
    "form_factor": lambda drive: drive.form_factors,
    "drive": lambda drive: (drive.slug,),
}
_OF_ROW: dict[str, Callable[[RatedRow], Sequence[str]]] = {
    "vendor": lambda row: _OF_DRIVE["vendor"](row.drive),
    "interface": lambda row: _OF_DRIVE["interface"](row.drive),
    "form_factor": lambda row: _OF_DRIVE["form_factor"](row.drive),
    "drive": lambda row: _OF_DRIVE["drive"](row.drive),
    "op": lambda row: (row.condition_class.op_class.value,),
    "metric": lambda row: (row.condition_class.metric_class.value,),
    "generation": lambda row: (row.condition_class.generation.value,),
}
_FACETS = ("vendor", "interface", "form_factor", "op", "metric", "generation")
_OF_CONDITIONS = frozenset({"op", "metric", "generation"})


@dataclass(frozen=True, slots=True, eq=False)
class Selected:
    """Rows of one page in their order, and what was left out."""

    rows: list[RatedRow]
    total: int
    total_unfiltered: int
    chosen: ConditionClass | None
    classes: list[tuple[ConditionClass, int]]
    hidden: list[tuple[str, int]]
    facets: dict[str, list[tuple[str, int]]]
    next_cursor: str | None
    withdrawn: Sequence[Withdrawn]


def select_rows(ratings: Ratings, asked: LeaderboardQuery) -> Selected:
    """Return the rows of one page. Raises FilterInvalid, CursorUnreadable."""
    after = None if asked.cursor is None else _decode(asked.cursor, asked.sort)
    _check_values(ratings, asked)
    scope = [row for row in ratings.rows if asked.scope == "all" or (asked.scope == "public") != row.key[3]]
    base = [row for row in scope if _lies_within(row, asked)]
    filters = {name: frozenset(getattr(asked, name)) for name in _OF_ROW if getattr(asked, name)}
    matches = [row for row in base if _matches(row, filters)]
    classes = Counter(row.condition_class for row in matches)
    holding = Counter(row.condition_class for row in matches if row.passed_load > 0.0)
    everywhere = Counter(row.condition_class for row in scope)
    chosen = _chosen(classes, holding, everywhere) if asked.equal and classes else None
    shown = [row for row in matches if chosen in {None, row.condition_class}]
    backwards = asked.sort in _BACKWARDS
    order = sorted(((_key(ratings, row, asked.sort), row) for row in shown), key=_first, reverse=backwards)
    rest = order if after is None else [one for one in order if _is_after(one[0], after, backwards=backwards)]
    page = rest[: asked.limit]
    return Selected(
        rows=[row for _, row in page],
        total=len(order),
        total_unfiltered=len(scope),
        chosen=chosen,
        classes=classes.most_common(),
        hidden=_hidden(classes, chosen),
        facets=_facets(base, filters, chosen),
        next_cursor=_encode(asked.sort, page[-1][0]) if len(rest) > len(page) else None,
        withdrawn=_withdrawn(ratings.withdrawn, asked),
    )


def _first(pair: tuple[Key, RatedRow]) -> Key:
    return pair[0]


def _matches(row: RatedRow, filters: dict[str, frozenset[str]]) -> bool:
    return all(not wanted.isdisjoint(_OF_ROW[name](row)) for name, wanted in filters.items())


def _lies_within(row: RatedRow, asked: LeaderboardQuery) -> bool:
    """Return whether filters by number and text leave a row; what is not known lies within no limits."""
    capacity_bytes = row.capacity_bytes
    price = row.drive.price(capacity_bytes) if asked.price_max is not None else None
    ranges: tuple[tuple[float | None, float | None, float | None], ...] = (
        (asked.capacity_min_bytes, capacity_bytes, asked.capacity_max_bytes),
        (None, None if price is None else price.value, asked.price_max),
        (asked.year_min, row.latest_year, None),
        (asked.dwpd_min, row.drive.dwpd(capacity_bytes), None),
        (asked.load_min, row.passed_load, None),
    )
    if not all(_is_within(*bounds) for bounds in ranges):
        return False
    if (asked.run is not None and not row.has_run) or (
        asked.tested_to_failure and math.isinf(row.failed_load)
    ):
        return False
    return _is_called(row.drive, asked.search)


def _is_within(least: float | None, value: float | None, most: float | None) -> bool:
    if least is None and most is None:
        return True
    return value is not None and (least is None or value >= least) and (most is None or value <= most)


def _is_called(drive: KnownDrive, search: str | None) -> bool:
    name = f"{drive.vendor} {drive.name}".casefold()
    return all(word in name for word in (search or "").casefold().split())


def _withdrawn(withdrawn: Sequence[Withdrawn], asked: LeaderboardQuery) -> list[Withdrawn]:
    """Return those of the drives asked for. They belong to no conditions and no evidence any more."""
    if asked.cursor is not None or asked.scope == "mine" or asked.run is not None:
        return []
    chosen = {name: frozenset(getattr(asked, name)) for name in _OF_DRIVE if getattr(asked, name)}
    return [
        one
        for one in withdrawn
        if all(not wanted.isdisjoint(_OF_DRIVE[name](one.drive)) for name, wanted in chosen.items())
        and _is_called(one.drive, asked.search)
    ]


def _check_values(ratings: Ratings, asked: LeaderboardQuery) -> None:
    for name, of_drive in _OF_DRIVE.items():
        values = getattr(asked, name)
        if values:
            known = {text for drive in ratings.drives.values() for text in of_drive(drive)}
            known |= {text for row in ratings.rows for text in of_drive(row.drive)}
            unknown = [value for value in values if value not in known]
            if unknown:
                raise FilterInvalid.of(name, f"nothing in the catalogue has “{unknown[0][:80]}”")


def _chosen(
    classes: Counter[ConditionClass], holding: Counter[ConditionClass], everywhere: Counter[ConditionClass]
) -> ConditionClass:
    """Of classes with as many rows the one that has more without the filters: who looks for a drive by its
    name stays under the conditions that were shown before.
    """

    def order(one: ConditionClass) -> tuple[int, int, int, int, tuple[str, ...]]:
        counts = -classes[one], -everywhere[one]
        return (-holding[one], unstated_conditions(one), *counts, _class_order(one))

    return min(classes, key=order)


def unstated_conditions(one: ConditionClass) -> int:
    """Return how many conditions of a class nobody states."""
    stated = (one.metric_class, one.op_class, one.generation)
    return sum(value == "unstated" for value in stated) + (one.record_class is None)


def _class_order(one: ConditionClass) -> tuple[str, ...]:
    values = (one.metric_class, one.op_class, one.generation, one.usable_cluster, one.record_class)
    return tuple(str(value) for value in values)


def _hidden(classes: Counter[ConditionClass], chosen: ConditionClass | None) -> list[tuple[str, int]]:
    if chosen is None:
        return []
    reasons: Counter[str] = Counter()
    for one, count in classes.items():
        why = one.differs_from(chosen)
        if why is not None:
            reasons[why] += count
    return reasons.most_common()


def _facets(
    base: Sequence[RatedRow], filters: dict[str, frozenset[str]], chosen: ConditionClass | None
) -> dict[str, list[tuple[str, int]]]:
    """Return values that each filter can take, counted over the rows that the other filters leave."""
    found: dict[str, list[tuple[str, int]]] = {}
    for name in _FACETS:
        others = {other: wanted for other, wanted in filters.items() if other != name}
        counts = Counter(
            text
            for row in base
            if _matches(row, others) and (name in _OF_CONDITIONS or chosen in {None, row.condition_class})
            for text in _OF_ROW[name](row)
        )
        found[name] = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    counts = Counter(one for row in base if _matches(row, filters) for one in row.evidence)
    found["evidence"] = [(one.value, counts[one.value]) for one in EvidenceClass if counts[one.value]]
    return found


def _key(ratings: Ratings, row: RatedRow, sort: str) -> Key:
    """Return what rows are sorted by, ascending; what is not known comes last, whichever way."""
    descending = sort.startswith("-")
    values = _VALUES[sort.removeprefix("-")](ratings, row)
    numbers = tuple(_number(value, descending=descending) for value in values)
    return (*numbers, f"{row.drive.vendor} {row.drive.name}".casefold(), row.row_id)


def _number(value: float | None, *, descending: bool) -> float:
    if value is None or math.isnan(value):
        return math.inf
    return -value if descending else value


def _rating(_ratings: Ratings, row: RatedRow) -> tuple[float | None, ...]:
    """What is known comes first (`domain.verdicts.order`), then the highest passed load, the highest that is
    possible, what is proven, the fewest slow reads.
    """
    verdict = row.verdict
    strengths: dict[Verdict, Strength | None] = {
        Verdict.PASS: row.passed_strength,
        Verdict.FAIL: row.failed_strength,
    }
    return (
        ORDER.index(verdict),
        -row.passed_load,
        -min(row.failed_load, _LARGEST),
        rank_of(verdict, strengths.get(verdict)),
        row.common.upper if row.common else None,
    )


def price_per_ktps(_ratings: Ratings, row: RatedRow) -> float | None:
    """Return the price by 1,000 operations a second of the highest passed load."""
    price = row.drive.price(row.capacity_bytes)
    held = row.passed_load
    return None if price is None or held <= 0.0 else price.value / (held * OPS_PER_KTPS)


def watts_per_ktps(_ratings: Ratings, row: RatedRow) -> float | None:
    """Return the rated power by 1,000 operations a second of the highest passed load."""
    power_w, held = row.drive.power_w(row.capacity_bytes), row.passed_load
    return None if power_w is None or held <= 0.0 else power_w / (held * OPS_PER_KTPS)


def price_per_thousand_transactions(ratings: Ratings, row: RatedRow) -> float | None:
    """Return the price by 1,000 transactions a second of the question, at the highest load that passes it;
    None where the question is not about transactions of reads.
    """
    price = row.drive.price(row.capacity_bytes)
    return None if price is None else _per_thousand_transactions(ratings, row, price.value)


def watts_per_thousand_transactions(ratings: Ratings, row: RatedRow) -> float | None:
    """Return the rated power by the same."""
    power_w = row.drive.power_w(row.capacity_bytes)
    return None if power_w is None else _per_thousand_transactions(ratings, row, power_w)


def _per_thousand_transactions(ratings: Ratings, row: RatedRow, amount: float) -> float | None:
    budget, held = ratings.question.budget, row.passed_load
    if held <= 0.0 or not isinstance(budget, TransactionBudget):
        return None
    return amount / (held * act.READS_PER_S / budget.reads) * 1_000.0


def _price(_ratings: Ratings, row: RatedRow) -> tuple[float | None, ...]:
    price = row.drive.price(row.capacity_bytes)
    return (None if price is None else price.value,)


_VALUES: dict[str, Callable[[Ratings, RatedRow], tuple[float | None, ...]]] = {
    "rating": _rating,
    "drive": lambda _ratings, _row: (),
    "capacity": lambda _ratings, row: (row.capacity_bytes,),
    "dwpd": lambda _ratings, row: (row.drive.dwpd(row.capacity_bytes),),
    "power": lambda _ratings, row: (row.drive.power_w(row.capacity_bytes),),
    "price": _price,
    "price_per_ktps": lambda ratings, row: (price_per_ktps(ratings, row),),
    "watts_per_ktps": lambda ratings, row: (watts_per_ktps(ratings, row),),
    "exceedance": lambda _ratings, row: (row.common.upper if row.common else None,),
}


def _encode(sort: str, key: Key) -> str:
    return base64.urlsafe_b64encode(json.dumps([sort, *key]).encode()).decode()


def _decode(text: str, sort: str) -> Key:
    """Reads what `_encode` wrote for the same order. Raises CursorUnreadable for anything else."""
    try:
        found: Any = json.loads(base64.b64decode(text, altchars=b"-_", validate=True))
        values = list(found)
    except (binascii.Error, ValueError, TypeError, RecursionError):
        values = []
    sizes = {"rating": 5, "drive": 0}
    length = sizes.get(sort.removeprefix("-"), 1)
    is_ours = (
        len(values) == length + 3
        and values[0] == sort
        and all(isinstance(one, int | float) and not isinstance(one, bool) for one in values[1:-2])
        and all(isinstance(one, str) for one in values[-2:])
    )
    if not is_ours:
        raise CursorUnreadable("The `cursor` is not one of this order of rows; begin again without `cursor`.")
    return tuple(values[1:])


def _is_after(key: Key, after: Key, *, backwards: bool) -> bool:
    return key < after if backwards else key > after
