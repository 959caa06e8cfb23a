"""Every test that an organisation may see, as columns in memory, with their rows and loads.

A row is one drive of one capacity under one set of conditions, public or the organisation's own. A board
never changes; it is made anew when tests or drives have changed, which `repository.revisions` tells in one
look.
"""

import gc
import hashlib
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from sqlalchemy import Row

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
from tailroom.domain.rating.judging import UNKNOWN, Knots, TestFacts, as_timed
from tailroom.kit.transactions import Transactions
from tailroom.ratings import repository
from tailroom.ratings.board.drives import KnownDrive, known_drives
from tailroom.ratings.board.kept import Kept
from tailroom.ratings.board.withdrawn import Withdrawn, withdrawn_of, withdrawn_runs
from tailroom.storage.drive_test import DriveTest
from tailroom.storage.run import RETRACTED

Ints = npt.NDArray[np.int64]
EVIDENCE = tuple(EvidenceClass)
BOARDS_KEPT = 16
OPENED_KEPT = 4
WAIT_S = 30.0
"""How long a request waits for another that reads the same board."""
_EVIDENCE_PLACES = {one.value: place for place, one in enumerate(EVIDENCE)}
_FACTS_OF_CLASS = ("metric_class", "op_class", "generation", "usable_ratio", "record_bytes")
"""Of a test: everything that `class_of` looks at."""


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
    withdrawn: tuple[Withdrawn, ...] = ()
    answers: "OrderedDict[str, Any]" = field(default_factory=OrderedDict)
    """What was worked out for questions, the newest last."""
    opened: "Kept[str, Any]" = field(default_factory=lambda: Kept(OPENED_KEPT))
    """What shares alone say of questions about transactions, by their fingerprints."""
    worked_out: dict[str, Any] = field(default_factory=dict)
    """What follows from the board alone, whatever the question, by what it is."""
    lock: Lock = field(default_factory=Lock)

    @cached_property
    def timed_knots(self) -> Knots:
        """As true times: labels of ACT before 2.0 stand where its clock allows."""
        legacy = self.facts.is_published & np.array(
            [one.generation == Generation.BEFORE_2 for one in self.tests], np.bool_
        ).reshape(self.facts.is_published.shape)
        return as_timed(self.knots, legacy)

    def prepare(self) -> None:
        """Works out what any question may need, so that the first one does not."""
        _ = self.timed_knots, self.place_of, self.price_values, self.capacities, self.evidence_of_rows

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Places of tests by their ids."""
        return {one.test_id: place for place, one in enumerate(self.tests)}

    @cached_property
    def evidence_of_rows(self) -> Ints:
        """Every row with every evidence of its tests, once: places of rows, and places in `EVIDENCE`."""
        pairs = np.unique(np.stack((self.row_of, self.evidence_of.astype(np.int64))), axis=1)
        found: Ints = pairs[:, pairs[0] >= 0]
        return found

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
    """Boards of the organisations that have asked lately, in one process. Threads may share it.

    An organisation without tests and drives of its own looks at the board of everybody. One board is read at
    a time: whoever needs the same one waits for it, and does not read it again.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[UUID | None, _KeptBoard] = OrderedDict()
        self._lock = Lock()
        self._reading = Lock()
        self._asked_at: float | None = None

    def current(self, transactions: Transactions, organisation_id: UUID | None) -> Board:
        """The board as tests are now; none: what everybody sees. One statement where it is still right."""
        self._asked_at = time.monotonic()
        return self.read_ahead(transactions, organisation_id)[0]

    def read_ahead(self, transactions: Transactions, organisation_id: UUID | None) -> tuple[Board, bool]:
        """The same for nobody in particular, and whether it had to be read."""
        with transactions() as session:
            now = repository.revisions(session, organisation_id)
        key = organisation_id if now.own or now.own_drives else None
        kept = self._found(key)
        if kept is not None and kept.revisions == now:
            return kept.board, False
        # Whoever reads may hang with the database; nobody waits for him longer than for the database.
        is_mine = self._reading.acquire(timeout=WAIT_S)
        try:
            kept = self._found(key)
            # Read while this one waited, after `now` was asked: nothing that it has to show is missing.
            if kept is not None and all(have >= want for have, want in zip(kept.revisions, now, strict=True)):
                return kept.board, False
            known = {one.test_id: one for board in self._alike(key) for one in board.tests}
            board = load_board(transactions, key, ".".join(map(str, now)), known)
            with self._lock:
                self._kept[key] = _KeptBoard(now, board)
                self._kept.move_to_end(key)
                while len(self._kept) > BOARDS_KEPT:
                    self._kept.popitem(last=False)
        finally:
            if is_mine:
                self._reading.release()
        return board, True

    def was_asked_within(self, seconds: float) -> bool:
        """Whether somebody has asked for a board lately."""
        asked_at = self._asked_at
        return asked_at is not None and time.monotonic() - asked_at <= seconds

    def organisations(self) -> list[UUID | None]:
        """Whose boards are kept, the one that was asked for last at the end."""
        with self._lock:
            return list(self._kept)

    def _found(self, key: UUID | None) -> "_KeptBoard | None":
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
            return kept

    def _alike(self, key: UUID | None) -> list[Board]:
        """Boards that hold most of the tests of a new one."""
        with self._lock:
            return [kept.board for one in (None, key) if (kept := self._kept.get(one)) is not None]


@dataclass(frozen=True, slots=True)
class _KeptBoard:
    revisions: repository.Revisions
    """Asked before the board was read, so that it is at least as new."""
    board: Board


def load_board(
    transactions: Transactions,
    organisation_id: UUID | None,
    stamp: str,
    known: Mapping[str, Row[Any]] | None = None,
) -> Board:
    """Four statements: tests, drives, facts, what is withdrawn; of tests that are `known` as they are, names
    alone are read.
    """
    with _nothing_collected():
        with transactions() as session:
            tests = repository.tests(session, organisation_id, known or {})
            drives = known_drives(session, organisation_id)
            withdrawn = withdrawn_of(withdrawn_runs(session), tests, drives)
        columns = _columns(tests)
        rows, row_of = _rows(columns, drives, tests)
    loads, load_of = np.unique(np.array(columns["load_multiple"], np.float64), return_inverse=True)
    return Board(
        stamp=stamp,
        tests=tests,
        knots=_knots(columns),
        facts=_facts(columns),
        rows=rows,
        loads=loads,
        row_of=row_of,
        load_of=load_of.astype(np.int64),
        evidence_of=np.array([_EVIDENCE_PLACES[one] for one in columns["evidence"]], np.int8),
        drives=drives,
        withdrawn=withdrawn,
    )


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Holds the collector of cycles off: it would look through all that is made again and again, in vain."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _columns(tests: Sequence[Row[Any]]) -> dict[str, Sequence[Any]]:
    """Tests by column."""
    names = DriveTest.__table__.columns.keys()
    return dict(zip(names, zip(*tests, strict=True), strict=True)) if tests else dict.fromkeys(names, ())


def _knots(columns: dict[str, Sequence[Any]]) -> Knots:
    """Knots of all tests from their bytes at once."""
    lengths = np.array([len(one) // 8 for one in columns["thresholds"]], np.int64)
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
    flat = np.frombuffer(b"".join(columns["thresholds"]), "<i8")
    every, at = np.unique(flat, return_inverse=True)
    bytes_of_ends = np.frombuffer(b"".join(columns["ends"]), "<f8")
    # Test after test has six rows of as many ends as it has thresholds; the knots have six rows in all.
    begin, length = np.repeat(offsets[:-1], lengths), np.repeat(lengths, lengths)
    first = 5 * begin + np.arange(flat.size, dtype=np.int64)
    ends = np.stack([bytes_of_ends[first + row * length] for row in range(6)]).astype(np.float64)
    return Knots(every.astype(np.int64), offsets, at.astype(np.int64), ends)


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


def _facts(columns: dict[str, Sequence[Any]]) -> TestFacts:
    def whole(name: str) -> Ints:
        return np.array([UNKNOWN if value is None else value for value in columns[name]], np.int64)

    return TestFacts(
        is_published=np.array([one is None for one in columns["run_id"]], np.bool_),
        duration_ns=whole("duration_ns"),
        full_hours=whole("full_hours"),
        doubt=np.array(columns["doubt"], np.int8),
        device_failed=np.array(columns["device_failed"], np.bool_),
    )


def _rows(
    columns: dict[str, Sequence[Any]], drives: dict[str, KnownDrive], tests: Sequence[Row[Any]]
) -> tuple[tuple[BoardRow, ...], Ints]:
    """Tests of one drive, capacity, class of conditions and visibility are a row."""
    usable_ratios, op_texts = columns["usable_ratio"], columns["op_as_printed"]
    clusters = cluster_usable(
        [
            ratio
            for ratio, op_class in zip(usable_ratios, columns["op_class"], strict=True)
            if ratio is not None and op_class == OpClass.OVER_PROVISIONED
        ]
    )
    about = zip(
        *(columns[name] for name in ("visibility", "marks", "drive_slug", "capacity_bytes")), strict=True
    )
    facts_of_class = zip(*(columns[name] for name in _FACTS_OF_CLASS), strict=True)
    classes: dict[ConditionClass, ConditionClass] = {}
    class_by_facts: dict[tuple[Any, ...], ConditionClass] = {}
    groups: dict[tuple[Any, ...], list[int]] = {}
    for place, (one, facts) in enumerate(zip(about, facts_of_class, strict=True)):
        visibility, marks, slug, capacity_bytes = one
        if visibility == RETRACTED or RETRACTED in marks:
            continue
        condition_class = class_by_facts.get(facts)
        if condition_class is None:
            condition_class = class_of(conditions_of(tests[place]), clusters)
            # One object for each class: it is known by its place in memory, which is looked up fast.
            condition_class = classes.setdefault(condition_class, condition_class)
            class_by_facts[facts] = condition_class
        key = (slug, capacity_bytes, id(condition_class), visibility != "public")
        groups.setdefault(key, []).append(place)
    by_id = {id(one): one for one in classes}
    row_of = np.full(len(tests), -1, np.int64)
    rows: list[BoardRow] = []
    for (slug, capacity_bytes, class_id, is_private), places in groups.items():
        found = by_id[class_id]
        row_of[places] = len(rows)
        usable = next((usable_ratios[place] for place in places if usable_ratios[place] is not None), None)
        rows.append(
            BoardRow(
                _row_id(slug, capacity_bytes, found, usable, is_private=is_private),
                drives.get(slug) or KnownDrive(slug, "unknown", slug),
                capacity_bytes,
                found,
                usable,
                next((op_texts[place] for place in places if op_texts[place]), None),
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
