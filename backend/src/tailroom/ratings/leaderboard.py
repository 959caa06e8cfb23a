"""Ratings and ranks of drives by a question.

A row is one drive of one capacity under one class of conditions, public or the organisation's own. Rows are
ranked among all rows of their class; filters do not change ranks. A row has no rank if no test decides it, if
a deciding test lasted less than a day or has missing disclosures, or if no row of its class holds a load.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy import Row
from sqlalchemy.orm import Session

from tailroom.catalogue.stated_prices import Price
from tailroom.domain.rating.conditions import (
    FULL_LENGTH_NS,
    ActGeneration,
    ConditionClass,
    MetricClass,
    OpClass,
    TestConditions,
    class_of,
    cluster_usable,
)
from tailroom.domain.rating.interval import rating_bounds
from tailroom.domain.rating.ranks import CountedShares, RankRanges, broken_ties, proven_lower, rank_ranges
from tailroom.domain.verdicts.verdict import Strength, Verdict
from tailroom.kit.transactions import Transactions
from tailroom.ratings import repository
from tailroom.ratings.drives import CatalogueDrive, Json, catalogue_drives, latest_year, withdrawn_tests
from tailroom.ratings.judgements import JudgementCache, QuestionJudgements, judge_tests, late_bounds
from tailroom.ratings.question import Question


@dataclass(slots=True)
class LoadCell:
    """Combined results of the tests of a row at a load. `lower` and `upper` bound the share of slow reads at
    the first limit. `counted_*` cover only tests that state a number of reads: the bounds of that share, and
    the fewest independent reads (reads divided by the design factor); None without such tests.
    """

    some_passed: bool
    some_failed: bool
    proven_pass: bool
    proven_fail: bool
    lower: float | None
    upper: float | None
    counted_lower: float | None
    counted_upper: float | None
    counted_total: float | None

    @property
    def passed(self) -> bool:
        """Whether a test passed and none failed."""
        return self.some_passed and not self.some_failed

    @property
    def failed(self) -> bool:
        """Whether a test failed and none passed."""
        return self.some_failed and not self.some_passed

    def add(self, other: "LoadCell") -> None:
        """Merge the results of further tests at the same load into this cell, in place."""
        for name in ("some_passed", "some_failed", "proven_pass", "proven_fail"):
            setattr(self, name, getattr(self, name) or getattr(other, name))
        self.lower = _min_known(self.lower, other.lower)
        self.upper = _max_known(self.upper, other.upper)
        self.counted_lower = _min_known(self.counted_lower, other.counted_lower)
        self.counted_upper = _max_known(self.counted_upper, other.counted_upper)
        self.counted_total = _min_known(self.counted_total, other.counted_total)


RowKey = tuple[str, int | None, ConditionClass, bool, str | None]
"""Drive, capacity, class of conditions, whether the row is the organisation's own, and firmware."""


@dataclass(slots=True, eq=False)
class RatedRow:
    """A leaderboard row with its rating in multiples of 1x: the highest passed load, 0 without any, and the
    lowest failed load, infinity without any. `best_rank` to `worst_rank` are the ranks that the data allow
    among `ranked_rows`, all 0 unless `ranked`. `cells` are by load.
    """

    key: RowKey
    drive: CatalogueDrive
    usable_ratio: float | None
    """Usable share of the raw capacity, the least that a test states."""
    cells: dict[float, LoadCell] = field(default_factory=dict)
    evidence: set[str] = field(default_factory=set)
    tests: int = 0
    """Number of tests."""
    shortest_ns: int | None = None
    """Shortest stated duration of the tests that passed or failed; None if no source states any."""
    longest_ns: int | None = None
    """Longest stated duration of all tests; None if no source states any."""
    tested_year: int | None = None
    """Year of the latest dated test; None if no test is dated."""
    published_year: int | None = None
    """Year of the latest publication, an upper bound of the year of its tests; None without any."""
    undisclosed: bool = False
    """Whether a test that passed or failed does not disclose all that it must."""
    has_run: bool = False
    """Whether a test is of the run that was asked about in `ratings_of`."""
    passed_load: float = 0.0
    failed_load: float = np.inf
    ranked: bool = False
    best_rank: int = 0
    worst_rank: int = 0
    ranked_rows: int = 0
    common_load: float | None = None
    """Load at which most rows of its class were tested, the highest if several tie. Set by `ratings_of`."""

    @property
    def capacity_bytes(self) -> int | None:
        """Capacity as sold; None if no source states it."""
        return self.key[1]

    @property
    def price(self) -> Price | None:
        """Newest price of the drive at this capacity; None if not known."""
        return self.drive.price(self.capacity_bytes)

    @property
    def power_w(self) -> float | None:
        """Power in W of the drive at this capacity, the most that a source states; None if not stated."""
        return self.drive.power_w(self.capacity_bytes)

    @property
    def firmware(self) -> str | None:
        """Firmware of the measured drives; None if no source states it."""
        return self.key[4]

    @property
    def condition_class(self) -> ConditionClass:
        """Class of conditions in which the row is ranked."""
        return self.key[2]

    @property
    def visibility(self) -> str:
        """`public`, or `private` for a row that only the organisation sees."""
        return "private" if self.key[3] else "public"

    @property
    def row_id(self) -> str:
        """Sixteen hexadecimal digits, derived from the drive and its conditions."""
        slug, capacity_bytes, conditions, is_private, firmware = self.key
        usable = None if self.usable_ratio is None else round(self.usable_ratio, 3)
        classes = (conditions.metric_class, conditions.op_class, conditions.generation)
        parts = (slug, capacity_bytes, *classes, usable)
        stated = (firmware,) if firmware else ()
        text = repr((*map(str, parts), conditions.record_class, is_private, *stated))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def is_decided(self) -> bool:
        """Whether the rating has a passed or a failed load."""
        return self.passed_load > 0.0 or not np.isinf(self.failed_load)

    @property
    def is_short(self) -> bool:
        """Whether the shortest deciding test lasted less than a day; False if no duration is stated."""
        return self.shortest_ns is not None and self.shortest_ns < FULL_LENGTH_NS

    @property
    def verdict(self) -> Verdict:
        """PASS if ranked and a load passed, FAIL if none passed and one failed, else INDETERMINATE."""
        if self.passed_load > 0.0:
            return Verdict.PASS if self.ranked else Verdict.INDETERMINATE
        return Verdict.INDETERMINATE if np.isinf(self.failed_load) else Verdict.FAIL

    @property
    def passed_strength(self) -> Strength | None:
        """Strength of the verdict at the highest passed load; None if no load passed."""
        cell = self.cells.get(self.passed_load)
        return None if cell is None else Strength.PROVEN if cell.proven_pass else Strength.OBSERVED

    @property
    def failed_strength(self) -> Strength | None:
        """Strength of the verdict at the lowest failed load; None if no load failed."""
        cell = self.cells.get(self.failed_load)
        return None if cell is None else Strength.PROVEN if cell.proven_fail else Strength.OBSERVED

    @property
    def common_cell(self) -> LoadCell | None:
        """Results of the row at the common load of its class; None if it was not tested there."""
        return None if self.common_load is None else self.cells.get(self.common_load)


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """All rows that an organisation sees, rated by one question; `drives` are by slug."""

    question: Question
    rows: Sequence[RatedRow]
    drives: Mapping[str, CatalogueDrive]
    usable_clusters: dict[float, int]
    """Number of the group of similar values by stated usable ratio, see `cluster_usable`."""
    judged: QuestionJudgements
    """Judgements if those of the question are not stored; else empty."""
    withdrawn: Sequence[Json] = ()
    """Withdrawn tests of these drives for the API, at most 100, which no row includes."""
    organisation_id: UUID | None = None
    """The organisation that sees the rows; None: only public rows."""

    def key_of(self, test: Row[Any]) -> RowKey:
        """Return the key of the row that a test belongs to."""
        is_private = test.visibility != "public"
        conditions = class_of(conditions_of(test), self.usable_clusters)
        return (test.drive_slug, test.capacity_bytes, conditions, is_private, test.firmware)

    def results(self, session: Session, test_ids: Collection[str]) -> dict[str, dict[str, Any]]:
        """Return the judgement documents of tests by test id; tests that are not judged yet are left out."""
        if self.question.is_stored:
            budget = self.question.budget
            return repository.results(session, [budget], list(test_ids))[budget.name]
        judgements = self.judged.tests
        return {test_id: judgements[test_id] for test_id in test_ids if test_id in judgements}


def ratings_of(
    transactions: Transactions,
    cache: JudgementCache,
    organisation_id: UUID | None,
    question: Question,
    *,
    evidence: Collection[str] = (),
    run_id: UUID | None = None,
) -> Ratings:
    """Return the rows that an organisation (None: the public) sees, rated by a question. Only tests of the
    `evidence` classes count, all if empty. `has_run` is set for rows with a test of `run_id`. A question
    without stored judgements is judged for a limited time, as by `judge_tests`.
    """
    judged = QuestionJudgements()
    if question.is_stored:
        statement = repository.stored_judgements(question.budget)
    else:
        judged = judge_tests(transactions, cache, organisation_id, question.budget, question.fingerprint)
        statement = repository.judgements_in_memory(
            [
                (test_id, result["verdict"], result["strength"], *late_bounds(result))
                for test_id, result in judged.tests.items()
            ]
        )
    with transactions() as session:
        cells = repository.cells(session, organisation_id, statement, evidence=evidence, run_id=run_id)
        drives = catalogue_drives(session, organisation_id)
        withdrawn = withdrawn_tests(session, drives)
    stated = [cell for cell in cells if cell.usable_ratio is not None]
    over_provisioned = [cell for cell in stated if cell.op_class == OpClass.OVER_PROVISIONED]
    clusters = cluster_usable([cell.usable_ratio for cell in over_provisioned for _ in range(cell.tests)])
    rows = _rows(cells, drives, clusters)
    _rate(rows)
    return Ratings(question, rows, drives, clusters, judged, withdrawn, organisation_id)


def conditions_of(test: Row[Any]) -> TestConditions:
    """Return the conditions of a test, or of a group of equally tested tests of `repository.cells`."""
    fields = test._mapping
    return TestConditions(
        MetricClass(test.metric_class),
        OpClass(test.op_class),
        ActGeneration(test.generation),
        test.usable_ratio,
        test.record_bytes,
        fields.get("write_ratio"),
        fields.get("duration_ns"),
        fields.get("preconditioned"),
        test.load_multiple,
        fields.get("tool"),
    )


def _rows(
    cells: Iterable[Row[Any]], drives: Mapping[str, CatalogueDrive], clusters: dict[float, int]
) -> list[RatedRow]:
    """Return the rows without ratings; a drive that `drives` lacks is named by its slug."""
    rows: dict[RowKey, RatedRow] = {}
    classes: dict[tuple[Any, ...], ConditionClass] = {}
    for tests in cells:
        stated = (
            tests.metric_class,
            tests.op_class,
            tests.generation,
            tests.usable_ratio,
            tests.record_bytes,
        )
        if stated not in classes:
            classes[stated] = class_of(conditions_of(tests), clusters)
        key = (tests.drive_slug, tests.capacity_bytes, classes[stated], tests.is_private, tests.firmware)
        row = rows.get(key)
        if row is None:
            drive = drives.get(tests.drive_slug) or CatalogueDrive(
                tests.drive_slug, "unknown", tests.drive_slug
            )
            row = rows[key] = RatedRow(key, drive, tests.usable_ratio)
        cell = LoadCell(*(getattr(tests, column.name) for column in fields(LoadCell)))
        existing = row.cells.setdefault(tests.load_multiple, cell)
        if existing is not cell:
            existing.add(cell)
        row.usable_ratio = _min_known(row.usable_ratio, tests.usable_ratio)
        row.evidence.update(tests.evidence)
        row.tests += tests.tests
        row.shortest_ns = _min_known(row.shortest_ns, tests.shortest_ns)
        row.longest_ns = _max_known(row.longest_ns, tests.longest_ns)
        row.tested_year = _max_known(row.tested_year, latest_year(tests.tested_at))
        row.published_year = _max_known(row.published_year, latest_year(tests.published_at))
        row.undisclosed = row.undisclosed or tests.undisclosed
        row.has_run = row.has_run or tests.has_run
    return list(rows.values())


def _rate(rows: Sequence[RatedRow]) -> None:
    loads = np.array(sorted({load for row in rows for load in row.cells}), np.float64)
    columns = {load: column for column, load in enumerate(loads.tolist())}
    passed, failed = (np.zeros((len(rows), loads.size), np.bool_) for _ in range(2))
    classes: dict[ConditionClass, list[RatedRow]] = {}
    for number, row in enumerate(rows):
        for load, cell in row.cells.items():
            passed[number, columns[load]], failed[number, columns[load]] = cell.passed, cell.failed
        classes.setdefault(row.condition_class, []).append(row)
    lower, upper = rating_bounds(loads, passed, failed)
    for row, passed_load, failed_load in zip(rows, lower.tolist(), upper.tolist(), strict=True):
        row.passed_load, row.failed_load = passed_load, failed_load
        row.ranked = row.is_decided and not row.is_short and not row.undisclosed
    for class_rows in classes.values():
        _rank(class_rows)


def _rank(rows: Sequence[RatedRow]) -> None:
    """Set common load and ranks of the rows of one class. If none of them holds a load, none is ranked."""
    tested: dict[float, int] = {}
    for row in rows:
        for load in row.cells:
            tested[load] = tested.get(load, 0) + 1
    common = max(tested, key=lambda load: (tested[load], load))
    for row in rows:
        row.common_load = common
    members = [row for row in rows if row.ranked]
    if not any(row.passed_load > 0.0 for row in members):
        # If no row holds a load there is no first rank: a provable failure is not better than an unknown row.
        for row in members:
            row.ranked = False
        return
    ranks = rank_ranges(
        np.array([row.passed_load for row in members]), np.array([row.failed_load for row in members])
    )
    _break_ties(members, ranks)
    for row, best, worst in zip(members, ranks.best.tolist(), ranks.worst.tolist(), strict=True):
        row.best_rank, row.worst_rank, row.ranked_rows = best, worst, len(members)


def _break_ties(members: Sequence[RatedRow], ranks: RankRanges) -> None:
    """Narrow `ranks` of rows with equal ratings, in place, if shares of slow reads prove an order. The shares
    are those at the highest load common to the tie; without it or without counts, ranks stay equal.
    """
    groups: dict[tuple[float, float], list[int]] = {}
    for position, row in enumerate(members):
        groups.setdefault((row.passed_load, row.failed_load), []).append(position)
    for positions in groups.values():
        shared_loads = set.intersection(*(set(members[position].cells) for position in positions))
        if len(positions) < 2 or not shared_loads:
            continue
        tested = [members[position].cells[max(shared_loads)] for position in positions]
        total = _numbers([cell.counted_total for cell in tested])
        if np.isnan(total).all():
            continue
        shares = CountedShares(
            _numbers([cell.counted_lower for cell in tested]) * total,
            _numbers([cell.counted_upper for cell in tested]) * total,
            total,
        )
        broken_ties(ranks, np.array(positions, np.int64), proven_lower(shares))


def _numbers(values: Sequence[float | None]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array([np.nan if value is None else float(value) for value in values], np.float64)


def _min_known(first: Any, second: Any) -> Any:
    return min((value for value in (first, second) if value is not None), default=None)


def _max_known(first: Any, second: Any) -> Any:
    return max((value for value in (first, second) if value is not None), default=None)
