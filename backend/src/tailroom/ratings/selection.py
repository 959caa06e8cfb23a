"""Selection of leaderboard rows: filters, common conditions, order, and reasons for hidden rows.

With equal conditions only rows of one class are shown: of the classes that the filters leave, the class in
which most drives hold a load, then with the fewest unstated conditions, then with most rows. The order of
rows is total and does not depend on the page, so a cursor (the key of the last row shown) stays valid when
rows are added or removed.
"""

import base64
import binascii
import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, get_args

from tailroom.catalogue.stated_prices import Price, PriceUnit
from tailroom.domain.rating.conditions import ConditionClass, EvidenceClass
from tailroom.domain.verdicts.order import ORDER, rank_of
from tailroom.domain.verdicts.verdict import Strength, Verdict
from tailroom.ratings import costs
from tailroom.ratings.drives import CatalogueDrive, Json
from tailroom.ratings.errors import FilterInvalid
from tailroom.ratings.leaderboard import RatedRow, Ratings
from tailroom.ratings.query import LeaderboardQuery
from tailroom.runs.errors import CursorUnreadable

Key = tuple[float | str, ...]
_UNITS: tuple[PriceUnit | None, ...] = (None, *get_args(PriceUnit))
_LARGEST = 1e300
"""Sort value in place of infinity, which a cursor in JSON cannot have."""
_BACKWARDS = frozenset({"-drive"})
"""Orders whose keys are sorted descending: a text cannot be negated as a number can."""

_OF_DRIVE: dict[str, Callable[[CatalogueDrive], Sequence[str]]] = {
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
"""Filters whose numbers of rows count all classes of conditions."""


class SelectedRows(NamedTuple):
    """Rows of a page in order, and the other fields of the page that depend on the query, for the API."""

    rows: list[RatedRow]
    fields: Json


def select_rows(ratings: Ratings, query: LeaderboardQuery) -> SelectedRows:
    """Return the rows of one page, with the numbers of rows left out.

    Raise FilterInvalid if no drive has a value of a filter, CursorUnreadable if the cursor is not one of this
    order.
    """
    after = None if query.cursor is None else _decode_cursor(query.cursor, query.sort)
    _check_values(ratings, query)
    scope = [row for row in ratings.rows if query.scope == "all" or (query.scope == "public") != row.key[3]]
    base = [row for row in scope if _is_in_ranges(row, query)]
    filters = {name: frozenset(getattr(query, name)) for name in _OF_ROW if getattr(query, name)}
    matches = [row for row in base if _matches(row, filters)]
    classes = Counter(row.condition_class for row in matches)
    holding = Counter(row.condition_class for row in matches if row.passed_load > 0.0)
    everywhere = Counter(row.condition_class for row in scope)
    chosen = _common_class(classes, holding, everywhere) if query.equal and classes else None
    shown = [row for row in matches if chosen in {None, row.condition_class}]
    backwards = query.sort in _BACKWARDS
    keyed = [(_key(ratings, row, query.sort), row) for row in shown]
    order = sorted(keyed, key=itemgetter(0), reverse=backwards)
    rest = order
    if after is not None:
        rest = [(key, row) for key, row in order if (key < after if backwards else key > after)]
    page = rest[: query.limit]
    hidden = _hidden_reasons(classes, chosen)
    facets = _facets(base, filters, chosen)
    return SelectedRows(
        [row for _, row in page],
        {
            "next_cursor": _encode_cursor(query.sort, page[-1][0]) if len(rest) > len(page) else None,
            "total": len(order),
            "total_unfiltered": len(scope),
            "conditions": None if chosen is None else _conditions_out(ratings, chosen, classes[chosen]),
            "classes": [_conditions_out(ratings, each, count) for each, count in classes.most_common()],
            "hidden": {
                "count": hidden.total(),
                "reasons": [{"reason": reason, "count": count} for reason, count in hidden.most_common()],
            },
            "facets": {
                name: [{"value": value, "count": count} for value, count in values]
                for name, values in facets.items()
            },
            "tests_waiting": len(ratings.judged.waiting),
            "withdrawn": _select_withdrawn(ratings, query),
        },
    )


def _conditions_out(ratings: Ratings, conditions: ConditionClass, rows: int) -> Json:
    stated = (row.usable_ratio for row in ratings.rows if row.condition_class == conditions)
    return {
        "metric_class": conditions.metric_class.value,
        "op_class": conditions.op_class.value,
        "generation": conditions.generation.value,
        "usable_ratio": next((ratio for ratio in stated if ratio is not None), None),
        "record_bytes": conditions.record_bytes,
        "rows": rows,
        "text": conditions.text,
    }


def _matches(row: RatedRow, filters: dict[str, frozenset[str]]) -> bool:
    return all(not values.isdisjoint(_OF_ROW[name](row)) for name, values in filters.items())


def _is_in_ranges(row: RatedRow, query: LeaderboardQuery) -> bool:
    """Return whether a row meets the query's ranges, run, failed load and search. An unknown value is outside
    every range, and so is a price per time.
    """
    capacity_bytes = row.capacity_bytes
    price = row.drive.price(capacity_bytes) if query.price_max is not None else None
    bought = None if price is None or price.per is not None else price.upper
    ranges: tuple[tuple[float | None, float | None, float | None], ...] = (
        (query.capacity_min_bytes, capacity_bytes, query.capacity_max_bytes),
        (None, bought, query.price_max),
        (query.year_min, row.tested_year, None),
        (query.dwpd_min, row.drive.dwpd(capacity_bytes), None),
        (query.load_min, row.passed_load, None),
    )
    if not all(_is_within(*bounds) for bounds in ranges):
        return False
    if (query.run is not None and not row.has_run) or (
        query.tested_to_failure and math.isinf(row.failed_load)
    ):
        return False
    return _name_matches(row.drive, query.search)


def _is_within(least: float | None, value: float | None, most: float | None) -> bool:
    """Return whether a value is within inclusive bounds, None if open; None is within open bounds only."""
    if least is None and most is None:
        return True
    return value is not None and (least is None or value >= least) and (most is None or value <= most)


def _name_matches(drive: CatalogueDrive, search: str | None) -> bool:
    name = f"{drive.vendor} {drive.name}".casefold()
    return all(word in name for word in (search or "").casefold().split())


def _select_withdrawn(ratings: Ratings, query: LeaderboardQuery) -> list[Json]:
    """Return the withdrawn tests that match the query's drive filters and search, whatever their conditions.
    Empty after the first page, and in a query for own rows or for a run.
    """
    if query.cursor is not None or query.scope == "mine" or query.run is not None:
        return []
    chosen = {name: frozenset(getattr(query, name)) for name in _OF_DRIVE if getattr(query, name)}
    return [
        test
        for test in ratings.withdrawn
        if (drive := ratings.drives[test["drive"]["slug"]])
        and all(not values.isdisjoint(_OF_DRIVE[name](drive)) for name, values in chosen.items())
        and _name_matches(drive, query.search)
    ]


def _check_values(ratings: Ratings, query: LeaderboardQuery) -> None:
    for name, of_drive in _OF_DRIVE.items():
        values = getattr(query, name)
        if values:
            existing = {text for drive in ratings.drives.values() for text in of_drive(drive)}
            existing |= {text for row in ratings.rows for text in of_drive(row.drive)}
            unknown = [value for value in values if value not in existing]
            if unknown:
                raise FilterInvalid.of(name, f"nothing in the catalogue has “{unknown[0][:80]}”")


def _common_class(
    classes: Counter[ConditionClass], holding: Counter[ConditionClass], everywhere: Counter[ConditionClass]
) -> ConditionClass:
    """Return the class of conditions to show, by numbers of rows: those that match (`classes`), those of them
    with a passed load (`holding`), and those without filters (`everywhere`), so that a search for a drive
    does not change the class without need.
    """

    def order(candidate: ConditionClass) -> tuple[int, int, int, int, tuple[str, ...]]:
        counts = -classes[candidate], -everywhere[candidate]
        return (-holding[candidate], unstated_conditions(candidate), *counts, _class_order(candidate))

    return min(classes, key=order)


def unstated_conditions(conditions: ConditionClass) -> int:
    """Return how many of four conditions of a class no source states."""
    stated = (conditions.metric_class, conditions.op_class, conditions.generation)
    return sum(value == "unstated" for value in stated) + (conditions.record_class is None)


def _class_order(conditions: ConditionClass) -> tuple[str, ...]:
    values = (
        conditions.metric_class,
        conditions.op_class,
        conditions.generation,
        conditions.usable_cluster,
        conditions.record_class,
    )
    return tuple(str(value) for value in values)


def _hidden_reasons(classes: Counter[ConditionClass], chosen: ConditionClass | None) -> Counter[str]:
    reasons: Counter[str] = Counter()
    for conditions, count in classes.items():
        reason = None if chosen is None else conditions.differs_from(chosen)
        if reason is not None:
            reasons[reason] += count
    return reasons


def _facets(
    base: Sequence[RatedRow], filters: dict[str, frozenset[str]], chosen: ConditionClass | None
) -> dict[str, list[tuple[str, int]]]:
    """Return for each filter its values with their numbers of rows, most frequent first. A filter does not
    reduce the numbers of its own values. Only rows of the class `chosen` count, None for any, except for
    evidence and filters on conditions. Evidence counts the rows that match every filter.
    """
    facets: dict[str, list[tuple[str, int]]] = {}
    for name in _FACETS:
        other_filters = {key: values for key, values in filters.items() if key != name}
        counts = Counter(
            text
            for row in base
            if _matches(row, other_filters)
            and (name in _OF_CONDITIONS or chosen in {None, row.condition_class})
            for text in _OF_ROW[name](row)
        )
        facets[name] = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    counts = Counter(kind for row in base if _matches(row, filters) for kind in row.evidence)
    facets["evidence"] = [(kind.value, counts[kind.value]) for kind in EvidenceClass if counts[kind.value]]
    return facets


def _key(ratings: Ratings, row: RatedRow, sort: str) -> Key:
    """Return a row's sort key: values of the order, drive name, row id. Unknown values are always last."""
    descending = sort.startswith("-")
    values = _VALUES[sort.removeprefix("-")](ratings, row)
    numbers = tuple(_number(value, descending=descending) for value in values)
    return (*numbers, f"{row.drive.vendor} {row.drive.name}".casefold(), row.row_id)


def _number(value: float | None, *, descending: bool) -> float:
    """Return a value for an ascending sort, negated if `descending`; infinity if it is unknown."""
    if value is None or math.isnan(value):
        return math.inf
    return -value if descending else value


def _rating(_ratings: Ratings, row: RatedRow) -> tuple[float | None, ...]:
    """Return the sort values of the rating: decided verdicts first (`domain.verdicts.order`), then the
    highest passed load, the highest possible load, proven before observed, the fewest slow reads.
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
        row.common_cell.upper if row.common_cell else None,
    )


def _cost_sort_values(price: Price | None, cost: costs.Cost | None) -> tuple[float | None, ...]:
    """Return the sort values of a cost: unit of the price, currency, upper bound; all None if unknown."""
    if price is None or cost is None:
        return None, None, None
    return _UNITS.index(price.per), int.from_bytes(price.currency.encode()), cost.upper


def _price(_ratings: Ratings, row: RatedRow) -> tuple[float | None, ...]:
    price = row.price
    return _cost_sort_values(price, None if price is None else costs.Cost(price.lower, price.upper))


_VALUES: dict[str, Callable[[Ratings, RatedRow], tuple[float | None, ...]]] = {
    "rating": _rating,
    "drive": lambda _ratings, _row: (),
    "capacity": lambda _ratings, row: (row.capacity_bytes,),
    "dwpd": lambda _ratings, row: (row.drive.dwpd(row.capacity_bytes),),
    "power": lambda _ratings, row: (row.power_w,),
    "price": _price,
    "price_per_ktps": lambda _ratings, row: _cost_sort_values(
        row.price, costs.price_per(row.price, costs.thousand_operations_per_s(row.passed_load))
    ),
    "watts_per_ktps": lambda _ratings, row: (
        costs.watts_per(row.power_w, costs.thousand_operations_per_s(row.passed_load)),
    ),
    "exceedance": lambda _ratings, row: (row.common_cell.upper if row.common_cell else None,),
}
"""Sort values of a row by the name of the order, for ascending order."""


def _encode_cursor(sort: str, key: Key) -> str:
    return base64.urlsafe_b64encode(json.dumps([sort, *key]).encode()).decode()


def _decode_cursor(text: str, sort: str) -> Key:
    try:
        decoded: Any = json.loads(base64.b64decode(text, altchars=b"-_", validate=True))
        values = list(decoded)
    except (binascii.Error, ValueError, TypeError, RecursionError):
        values = []
    sizes = {"rating": 5, "drive": 0, "price": 3, "price_per_ktps": 3}
    length = sizes.get(sort.removeprefix("-"), 1)
    is_valid = (
        len(values) == length + 3
        and values[0] == sort
        and all(isinstance(value, int | float) and not isinstance(value, bool) for value in values[1:-2])
        and all(isinstance(value, str) for value in values[-2:])
    )
    if not is_valid:
        raise CursorUnreadable("The `cursor` is not one of this order of rows; begin again without `cursor`.")
    return tuple(values[1:])
