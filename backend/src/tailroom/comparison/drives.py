"""Drives side by side: of each the tested load whose conditions are most like those of the others.

Where several combinations have equal conditions, that of the highest load counts: there drives differ most.
What a drive holds is the rating under those conditions, as on the leaderboard.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from sqlalchemy import Row

from tailroom.access.caller import Caller
from tailroom.comparison.chosen import Chosen, PublishedSubject, RunSubject, run_subject
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.subjects import Subject
from tailroom.domain.rating.comparability import PREFIX, compare_conditions
from tailroom.domain.rating.conditions import Conditions, MetricClass, OpClass
from tailroom.domain.units import NS_PER_HOUR
from tailroom.evidence.publication import published
from tailroom.ratings import repository
from tailroom.ratings.judgements import RULE_SETS, JudgementCache
from tailroom.ratings.leaderboard import Ratings, conditions_of, ratings_of
from tailroom.ratings.query import LeaderboardQuery
from tailroom.ratings.question import rule_set_question
from tailroom.storage.drive_test import DriveTest

DRIVE = "drive:"
_CLOCKS = {"total": "response", "device": "service"}
Test = Row[Any]


@dataclass(frozen=True, slots=True)
class DriveSubject:
    """A drive by one of its tests. `holds` and `fails`: highest passed and lowest failed load, 0 and infinity
    where there is none.
    """

    name: str
    label: str
    slug: str
    test: Test
    test_text: str
    holds: float
    fails: float
    inner: RunSubject | PublishedSubject

    @property
    def clocks(self) -> dict[str, frozenset[str]]:
        """Of the reads that its test timed."""
        return {"read": frozenset({_CLOCKS.get(self.test.metric_class, "operation")})}

    def choose(self, operation: str, clock: str | None) -> Chosen:
        """See `RunSubject.choose`: what the test timed, whichever clock others have."""
        found = self.inner.choose(operation, next(iter(self.clocks["read"])) if clock is None else clock)
        changes = {
            "subject": self.name,
            "label": self.label,
            "source": "drive",
            "drive_slug": self.slug,
            "test_text": self.test_text,
            "load_multiple": self.test.load_multiple,
            "holds_load": self.holds or None,
            "fails_load": None if math.isinf(self.fails) else self.fails,
        }
        return Chosen(found.measured, found.out.model_copy(update=changes), conditions_of(self.test))


def drive_subjects(
    caller: Caller, names: Sequence[str], load: float | None
) -> tuple[list[DriveSubject], list[float]]:
    """The drives by tests that go together, and the loads at which all of them were tested.

    Raises SubjectMissing, SubjectsInvalid.
    """
    if not names:
        return [], []
    rules = next(one for one in RULE_SETS if one.name == LeaderboardQuery().rule_set)
    ratings = ratings_of(caller.session, JudgementCache(), caller.organisation_id, rule_set_question(rules))
    slugs = [name.removeprefix(DRIVE) for name in names]
    with caller.session() as session:
        every = repository.tests(
            session, repository.counting(caller.organisation_id), DriveTest.drive_slug.in_(slugs)
        )
    tests = [_tests(ratings, every, slug) for slug in slugs]
    loads = sorted(set.intersection(*({one.load_multiple for one in own} for own in tests)))
    if load is not None:
        if load not in loads:
            there = ", ".join(f"{one:g}x" for one in loads) or "none"
            raise SubjectsInvalid(f"Not all of these drives were tested at {load:g}x. Loads of all: {there}.")
        tests = [[one for one in own if one.load_multiple == load] for own in tests]
    rows = {row.key: row for row in ratings.rows}
    found = []
    for name, slug, test in zip(names, slugs, _together(tests), strict=True):
        row, drive = rows[ratings.key_of(test)], ratings.drives[slug]
        found.append(
            DriveSubject(
                name,
                _label(f"{drive.vendor} {drive.name}", test.capacity_bytes),
                slug,
                test,
                _test_text(test),
                row.passed_load,
                row.failed_load,
                _inner(caller, name, test),
            )
        )
    return found, loads


def drive_reasons(base: Conditions, new: Conditions) -> tuple[list[tuple[str, str]], list[str]]:
    """What keeps two tests of drives apart, each with the change that would not, and what nobody states."""
    found = compare_conditions(base, new)
    reasons = [
        (_sentence(reason.removeprefix(PREFIX)), _sentence(change))
        for reason, change in zip(found.reasons, found.changes, strict=True)
    ]
    return reasons, [_sentence(one) for one in found.warnings]


def drives_sentence(subjects: Sequence[DriveSubject]) -> str:
    """Which drive holds the most load, as far as their tests show it."""
    if not all(_alike(subjects[0].test, one.test) for one in subjects[1:]):
        return "Which drive holds more load is not shown: they were tested under different conditions."
    best = [
        one
        for one in subjects
        if all(one.holds >= other.fails for other in subjects if other is not one) and one.holds > 0.0
    ]
    if len(subjects) == 2:
        if not best:
            ranges = "; ".join(f"{one.label} {_range(one)}" for one in subjects)
            return f"Which drive holds more load is not shown: {ranges}."
        better = best[0]
        other = next(one for one in subjects if one is not better)
        return f"{better.label} holds {better.holds:g}x; {other.label} fails at {other.fails:g}x."
    if not best:
        return f"Which of {len(subjects)} drives holds the most load is not shown."
    return f"{best[0].label} holds {best[0].holds:g}x, where the other {len(subjects) - 1} drives fail."


def _alike(first: Test, second: Test) -> bool:
    """Whether conditions are equal but for the load, which ratings are about."""
    found = compare_conditions(conditions_of(first), conditions_of(second))
    return all(one.startswith(f"{PREFIX}the loads differ") for one in found.reasons)


def _range(one: DriveSubject) -> str:
    if not one.holds and math.isinf(one.fails):
        return "is proven at no load"
    if math.isinf(one.fails):
        return f"holds {one.holds:g}x and never failed"
    return f"holds {one.holds:g}x and fails {one.fails:g}x" if one.holds else f"fails {one.fails:g}x"


def _tests(ratings: Ratings, tests: Sequence[Test], slug: str) -> list[Test]:
    """One test of each set of conditions: of several the counted one, then the longest."""
    if slug not in ratings.drives:
        raise SubjectMissing(f"The catalogue has no drive “{slug[:100]}”.")
    best: dict[tuple[Conditions, int | None], Test] = {}
    for one in (test for test in tests if test.drive_slug == slug):
        key = conditions_of(one), one.capacity_bytes
        known = best.get(key)
        if known is None or _weight(one) > _weight(known):
            best[key] = one
    if not best:
        drive = ratings.drives[slug]
        raise SubjectsInvalid(f"No test of {drive.vendor} {drive.name} is on record, so nothing compares.")
    return list(best.values())


def _weight(test: Test) -> tuple[bool, int]:
    return test.total_count is not None, test.duration_ns or 0


def _together(tests: Sequence[Sequence[Test]]) -> list[Test]:
    """Of each drive the test with the fewest reasons against that of the first; of the first the one with
    which the others have fewest together, at the highest load.
    """
    if len(tests) == 1:
        return [min(tests[0], key=_rank)]
    known: dict[tuple[Conditions, Conditions], int] = {}

    def apart(first: Test, second: Test) -> int:
        key = conditions_of(first), conditions_of(second)
        if key not in known:
            known[key] = len(compare_conditions(*key).reasons)
        return known[key]

    def others(first: Test) -> list[Test]:
        return [min(own, key=lambda one: (apart(first, one), *_rank(one))) for own in tests[1:]]

    def cost(first: Test) -> tuple[int, float, bool]:
        return (sum(apart(first, one) for one in others(first)), *_rank(first))

    base = min(tests[0], key=cost)
    return [base, *others(base)]


def _rank(test: Test) -> tuple[float, bool]:
    """Of equals the highest load first, then the time of the device alone (docs/method.md 4.1)."""
    return -test.load_multiple, test.metric_class != MetricClass.DEVICE


def _inner(caller: Caller, name: str, test: Test) -> RunSubject | PublishedSubject:
    if test.run_id is not None:
        return run_subject(caller, name, test.run_id)
    found = next(
        (
            one
            for one in published()
            if one.of_drive
            and (one.publication.slug, one.row) == (test.publication_slug, test.publication_row)
        ),
        None,
    )
    if found is None:
        raise SubjectMissing(f"{test.source_title} has no figures of {name} that can be compared.")
    return PublishedSubject(name, Subject(found.label, published=found))


def _label(name: str, capacity_bytes: int | None) -> str:
    if capacity_bytes is None:
        return name
    terabytes = capacity_bytes / 1e12
    return f"{name} {terabytes:g} TB" if terabytes >= 1.0 else f"{name} {capacity_bytes / 1e9:g} GB"


def _test_text(test: Test) -> str:
    """`30x, over-provisioned, response time, 24 h, the publication's title`."""
    clock = {"total": "response time", "device": "device time"}.get(test.metric_class)
    kept_free = {OpClass.OVER_PROVISIONED: "over-provisioned", OpClass.NONE: "not over-provisioned"}
    hours = None if test.duration_ns is None else f"{test.duration_ns / NS_PER_HOUR:g} h"
    parts = (f"{test.load_multiple:g}x", kept_free.get(OpClass(test.op_class)), clock, hours)
    return ", ".join(chain((one for one in parts if one), [str(test.source_title)]))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
