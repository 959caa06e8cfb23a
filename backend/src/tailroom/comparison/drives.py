"""Drives as subjects of a comparison, each represented by one of its tests.

The conditions of that test are closest to those of the other drives; among tests with equal conditions it has
the highest load, at which drives differ most. A drive's highest load is its rating under those conditions, as
on the leaderboard.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Row

from tailroom.access.caller import Caller
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.stored_subjects import ChosenOperation, PublishedSubject, RunSubject, run_subject
from tailroom.comparison.subjects import Subject
from tailroom.domain.errors import sentence
from tailroom.domain.rating.comparability import compare_tests
from tailroom.domain.rating.conditions import MetricClass, OpClass, TestConditions
from tailroom.domain.units import NS_PER_HOUR
from tailroom.evidence.publication import published
from tailroom.ratings import repository
from tailroom.ratings.drives import CatalogueDrive, capacity_text
from tailroom.ratings.judgements import RULE_SETS, JudgementCache
from tailroom.ratings.leaderboard import Ratings, conditions_of, ratings_of
from tailroom.ratings.query import LeaderboardQuery
from tailroom.ratings.question import rule_set_question
from tailroom.storage.drive_test import DriveTest

DRIVE = "drive:"
"""Start of a subject name."""
_CLOCKS = {"total": "response", "device": "service"}
"""Clock (kind of measured time) of a test by its metric class; `operation` for an unstated class."""
Test = Row[Any]


@dataclass(frozen=True, slots=True)
class DriveSubject:
    """A drive, represented by one of its tests; `measured` has the test's figures. Loads are multiples of 1x:
    0 if none passed, infinity if none failed.
    """

    name: str
    label: str
    slug: str
    test: Test
    test_text: str
    passed_load: float
    failed_load: float
    measured: RunSubject | PublishedSubject

    @property
    def clocks(self) -> dict[str, frozenset[str]]:
        """The clock (kind of time) of the test's reads, as `{"read": …}`; drives have no other operation."""
        return {"read": frozenset({_CLOCKS.get(self.test.metric_class, "operation")})}

    def choose(self, operation: str, clock: str | None) -> ChosenOperation:
        """Return an operation of the test, by default by its clock. Raise SubjectsInvalid without it."""
        side = self.measured.choose(operation, next(iter(self.clocks["read"])) if clock is None else clock)
        changes = {
            "subject": self.name,
            "label": self.label,
            "source": "drive",
            "drive_slug": self.slug,
            "test_text": self.test_text,
            "load_multiple": self.test.load_multiple,
            "holds_load": self.passed_load or None,
            "fails_load": None if math.isinf(self.failed_load) else self.failed_load,
        }
        return ChosenOperation(side.measured, side.out.model_copy(update=changes), conditions_of(self.test))


def drive_subjects(
    caller: Caller, names: Sequence[str], load: float | None
) -> tuple[list[DriveSubject], list[float]]:
    """Return the named drives, each with its most comparable test (at `load`, a multiple of 1x, if given),
    and the sorted loads that all were tested at. Raise SubjectMissing for an unknown drive, SubjectsInvalid
    for a drive without tests or a load at which not all were tested.
    """
    if not names:
        return [], []
    rules = next(rule_set for rule_set in RULE_SETS if rule_set.name == LeaderboardQuery().rule_set)
    ratings = ratings_of(caller.session, JudgementCache(), caller.organisation_id, rule_set_question(rules))
    slugs = [name.removeprefix(DRIVE) for name in names]
    with caller.session() as session:
        every = repository.tests(
            session, repository.rateable(caller.organisation_id), DriveTest.drive_slug.in_(slugs)
        )
    tests = [_best_tests(ratings, every, slug) for slug in slugs]
    loads = sorted(set.intersection(*({test.load_multiple for test in own} for own in tests)))
    if load is not None:
        if load not in loads:
            common = ", ".join(f"{each:g}x" for each in loads) or "none"
            raise SubjectsInvalid(
                f"Not all of these drives were tested at {load:g}x. Loads of all: {common}."
            )
        tests = [[test for test in own if test.load_multiple == load] for own in tests]
    rows = {row.key: row for row in ratings.rows}
    subjects = []
    for name, slug, test in zip(names, slugs, _most_comparable(tests), strict=True):
        row, drive = rows[ratings.key_of(test)], ratings.drives[slug]
        subjects.append(
            DriveSubject(
                name,
                _label(drive, test.capacity_bytes),
                slug,
                test,
                _test_text(test),
                row.passed_load,
                row.failed_load,
                _measured_subject(caller, name, test),
            )
        )
    return subjects, loads


def drive_reasons(
    base: TestConditions, new: TestConditions, base_label: str, new_label: str
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the reasons against a comparison of two tests, each with the change that would remove it, and
    warnings about unstated conditions.
    """
    comparability = compare_tests(base, new)
    reasons = [
        (
            sentence(difference.difference),
            sentence(difference.change.format(first=base_label, second=new_label)),
        )
        for difference in comparability.differences
    ]
    return reasons, [sentence(warning) for warning in comparability.warnings]


def drives_sentence(subjects: Sequence[DriveSubject]) -> str:
    """Return a sentence that names the drive of two or more that holds a load at which all others fail, or
    why there is none.
    """
    conditions = [conditions_of(subject.test) for subject in subjects]
    if not all(compare_tests(conditions[0], other).comparable_but_for_load for other in conditions[1:]):
        return "Which drive holds more load is not shown: they were tested under different conditions."
    best = [
        subject
        for subject in subjects
        if all(subject.passed_load >= rival.failed_load for rival in subjects if rival is not subject)
        and subject.passed_load > 0.0
    ]
    if len(subjects) == 2:
        if not best:
            ranges = "; ".join(f"{subject.label} {_range(subject)}" for subject in subjects)
            return f"Which drive holds more load is not shown: {ranges}."
        better = best[0]
        other = next(subject for subject in subjects if subject is not better)
        return f"{better.label} holds {better.passed_load:g}x; {other.label} fails at {other.failed_load:g}x."
    if not best:
        never_failed = all(math.isinf(subject.failed_load) for subject in subjects)
        why = "no test of them failed" if never_failed else "none holds a load at which all others fail"
        return f"Which of {len(subjects)} drives holds the most load is not shown: {why}."
    return f"{best[0].label} holds {best[0].passed_load:g}x, where the other {len(subjects) - 1} drives fail."


def _range(subject: DriveSubject) -> str:
    """Return a drive's highest passed and lowest failed load, if any, as predicate of a sentence."""
    if not subject.passed_load and math.isinf(subject.failed_load):
        return "is proven at no load"
    if math.isinf(subject.failed_load):
        return f"holds {subject.passed_load:g}x and never failed"
    holds = f"holds {subject.passed_load:g}x and " if subject.passed_load else ""
    return f"{holds}fails {subject.failed_load:g}x"


def _best_tests(ratings: Ratings, tests: Sequence[Test], slug: str) -> list[Test]:
    """Return a drive's best test for each set of conditions and capacity: with counts, then the longest.
    Raise SubjectMissing if there is no such drive, SubjectsInvalid if it has no test.
    """
    if slug not in ratings.drives:
        raise SubjectMissing(f"The catalogue has no drive “{slug[:100]}”.")
    best: dict[tuple[TestConditions, int | None], Test] = {}
    for test in (each for each in tests if each.drive_slug == slug):
        key = conditions_of(test), test.capacity_bytes
        if key not in best or _weight(test) > _weight(best[key]):
            best[key] = test
    if not best:
        drive = ratings.drives[slug]
        raise SubjectsInvalid(f"No test of {drive.vendor} {drive.name} is on record, so nothing compares.")
    return list(best.values())


def _weight(test: Test) -> tuple[bool, int]:
    """Return a key that is larger for the better of two tests: a test with counts, then the longer test."""
    return test.total_count is not None, test.duration_ns or 0


def _most_comparable(tests: Sequence[Sequence[Test]]) -> list[Test]:
    """Return a test of each drive so that the fewest conditions differ from those of the first drive's test;
    among equals, those at the highest load.
    """
    if len(tests) == 1:
        return [min(tests[0], key=_rank)]

    @cache
    def differences(first: TestConditions, second: TestConditions) -> int:
        return len(compare_tests(first, second).differences)

    def apart(first: Test, second: Test) -> int:
        return differences(conditions_of(first), conditions_of(second))

    def others(first: Test) -> list[Test]:
        return [min(own, key=lambda test: (apart(first, test), *_rank(test))) for own in tests[1:]]

    def cost(first: Test) -> tuple[int, float, bool]:
        return (sum(apart(first, partner) for partner in others(first)), *_rank(first))

    base = min(tests[0], key=cost)
    return [base, *others(base)]


def _rank(test: Test) -> tuple[float, bool]:
    """Return a sort key of tests: highest load first, then device time (docs/method.md 4.1)."""
    return -test.load_multiple, test.metric_class != MetricClass.DEVICE


def _measured_subject(caller: Caller, name: str, test: Test) -> RunSubject | PublishedSubject:
    """Return the run or the publication behind a test. Raise SubjectMissing if the publication has no
    comparable figures, else as `run_subject`.
    """
    if test.run_id is not None:
        return run_subject(caller, name, test.run_id)
    row = (test.publication_slug, test.publication_row)
    for configuration in published():
        if configuration.of_drive and (configuration.publication.slug, configuration.row) == row:
            return PublishedSubject(name, Subject(configuration.label, published=configuration))
    raise SubjectMissing(f"{test.source_title} has no figures of {name} that can be compared.")


def _label(drive: CatalogueDrive, capacity_bytes: int | None) -> str:
    """Return vendor and name of a drive, with the capacity if it is known."""
    size = "" if capacity_bytes is None else f" {capacity_text(capacity_bytes)}"
    return f"{drive.vendor} {drive.name}{size}"


def _test_text(test: Test) -> str:
    """Return a test as text, without unstated parts: `30x, over-provisioned, response time, 24 h, SOURCE`."""
    clock = {"total": "response time", "device": "device time"}.get(test.metric_class)
    over_provisioning = {OpClass.OVER_PROVISIONED: "over-provisioned", OpClass.NONE: "not over-provisioned"}
    hours = None if test.duration_ns is None else f"{test.duration_ns / NS_PER_HOUR:g} h"
    parts = (f"{test.load_multiple:g}x", over_provisioning.get(OpClass(test.op_class)), clock, hours)
    return ", ".join([*filter(None, parts), str(test.source_title)])
