"""Standing of a leaderboard row: how well independent tests confirm its rating."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from tailroom.domain.rating.conditions import EvidenceClass
from tailroom.domain.rating.standing import ConfirmingTest, LimitShare, standing_of
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.ratings.load_table import LoadTable
from tailroom.storage.run import PUBLIC


def standing_out(table: LoadTable, index: int) -> dict[str, Any]:
    """Return the standing of the row at `index` for the API. Tests not judged yet count as undecided."""
    row = table.rows[index]
    rating = table.rating(index)
    load = rating.passed_load if rating.passed_load is not None else rating.failed_load
    limit_ratios = [limit.ratio for limit in table.ratings.question.limits]
    tests = [_test(test, table.results.get(test.test_id), limit_ratios) for test in table.tests_of(index)]
    standing = asdict(standing_of(tests, load))
    made, published = _tries(table.tests_of(index))
    return {
        **standing,
        "standing": standing["standing"].value,
        "tests": row.tests,
        "runs_made": made,
        "runs_published": published,
    }


def _tries(tests: Sequence[Row[Any]]) -> tuple[int | None, int]:
    """Return the number of runs with the plans of published runs, private runs included, and the number of
    published runs. The first is None without published runs, or if the runs of a plan were not counted.
    """
    published = [test for test in tests if test.run_id is not None and test.visibility == PUBLIC]
    made: dict[tuple[Any, ...], int] = {}
    for test in published:
        plan = (test.organisation_id, test.load_multiple, test.usable_ratio, test.record_bytes)
        made[plan] = max(made.get(plan, 0), test.tries or 0)
    counted = all(made.values()) and bool(made)
    return sum(made.values()) if counted else None, len({test.run_id for test in published})


def testers_of(tests: Sequence[Row[Any]], reader_id: UUID | None) -> list[str]:
    """Return the testers as texts; the reader's organisation is `me`, others are counted."""
    vendor = ["its vendor"] if any(test.evidence == EvidenceClass.VENDOR for test in tests) else []
    third = (test.publisher for test in tests if test.evidence == EvidenceClass.THIRD_PARTY)
    publishers = [name for name in dict.fromkeys(third) if name]
    owners = {test.organisation_id for test in tests if test.organisation_id is not None}
    others = len(owners - {reader_id})
    counted = ["an organisation" if others == 1 else f"{others} organisations"] if others else []
    return [*vendor, *publishers, *(["me"] if reader_id in owners else []), *counted]


def _test(test: Row[Any], result: Mapping[str, Any] | None, limit_ratios: list[float]) -> ConfirmingTest:
    shares = result["limits"] if result is not None and result["limits"] else []
    return ConfirmingTest(
        tester=str(test.organisation_id or test.publisher or test.publication_slug),
        serials=frozenset((test.serials_sha256 or "").split()),
        load=test.load_multiple,
        verdict=Verdict.INDETERMINATE if result is None else Verdict(result["verdict"]),
        shares=tuple(
            LimitShare(share["lower_ratio"], share["upper_ratio"], limit_ratio)
            for share, limit_ratio in zip(shares, limit_ratios, strict=False)
        ),
        samples=None if test.total_count is None else test.total_count / max(1.0, test.design_factor),
    )
