"""Every test that an organisation may see, as columns in memory, with their rows and loads.

A row is one drive of one capacity under one set of conditions, public or the organisation's own. A board
never changes; it is made anew when tests or drives have changed, which `repository.revisions` tells in one
look.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from sqlalchemy import Row
from sqlalchemy.orm import Session

from tailroom.domain.rating.conditions import (
    ConditionClass,
    Conditions,
    EvidenceClass,
    Generation,
    MetricClass,
    OpClass,
    class_of,
    cluster_usable,
)
from tailroom.domain.rating.judging import UNKNOWN, Knots, TestFacts, as_timed, knots_of
from tailroom.ratings import repository
from tailroom.ratings.drives_known import KnownDrive, known_drives

Ints = npt.NDArray[np.int64]
EVIDENCE = tuple(EvidenceClass)
BOARDS_KEPT = 16
RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class BoardRow:
    """What a row is about; its tests by their places in the board."""

    row_id: str
    drive: KnownDrive
    capacity_bytes: int | None
    condition_class: ConditionClass
    usable_ratio: float | None
    op_as_printed: str | None
    visibility: str
    tests: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Board:
    """Columns of tests, and what they stand for. `stamp` names the state of the database that it shows."""

    stamp: str
    tests: Sequence[Row[Any]]
    knots: Knots
    """As printed: labels of ACT before 2.0 stand at what they say."""
    facts: TestFacts
    rows: tuple[BoardRow, ...]
    loads: npt.NDArray[np.float64]
    row_of: Ints
    """−1 for a test that is on record and counts for nothing (retracted)."""
    load_of: Ints
    evidence_of: npt.NDArray[np.int8]
    """Place in `EVIDENCE`."""
    drives: dict[str, KnownDrive]
    answers: "OrderedDict[str, Any]" = field(default_factory=OrderedDict)
    """What was worked out for questions, the newest last."""
    lock: Lock = field(default_factory=Lock)

    @cached_property
    def timed_knots(self) -> Knots:
        """As true times: labels of ACT before 2.0 stand where its clock allows."""
        legacy = self.facts.is_published & np.array(
            [one.generation == Generation.BEFORE_2 for one in self.tests], np.bool_
        ).reshape(self.facts.is_published.shape)
        return as_timed(self.knots, legacy)

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Places of tests by their ids."""
        return {one.test_id: place for place, one in enumerate(self.tests)}

    @cached_property
    def price_values(self) -> npt.NDArray[np.float64]:
        """Of the rows; NaN where not known."""
        found = [row.drive.price(row.capacity_bytes) for row in self.rows]
        return np.array([np.nan if one is None else one.value for one in found], np.float64)

    @cached_property
    def capacities(self) -> npt.NDArray[np.float64]:
        """Of the rows; NaN where not stated."""
        found = [row.capacity_bytes for row in self.rows]
        return np.array([np.nan if one is None else float(one) for one in found], np.float64)


class Boards:
    """Boards of the organisations that have asked lately, in one process. Threads may share it."""

    def __init__(self) -> None:
        self._kept: OrderedDict[UUID | None, Board] = OrderedDict()
        self._lock = Lock()

    def current(self, session: Session, organisation_id: UUID | None) -> Board:
        """The board as tests are now; none: what everybody sees. One statement where it is still right."""
        public, own = repository.revisions(session, organisation_id)
        stamp = f"{public}.{own}"
        with self._lock:
            board = self._kept.get(organisation_id)
            if board is not None and board.stamp == stamp:
                self._kept.move_to_end(organisation_id)
                return board
        board = load_board(session, organisation_id, stamp)
        with self._lock:
            self._kept[organisation_id] = board
            self._kept.move_to_end(organisation_id)
            while len(self._kept) > BOARDS_KEPT:
                self._kept.popitem(last=False)
        return board


def load_board(session: Session, organisation_id: UUID | None, stamp: str) -> Board:
    """Three statements: tests, drives, facts."""
    tests = repository.tests(session, organisation_id)
    drives = known_drives(session, organisation_id)
    thresholds = [np.frombuffer(one.thresholds, "<i8").astype(np.int64) for one in tests]
    ends = [np.frombuffer(one.ends, "<f8").reshape(6, -1) for one in tests]
    rows, row_of = _rows(tests, drives)
    loads, load_of = np.unique(np.array([one.load_multiple for one in tests]), return_inverse=True)
    return Board(
        stamp=stamp,
        tests=tests,
        knots=knots_of(thresholds, ends),
        facts=_facts(tests),
        rows=rows,
        loads=loads,
        row_of=row_of,
        load_of=load_of.astype(np.int64),
        evidence_of=np.array([EVIDENCE.index(EvidenceClass(one.evidence)) for one in tests], np.int8),
        drives=drives,
    )


def conditions_of(test: Row[Any]) -> Conditions:
    """Under which conditions a test was made."""
    return Conditions(
        MetricClass(test.metric_class),
        OpClass(test.op_class),
        Generation(test.generation),
        test.usable_ratio,
        test.record_bytes,
        test.write_ratio,
        test.duration_ns,
        test.preconditioned,
        test.load_multiple,
        test.tool,
    )


def _facts(tests: Sequence[Row[Any]]) -> TestFacts:
    def whole(name: str) -> Ints:
        values = (getattr(one, name) for one in tests)
        return np.array([UNKNOWN if value is None else value for value in values], np.int64)

    return TestFacts(
        is_published=np.array([one.run_id is None for one in tests], np.bool_),
        duration_ns=whole("duration_ns"),
        full_hours=whole("full_hours"),
        doubt=np.array([one.doubt for one in tests], np.int8),
        device_failed=np.array([one.device_failed for one in tests], np.bool_),
    )


def _rows(tests: Sequence[Row[Any]], drives: dict[str, KnownDrive]) -> tuple[tuple[BoardRow, ...], Ints]:
    """Tests of one drive, capacity, class of conditions and visibility are a row."""
    clusters = cluster_usable(
        [
            one.usable_ratio
            for one in tests
            if one.usable_ratio is not None and one.op_class == OpClass.OVER_PROVISIONED
        ]
    )
    groups: dict[tuple[Any, ...], list[int]] = {}
    for place, one in enumerate(tests):
        if one.visibility == RETRACTED or RETRACTED in one.marks:
            continue
        found = class_of(conditions_of(one), clusters)
        is_private = one.visibility != "public"
        groups.setdefault((one.drive_slug, one.capacity_bytes, found, is_private), []).append(place)
    row_of = np.full(len(tests), -1, np.int64)
    rows: list[BoardRow] = []
    for (slug, capacity_bytes, found, is_private), places in groups.items():
        row_of[places] = len(rows)
        stated = [tests[place] for place in places if tests[place].usable_ratio is not None]
        printed = [tests[place].op_as_printed for place in places if tests[place].op_as_printed]
        usable = stated[0].usable_ratio if stated else None
        rows.append(
            BoardRow(
                _row_id(slug, capacity_bytes, found, usable, is_private=is_private),
                drives.get(slug) or KnownDrive(slug, "unknown", slug),
                capacity_bytes,
                found,
                usable,
                printed[0] if printed else None,
                "private" if is_private else "public",
                tuple(places),
            )
        )
    return tuple(rows), row_of


def _row_id(
    slug: str,
    capacity_bytes: int | None,
    found: ConditionClass,
    usable_ratio: float | None,
    *,
    is_private: bool,
) -> str:
    usable = None if usable_ratio is None else round(usable_ratio, 3)
    parts = (slug, capacity_bytes, found.metric_class, found.op_class, found.generation, usable)
    text = repr((*map(str, parts), found.record_class, is_private))
    return hashlib.sha256(text.encode()).hexdigest()[:16]
