"""API documents of leaderboard rows. Texts and figures come from the judgement or the rating."""

from dataclasses import asdict
from typing import Any

from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.rating.conditions import ActGeneration, EvidenceClass
from tailroom.domain.rating.interval import LoadState
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget, TransactionBudget, document_of
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.ratings import costs
from tailroom.ratings.counters import counters_of_row
from tailroom.ratings.drives import Json
from tailroom.ratings.leaderboard import RatedRow, Ratings
from tailroom.ratings.load_table import LoadTable
from tailroom.ratings.question import Question
from tailroom.ratings.selection import SelectedRows
from tailroom.ratings.standing import standing_out, testers_of

_VERDICT_FIELDS = ("verdict", "strength", "words", "headline", "observed", "proven")
NOT_JUDGED = "not judged yet; ask again"
"""Text of a test that has no judgement yet."""


def rule_set_out(budget: ExceedanceBudget) -> Json:
    """Return a rule set for the API. Duration and slice are 0 and None unless its certification decides."""
    decides = budget.certification is not None and budget.certification.decides
    return {
        "name": budget.name,
        "version": budget.version,
        "title": budget.title,
        "question": budget.question,
        "limits": _limits(budget),
        "min_duration_ns": budget.certification_duration_ns if decides else 0,
        "slice_ns": budget.certification_slice_ns if decides else None,
    }


def question_out(question: Question) -> Json | None:
    """Return the visitor's own SLA for the API; None if the question is the rule set itself."""
    if not question.own:
        return None
    budget = question.budget
    is_plain = isinstance(budget, ExceedanceBudget)
    return {
        "kind": "thresholds" if is_plain else "budget",
        "title": question.title,
        "limits": _limits(budget) if isinstance(budget, ExceedanceBudget) else [],
        "document": document_of(budget),
    }


def leaderboard_out(
    ratings: Ratings, selected: SelectedRows, table: LoadTable, not_rated: str | None
) -> Json:
    """Return a page for the API. `not_rated` is why the requested run has no row, else None."""
    question = ratings.question
    return {
        "rule_set": rule_set_out(question.rule_set),
        "question": question_out(question),
        "method_version": METHOD_VERSION,
        "loads": table.loads,
        "rows": [row_document(table, index) for index in range(len(table.rows))],
        **selected.fields,
        "run_not_rated": not_rated,
        "notes": notes(ratings, table),
    }


def _cost(cost: costs.Cost | None) -> Json | None:
    return None if cost is None else cost._asdict()


def row_document(table: LoadTable, index: int) -> Json:
    """Return the row at `index` of the table for the API. Costs are at its highest passed load."""
    ratings, row = table.ratings, table.rows[index]
    conditions, drive, tests = row.condition_class, row.drive, table.tests_of(index)
    price, power_w, load = row.price, row.power_w, row.passed_load
    operations = costs.thousand_operations_per_s(load)
    transactions = costs.thousand_transactions_per_s(load, ratings.question.budget)
    return {
        "row_id": row.row_id,
        "drive": drive.names,
        "capacity_bytes": row.capacity_bytes,
        "over_provisioning": {
            "class": conditions.op_class.value,
            "usable_ratio": row.usable_ratio,
            "as_printed": next((test.op_as_printed for test in tests if test.op_as_printed), None),
        },
        "metric_class": conditions.metric_class.value,
        "generation": conditions.generation.value,
        "usable_cluster": conditions.usable_cluster,
        "record_bytes": conditions.record_bytes,
        "rating": _rating(table, index),
        "rank": {"best": row.best_rank, "worst": row.worst_rank, "among": row.ranked_rows}
        if row.ranked
        else None,
        "unranked_reason": unranked_reason(row),
        "cells": [_cell(table, index, load) for load in range(len(table.loads))],
        "exceedance_at_common": _common_load_share(table, index),
        "interface": drive.interface,
        "form_factor": " / ".join(drive.form_factors) or None,
        "dwpd": drive.dwpd(row.capacity_bytes),
        "power_w": power_w,
        "price": None if price is None else asdict(price),
        "price_per_ktps": _cost(costs.price_per(price, operations)),
        "price_per_thousand_transactions": _cost(costs.price_per(price, transactions)),
        "watts_per_ktps": costs.watts_per(power_w, operations),
        "watts_per_thousand_transactions": costs.watts_per(power_w, transactions),
        "evidence": [kind.value for kind in EvidenceClass if kind.value in row.evidence],
        "marks": sorted({mark for test in tests for mark in test.marks}),
        "visibility": row.visibility,
        "test_count": row.tests,
        "tested_year": row.tested_year,
        "published_year": row.published_year,
        "longest_test_ns": row.longest_ns,
        "firmware": row.firmware,
        "firmwares": [row.firmware] if row.firmware else [],
        "tested_by": testers_of(tests, ratings.organisation_id),
        "counters": counters_of_row(table, index),
        "standing": standing_out(table, index),
    }


def unranked_reason(row: RatedRow) -> str | None:
    """Return the reason why a row has no rank; None if it has a rank."""
    if row.ranked:
        return None
    if not row.is_decided:
        return "no test decides anything"
    if row.is_short:
        return "not comparable because a test lasted less than 24 h"
    if row.undisclosed:
        return "not comparable because a run does not disclose all that it must"
    return "no drive under these conditions holds a tested load"


def _cell(table: LoadTable, row: int, load: int) -> Json:
    """Return the cell of a row at a load, both as indices of the table; undecided if tests contradict."""
    tests = table.tests[row][load]
    if not tests:
        return _untested(table, row, load)
    state, disagree = table.state(row, load)
    strongest, results = table.strongest_result(row, load), table.results_of(row, load)
    if disagree:
        verdicts = [result["verdict"] for result in results]
        reason = f"the tests disagree: {verdicts.count('PASS')} passed, {verdicts.count('FAIL')} failed"
    else:
        texts = [result["reason_text"] for result in results] + [NOT_JUDGED] * (len(results) < len(tests))
        reason = "; ".join(dict.fromkeys(texts))
    bases = {result["basis"] for result in results}
    undecided = {
        "verdict": Verdict.INDETERMINATE.value,
        "words": "Undecided: tests disagree" if disagree else NOT_JUDGED,
    }
    return {
        "load": table.loads[load],
        "state": state.value,
        **{name: (strongest or undecided).get(name) for name in _VERDICT_FIELDS},
        "exceedances": _shares(table, row, load),
        "reason": reason if state is LoadState.UNDECIDED else None,
        "basis": "every_hour" if "every_hour" in bases else "whole_run",
        "test_ids": [test.test_id for test in tests],
        "tested_at": _distinct(test.tested_at for test in tests),
        "publishers": _distinct(test.publisher for test in tests),
        "disagree": disagree,
    }


def _untested(table: LoadTable, row: int, load: int) -> Json:
    """Return the cell of a load without tests; “bounded” if other loads bound the share at every limit."""
    cell: Json = {
        "load": table.loads[load],
        "state": "untested",
        **dict.fromkeys(_VERDICT_FIELDS),
        "exceedances": [],
        "reason": None,
        "basis": None,
        "test_ids": [],
        "tested_at": [],
        "publishers": [],
        "disagree": False,
    }
    if not all(bool(bounded.is_bounded[row, load]) for bounded in table.bounded):
        return cell
    first = table.bounded[0]
    neighbours = [int(first.below[row, load]), int(first.above[row, load])]
    loads = [f"{table.loads[neighbour]:g}x" for neighbour in neighbours if neighbour >= 0]
    cell["state"] = "bounded"
    cell["reason"] = (
        f"never tested; bounded by the test{'s' if len(loads) > 1 else ''} at {' and '.join(loads)}"
    )
    cell["exceedances"] = [
        {
            "threshold_ns": limit.threshold_ns,
            "lower_ratio": float(bounds.lower[row, load]),
            "upper_ratio": float(bounds.upper[row, load]),
        }
        for limit, bounds in zip(table.ratings.question.limits, table.bounded, strict=True)
    ]
    return cell


def _shares(table: LoadTable, row: int, load: int) -> list[Json]:
    return [
        {
            "threshold_ns": limit.threshold_ns,
            "lower_ratio": float(table.lower[number, row, load]),
            "upper_ratio": float(table.upper[number, row, load]),
        }
        for number, limit in enumerate(table.ratings.question.limits)
    ]


def _distinct(values: Any) -> list[str]:
    return list(dict.fromkeys(value for value in values if value))


def _rating(table: LoadTable, index: int) -> Json:
    row, rating = table.rows[index], table.rating(index)
    return {
        "passed_load": rating.passed_load,
        "failed_load": rating.failed_load,
        "passed_strength": row.passed_strength,
        "failed_strength": row.failed_strength,
        "never_tested_above": rating.never_tested_above,
        "violations": list(rating.violations),
    }


def _common_load_share(table: LoadTable, index: int) -> Json | None:
    load = table.rows[index].common_load
    if load is None or table.rows[index].common_cell is None or load not in table.loads:
        return None
    return {"load": load, **_shares(table, index, table.loads.index(load))[0]}


def notes(ratings: Ratings, table: LoadTable) -> list[str]:
    """Return sentences about what the judgements rest on, and about tests not judged yet; may be empty."""
    texts: list[str] = []
    budget = ratings.question.budget
    published = [
        test for row in range(len(table.rows)) for test in table.tests_of(row) if test.run_id is None
    ]
    if published and isinstance(budget, ExceedanceBudget):
        if budget.certification and budget.certification.decides:
            texts.append(
                "Published tests state shares of the whole test only, so they are judged by those and not by "
                "every hour."
            )
        if any(test.generation == ActGeneration.BEFORE_2 for test in published):
            texts.append(
                "ACT before 2.0 counted whole milliseconds, so that its labels 1, 8 and 64 ms begin at 2, 16 "
                "and 128 ms; limits mean true times."
            )
    if ratings.judged.waiting:
        texts.append(
            f"{len(ratings.judged.waiting)} tests have not been judged yet; the same question again goes on "
            "with them."
        )
    if isinstance(budget, TransactionBudget):
        texts.append("Shares in cells are those of late transactions.")
    return texts


def _limits(budget: ExceedanceBudget) -> list[Json]:
    return [{"threshold_ns": limit.threshold_ns, "limit_ratio": limit.ratio} for limit in budget.limits]
