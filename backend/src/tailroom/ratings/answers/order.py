"""Which rows a question shows, under which common conditions, in which order, and what that hides.

With equal conditions only rows of one class are shown: of the classes that the filters leave, the one with
the fewest conditions that nobody states, then the one with most rows. The order of rows is total and does not
depend on the page, so a cursor (the place of the last row shown) stays right when rows come and go.
"""

import base64
import binascii
import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from tailroom.domain import act
from tailroom.domain.rating.conditions import ConditionClass
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.order import ORDER
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.kit.outside_types import read_json
from tailroom.ratings.answers.answer import Answer
from tailroom.ratings.board.board import EVIDENCE, Board, BoardRow
from tailroom.ratings.board.drives import KnownDrive
from tailroom.ratings.board.withdrawn import Withdrawn
from tailroom.ratings.errors import FilterInvalid
from tailroom.ratings.questions.query import LeaderboardQuery
from tailroom.runs.errors import CursorUnreadable

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]
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
_FROM_DATA = tuple(_OF_DRIVE)
"""Filters whose values are those of the catalogue; others are fixed."""


def _about_drive(name: str, row: BoardRow) -> Sequence[str]:
    return _OF_DRIVE[name](row.drive)


_TEXTS: dict[str, Callable[[BoardRow], Sequence[str]]] = {
    **{name: partial(_about_drive, name) for name in _FROM_DATA},
    "op": lambda row: (row.condition_class.op_class.value,),
    "metric": lambda row: (row.condition_class.metric_class.value,),
    "generation": lambda row: (row.condition_class.generation.value,),
}
_FACETS = ("vendor", "interface", "form_factor", "op", "metric", "generation")


@dataclass(frozen=True, slots=True, eq=False)
class Selected:
    """Places of rows in their order, and what was left out."""

    places: list[int]
    keys: list[Key]
    total: int
    total_unfiltered: int
    chosen: ConditionClass | None
    classes: list[tuple[ConditionClass, int]]
    hidden: list[tuple[str, int]]
    facets: dict[str, list[tuple[str, int]]]
    next_cursor: str | None
    withdrawn: Sequence[Withdrawn]


def select_rows(answer: Answer, asked: LeaderboardQuery) -> Selected:
    """The rows of one page. Raises FilterInvalid, CursorUnreadable."""
    after = None if asked.cursor is None else _decode(asked.cursor, asked.sort)
    board = answer.board
    _check_values(board, asked)
    scope = _in_scope(board, asked) & answer.is_there
    by_filter = {name: _one_of(board, name, getattr(asked, name)) for name in _TEXTS if getattr(asked, name)}
    numbers = _numbers(board, asked)
    matches = np.logical_and.reduce([scope, numbers, *by_filter.values()])
    classes = _classes(board, matches)
    chosen = _chosen(classes, _classes(board, scope)) if asked.equal and classes else None
    shown = matches
    if chosen is not None:
        same = np.array([row.condition_class == chosen for row in board.rows], np.bool_)
        shown = matches & same
    hidden = _hidden(classes, chosen)
    backwards = asked.sort in _BACKWARDS
    order = _ordered(answer, np.flatnonzero(shown).tolist(), asked.sort)
    rest = order if after is None else [one for one in order if _is_after(one[0], after, backwards=backwards)]
    page = rest[: asked.limit]
    return Selected(
        places=[place for _, place in page],
        keys=[key for key, _ in page],
        total=len(order),
        total_unfiltered=int(scope.sum()),
        chosen=chosen,
        classes=classes.most_common(),
        hidden=hidden,
        facets=_facets(answer, scope & numbers, by_filter, chosen),
        next_cursor=_encode(asked.sort, page[-1][0]) if len(rest) > len(page) else None,
        withdrawn=_withdrawn(board, asked),
    )


def _in_scope(board: Board, asked: LeaderboardQuery) -> Bools:
    if asked.scope == "all":
        return np.ones(len(board.rows), np.bool_)
    wanted = "public" if asked.scope == "public" else "private"
    return np.array([row.visibility == wanted for row in board.rows], np.bool_)


def _one_of(board: Board, name: str, values: Sequence[str]) -> Bools:
    chosen, texts = frozenset(values), _TEXTS[name]
    return np.array([not chosen.isdisjoint(texts(row)) for row in board.rows], np.bool_)


def _numbers(board: Board, asked: LeaderboardQuery) -> Bools:
    """Filters by number and text; what is not known lies within no limits."""
    found = np.ones(len(board.rows), np.bool_)
    if asked.capacity_min_bytes is not None:
        found &= board.capacities >= asked.capacity_min_bytes
    if asked.capacity_max_bytes is not None:
        found &= board.capacities <= asked.capacity_max_bytes
    if asked.price_max is not None:
        found &= board.price_values <= asked.price_max
    if asked.run is not None:
        of_run = [place for place, test in enumerate(board.tests) if test.run_id == asked.run]
        found &= np.isin(np.arange(len(board.rows)), board.row_of[of_run])
    if asked.search is not None:
        words = asked.search.casefold().split()
        found &= np.array(
            [_is_called(row.drive, words) for row in board.rows],
            np.bool_,
        )
    return found


def _is_called(drive: KnownDrive, words: Sequence[str]) -> bool:
    return all(word in f"{drive.vendor} {drive.name}".casefold() for word in words)


def _withdrawn(board: Board, asked: LeaderboardQuery) -> list[Withdrawn]:
    """Of the drives that are asked for. They belong to no conditions and no evidence any more."""
    if asked.cursor is not None or asked.scope == "mine" or asked.run is not None:
        return []
    chosen = {name: frozenset(getattr(asked, name)) for name in _FROM_DATA if getattr(asked, name)}
    words = (asked.search or "").casefold().split()
    return [
        one
        for one in board.withdrawn
        if all(not wanted.isdisjoint(_OF_DRIVE[name](one.drive)) for name, wanted in chosen.items())
        and _is_called(one.drive, words)
    ]


def _check_values(board: Board, asked: LeaderboardQuery) -> None:
    for name in _FROM_DATA:
        values = getattr(asked, name)
        if not values:
            continue
        if name == "drive":
            known = set(board.drives)
        elif name == "vendor":
            known = {one.vendor for one in board.drives.values()}
        elif name == "interface":
            known = {one.interface for one in board.drives.values() if one.interface}
        else:
            known = {text for one in board.drives.values() for text in one.form_factors}
        known |= {text for row in board.rows for text in _TEXTS[name](row)}
        strange = [value for value in values if value not in known]
        if strange:
            raise FilterInvalid.of(name, f"nothing in the catalogue has “{strange[0][:80]}”")


def _classes(board: Board, which: Bools) -> Counter[ConditionClass]:
    return Counter(board.rows[place].condition_class for place in np.flatnonzero(which).tolist())


def _chosen(classes: Counter[ConditionClass], everywhere: Counter[ConditionClass]) -> ConditionClass:
    """Of classes with as many rows the one that has more without the filters: who looks for a drive by its
    name stays under the conditions that were shown before.
    """
    return min(
        classes,
        key=lambda one: (unstated_conditions(one), -classes[one], -everywhere[one], _class_order(one)),
    )


def unstated_conditions(one: ConditionClass) -> int:
    """How many conditions of a class nobody states."""
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
    answer: Answer, base: Bools, by_filter: dict[str, Bools], chosen: ConditionClass | None
) -> dict[str, list[tuple[str, int]]]:
    """Values that each filter can take, counted over the rows that the other filters leave."""
    found: dict[str, list[tuple[str, int]]] = {}
    board = answer.board
    of_conditions = {"op", "metric", "generation"}
    same = (
        None if chosen is None else np.array([row.condition_class == chosen for row in board.rows], np.bool_)
    )
    for name in _FACETS:
        left = np.logical_and.reduce([base, *(one for other, one in by_filter.items() if other != name)])
        if same is not None and name not in of_conditions:
            left = left & same
        values, rows, value_of = _values(board, name)
        counts = np.bincount(value_of[left[rows]], minlength=len(values)).tolist()
        some = [(value, count) for value, count in zip(values, counts, strict=True) if count]
        found[name] = sorted(some, key=lambda pair: (-pair[1], pair[0]))
    left_rows = np.logical_and.reduce([base, *by_filter.values()])
    rows, evidence_of = board.evidence_of_rows
    evidence = np.bincount(evidence_of[left_rows[rows]], minlength=len(EVIDENCE)).tolist()
    found["evidence"] = [(one.value, count) for one, count in zip(EVIDENCE, evidence, strict=True) if count]
    return found


def _values(board: Board, name: str) -> tuple[list[str], Ints, Ints]:
    """What the rows of a board say of a facet: the values; rows, and the place of the value of each."""
    key = f"values of {name}"
    kept: tuple[list[str], Ints, Ints] | None = board.worked_out.get(key)
    if kept is None:
        said = [(place, text) for place, row in enumerate(board.rows) for text in _TEXTS[name](row)]
        values = sorted({text for _, text in said})
        place_of = {text: place for place, text in enumerate(values)}
        rows = np.array([place for place, _ in said], np.int64)
        kept = values, rows, np.array([place_of[text] for _, text in said], np.int64)
        board.worked_out[key] = kept
    return kept


def _ordered(answer: Answer, places: list[int], sort: str) -> list[tuple[Key, int]]:
    """Rows with their keys, ascending by key; what is not known comes last, whichever way."""
    keys = answer.orders.get(sort)
    if keys is None:
        keys = answer.orders[sort] = [_key(answer, place, sort) for place in range(len(answer.board.rows))]
    return sorted(((keys[place], place) for place in places), reverse=sort in _BACKWARDS)


def _key(answer: Answer, place: int, sort: str) -> Key:
    descending = sort.startswith("-")
    row = answer.board.rows[place]
    values = _VALUES[sort.removeprefix("-")](answer, place)
    head = tuple(_number(value, descending=descending) for value in values)
    name = f"{row.drive.vendor} {row.drive.name}".casefold()
    return (*head, name, row.row_id)


def _number(value: float | None, *, descending: bool) -> float:
    if value is None or math.isnan(value):
        return math.inf
    return -value if descending else value


def _rating(answer: Answer, place: int) -> tuple[float | None, ...]:
    """What is known comes first (`domain.verdicts.order`), then the highest passed load, the highest that is
    possible, the fewest slow reads.
    """
    lower, upper = float(answer.rating_lower[place]), float(answer.rating_upper[place])
    load = answer.common_load[place]
    share = answer.upper[0, place, load] if load >= 0 else math.nan
    return (ORDER.index(_word(answer, place)), -lower, -min(upper, _LARGEST), float(share))


def _word(answer: Answer, place: int) -> Verdict:
    """PASS: it holds a load, by tests that count; FAIL: it holds none, and fails at one."""
    if answer.rating_lower[place] > 0.0:
        return Verdict.PASS if answer.ranked[place] else Verdict.INDETERMINATE
    return Verdict.INDETERMINATE if np.isinf(answer.rating_upper[place]) else Verdict.FAIL


def _exceedance(answer: Answer, place: int) -> tuple[float | None, ...]:
    load = answer.common_load[place]
    return (None if load < 0 else float(answer.upper[0, place, load]),)


def price_per_ktps(answer: Answer, place: int) -> float | None:
    """Price by 1,000 operations a second of the highest passed load."""
    row = answer.board.rows[place]
    price, held = row.drive.price(row.capacity_bytes), float(answer.rating_lower[place])
    return None if price is None or held <= 0.0 else price.value / (held * OPS_PER_KTPS)


def price_per_thousand_transactions(answer: Answer, place: int) -> float | None:
    """Price by 1,000 transactions a second of the question, at the highest load that passes it; none where
    the question is not about transactions of reads.
    """
    row = answer.board.rows[place]
    price = row.drive.price(row.capacity_bytes)
    return None if price is None else _per_thousand_transactions(answer, place, price.value)


def watts_per_thousand_transactions(answer: Answer, place: int) -> float | None:
    """Rated power by the same."""
    row = answer.board.rows[place]
    power_w = row.drive.power_w(row.capacity_bytes)
    return None if power_w is None else _per_thousand_transactions(answer, place, power_w)


def _per_thousand_transactions(answer: Answer, place: int, amount: float) -> float | None:
    budget, held = answer.question.budget, float(answer.rating_lower[place])
    if held <= 0.0 or not isinstance(budget, TransactionBudget):
        return None
    return amount / (held * act.READS_PER_S / budget.reads) * 1_000.0


def watts_per_ktps(answer: Answer, place: int) -> float | None:
    """Rated power by 1,000 operations a second of the highest passed load."""
    row = answer.board.rows[place]
    power_w, held = row.drive.power_w(row.capacity_bytes), float(answer.rating_lower[place])
    return None if power_w is None or held <= 0.0 else power_w / (held * OPS_PER_KTPS)


def _price(answer: Answer, place: int) -> tuple[float | None, ...]:
    return (float(answer.board.price_values[place]),)


def _of_row(value: Callable[[BoardRow], float | None]) -> Callable[[Answer, int], tuple[float | None, ...]]:
    return lambda answer, place: (value(answer.board.rows[place]),)


_VALUES: dict[str, Callable[[Answer, int], tuple[float | None, ...]]] = {
    "rating": _rating,
    "drive": lambda _answer, _place: (),
    "capacity": _of_row(lambda row: row.capacity_bytes),
    "dwpd": _of_row(lambda row: row.drive.dwpd(row.capacity_bytes)),
    "power": _of_row(lambda row: row.drive.power_w(row.capacity_bytes)),
    "price": _price,
    "price_per_ktps": lambda answer, place: (price_per_ktps(answer, place),),
    "watts_per_ktps": lambda answer, place: (watts_per_ktps(answer, place),),
    "exceedance": _exceedance,
}


def _encode(sort: str, key: Key) -> str:
    return base64.urlsafe_b64encode(json.dumps([sort, *key]).encode()).decode()


def _decode(text: str, sort: str) -> Key:
    """Reads what `_encode` wrote for the same order. Raises CursorUnreadable for anything else."""
    try:
        found: Any = read_json(base64.b64decode(text, altchars=b"-_", validate=True))
        values = list(found)
    except (binascii.Error, ValueError, TypeError, RecursionError):
        values = []
    sizes = {"rating": 4, "drive": 0}
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
