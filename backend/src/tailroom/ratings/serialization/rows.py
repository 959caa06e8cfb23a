"""Rows of the leaderboard as they are sent.

Every figure comes from the answer; here it is only put into words and the form of `schemas`.
"""

from typing import Any

import msgspec
import numpy as np

from tailroom.budgets.documents import document_of
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.rating.conditions import ConditionClass
from tailroom.domain.rating.interval import LoadState, ShareEnds, TestedLoad, rating_of
from tailroom.domain.rating.judging import Basis, State, Why
from tailroom.domain.units import duration_text, latency_text, percent_text
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget, TransactionBudget
from tailroom.ratings.answers.answer import Answer
from tailroom.ratings.answers.order import (
    Selected,
    price_per_ktps,
    price_per_thousand_transactions,
    watts_per_ktps,
    watts_per_thousand_transactions,
)
from tailroom.ratings.board.board import EVIDENCE
from tailroom.ratings.board.drives import KnownDrive
from tailroom.ratings.board.withdrawn import Withdrawn
from tailroom.ratings.questions.question import Question

Json = dict[str, Any]
BASIS = {Basis.WHOLE_RUN: "whole_run", Basis.EVERY_HOUR: "every_hour"}
_RECORD_STEP_BYTES = 512


def rule_set_out(budget: ExceedanceBudget) -> Json:
    """A rule set."""
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
    """An own SLA as it was understood."""
    if not question.own:
        return None
    budget = question.budget
    plain = isinstance(budget, ExceedanceBudget)
    return {
        "kind": "thresholds" if plain else "budget",
        "title": question.title,
        "limits": _limits(budget) if isinstance(budget, ExceedanceBudget) else [],
        "document": document_of(budget),
    }


def leaderboard_out(answer: Answer, selected: Selected) -> Json:
    """A page."""
    question = answer.question
    return {
        "rule_set": rule_set_out(question.rule_set),
        "question": question_out(question),
        "method_version": METHOD_VERSION,
        "loads": loads_shown(answer, selected.places),
        "rows": [row_out(answer, place, loads_of(answer, selected.places)) for place in selected.places],
        "next_cursor": selected.next_cursor,
        "total": selected.total,
        "total_unfiltered": selected.total_unfiltered,
        "conditions": None if selected.chosen is None else _conditions(answer, selected.chosen, selected),
        "classes": [_conditions(answer, one, selected) for one, _ in selected.classes],
        "hidden": {
            "count": sum(count for _, count in selected.hidden),
            "reasons": [{"reason": reason, "count": count} for reason, count in selected.hidden],
        },
        "facets": {
            name: [{"value": value, "count": count} for value, count in values]
            for name, values in selected.facets.items()
        },
        "tests_waiting": tests_waiting(answer),
        "withdrawn": [withdrawn_out(one) for one in selected.withdrawn],
        "notes": notes(answer),
    }


def tests_waiting(answer: Answer) -> int:
    """Tests that have not been judged yet, of those whose evidence is asked for."""
    if answer.decided.is_complete:
        return 0
    return int(((answer.decided.why == Why.NOT_JUDGED) & answer.counts).sum())


def loads_of(answer: Answer, places: list[int]) -> tuple[int, ...]:
    """Places of the loads that any of these rows was tested at."""
    if not places:
        return ()
    return tuple(np.flatnonzero(answer.tested[places].any(axis=0)).tolist())


def loads_shown(answer: Answer, places: list[int]) -> list[float]:
    """Loads that are columns."""
    return [float(answer.board.loads[load]) for load in loads_of(answer, places)]


def row_out(answer: Answer, place: int, loads: tuple[int, ...]) -> msgspec.Raw:
    """A row, encoded; kept until the board changes."""
    kept = answer.shown.get(place)
    if kept is None or kept[0] != loads:
        encoded = msgspec.json.encode(row_document(answer, place, loads))
        kept = answer.shown[place] = (loads, msgspec.Raw(encoded))
    found: msgspec.Raw = kept[1]
    return found


def row_document(answer: Answer, place: int, loads: tuple[int, ...]) -> Json:
    """A row."""
    row = answer.board.rows[place]
    found = row.condition_class
    price = row.drive.price(row.capacity_bytes)
    tests = [answer.board.tests[one] for one in row.tests if answer.counts[one]]
    evidence = {one.evidence for one in tests}
    return {
        "row_id": row.row_id,
        "drive": drive_out(row.drive),
        "capacity_bytes": row.capacity_bytes,
        "over_provisioning": {
            "class": found.op_class.value,
            "usable_ratio": row.usable_ratio,
            "as_printed": row.op_as_printed,
        },
        "metric_class": found.metric_class.value,
        "generation": found.generation.value,
        "rating": _rating(answer, place),
        "rank": _rank(answer, place),
        "unranked_reason": _unranked(answer, place),
        "cells": [cell_out(answer, place, load) for load in loads],
        "exceedance_at_common": _at_common(answer, place),
        "interface": row.drive.interface,
        "form_factor": " / ".join(row.drive.form_factors) or None,
        "dwpd": row.drive.dwpd(row.capacity_bytes),
        "power_w": row.drive.power_w(row.capacity_bytes),
        "price": None
        if price is None
        else {"value": price.value, "currency": price.currency, "date": price.date, "source": price.source},
        "price_per_ktps": price_per_ktps(answer, place),
        "price_per_thousand_transactions": price_per_thousand_transactions(answer, place),
        "watts_per_ktps": watts_per_ktps(answer, place),
        "watts_per_thousand_transactions": watts_per_thousand_transactions(answer, place),
        "evidence": [one.value for one in EVIDENCE if one.value in evidence],
        "marks": sorted({mark for one in tests for mark in one.marks}),
        "visibility": row.visibility,
        "test_count": len(tests),
    }


def drive_out(drive: KnownDrive) -> Json:
    """A drive's name."""
    return {"slug": drive.slug, "vendor": drive.vendor, "name": drive.name}


def withdrawn_out(one: Withdrawn) -> Json:
    """What is left of a test that was public."""
    return {
        "drive": drive_out(one.drive),
        "capacity_bytes": one.capacity_bytes,
        "load": one.load_multiple,
        "run_id": one.run_id,
        "publication_slug": one.publication_slug,
        "withdrawn_at": one.withdrawn_at,
        "reason": one.reason,
    }


def cell_out(answer: Answer, place: int, load: int) -> Json:
    """One drive at one load."""
    multiple = float(answer.board.loads[load])
    tests = answer.tests_of_cell.get((place, load), [])
    if not tests:
        return _untested(answer, place, load)
    state = state_of(answer, place, load)
    bases = {int(answer.decided.basis[one]) for one in tests}
    return {
        "load": multiple,
        "state": state.value,
        "exceedances": [
            {
                "threshold_ns": limit.threshold_ns,
                "lower_ratio": float(answer.lower[number, place, load]),
                "upper_ratio": float(answer.upper[number, place, load]),
            }
            for number, limit in enumerate(answer.question.limits)
        ],
        "reason": _reason(answer, place, load, tests) if state is LoadState.UNDECIDED else None,
        "basis": BASIS[Basis(max(bases))],
        "test_ids": [answer.board.tests[one].test_id for one in tests],
        "disagree": bool(answer.disagree[place, load]),
    }


def state_of(answer: Answer, place: int, load: int) -> LoadState:
    """What the tests of a cell say together."""
    if answer.passed[place, load]:
        return LoadState.PASSED
    return LoadState.FAILED if answer.failed[place, load] else LoadState.UNDECIDED


def why_text(answer: Answer, test: int) -> str:
    """Why a test decides nothing, in words."""
    row = answer.board.tests[test]
    match Why(int(answer.decided.why[test])):
        case Why.RESOLUTION:
            return _resolution_text(answer, test)
        case Why.SAMPLES:
            return "too few reads: with 95 % confidence the share lies on both sides of a limit"
        case Why.DURATION:
            lasted = "an unknown time" if row.duration_ns is None else duration_text(row.duration_ns)
            wanted = answer.question.budget
            hours = wanted.certification_duration_ns if isinstance(wanted, ExceedanceBudget) else 0
            return f"lasted {lasted}; the rules ask for {duration_text(hours)}"
        case Why.GENERATOR:
            return row.doubt_text or "fewer full hours are on record than the rules ask for"
        case Why.NOT_JUDGED:
            return "not judged yet; ask again"
        case _:
            return "the record cannot be judged by this question"


def _resolution_text(answer: Answer, test: int) -> str:
    published = bool(answer.board.facts.is_published[test])
    if isinstance(answer.question.budget, TransactionBudget):
        lower, upper = (float(one) for one in answer.decided.ends[0, :, test])
        known = "what is published" if published else "what the buckets show"
        return (
            f"{known} allows {percent_text(lower)} to {percent_text(upper)} of the transactions to be late; "
            f"{percent_text(1.0 - answer.question.budget.objective_ratio)} may be"
        )
    for number, limit in enumerate(answer.question.limits):
        lower, upper = (float(one) for one in answer.decided.ends[number, :, test])
        if lower < limit.ratio <= upper:
            why = "as it was rounded, " if published else ""
            return (
                f"{why}the share at or over {latency_text(limit.threshold_ns)} lies between "
                f"{percent_text(lower)} and {percent_text(upper)}, around the limit of "
                f"{percent_text(limit.ratio)}"
            )
    return "no full hours are on record, and the rules ask that every one of them keeps the limits"


def _reason(answer: Answer, place: int, load: int, tests: list[int]) -> str:
    if answer.disagree[place, load]:
        passed = sum(int(answer.decided.state[one]) == State.PASSED for one in tests)
        failed = sum(int(answer.decided.state[one]) == State.FAILED for one in tests)
        return f"the tests disagree: {passed} passed, {failed} failed"
    return "; ".join(dict.fromkeys(why_text(answer, one) for one in tests))


def _untested(answer: Answer, place: int, load: int) -> Json:
    """Never tested; bounded where tested neighbours bound every limit's share."""
    multiple = float(answer.board.loads[load])
    known = all(bool(one.is_bounded[place, load]) for one in answer.bounded) and len(answer.bounded) > 0
    cell: Json = {
        "load": multiple,
        "state": "untested",
        "exceedances": [],
        "reason": None,
        "basis": None,
        "test_ids": [],
        "disagree": False,
    }
    if not known:
        return cell
    below, above = int(answer.bounded[0].below[place, load]), int(answer.bounded[0].above[place, load])
    loads = [f"{answer.board.loads[one]:g}x" for one in (below, above) if one >= 0]
    cell["state"] = "bounded"
    cell["reason"] = (
        f"never tested; bounded by the test{'s' if len(loads) > 1 else ''} at {' and '.join(loads)}"
    )
    cell["exceedances"] = [
        {
            "threshold_ns": limit.threshold_ns,
            "lower_ratio": float(bounds.lower[place, load]),
            "upper_ratio": float(bounds.upper[place, load]),
        }
        for limit, bounds in zip(answer.question.limits, answer.bounded, strict=True)
    ]
    return cell


def _rating(answer: Answer, place: int) -> Json:
    tested = [
        TestedLoad(
            float(answer.board.loads[load]),
            state_of(answer, place, load),
            {
                limit.threshold_ns: ShareEnds(
                    float(answer.lower[number, place, load]), float(answer.upper[number, place, load])
                )
                for number, limit in enumerate(answer.question.limits)
            },
        )
        for load in answer.tested[place].nonzero()[0].tolist()
    ]
    rating = rating_of(tested)
    return {
        "passed_load": rating.passed_load,
        "failed_load": rating.failed_load,
        "never_tested_above": rating.never_tested_above,
        "violations": list(rating.violations),
    }


def _rank(answer: Answer, place: int) -> Json | None:
    if not answer.ranked[place]:
        return None
    return {
        "best": int(answer.ranks.best[place]),
        "worst": int(answer.ranks.worst[place]),
        "among": int(answer.among[place]),
    }


def _unranked(answer: Answer, place: int) -> str | None:
    if answer.ranked[place]:
        return None
    if not answer.is_decided[place]:
        return "no test decides anything"
    if answer.short[place]:
        return "not comparable because a test lasted less than 24 h"
    if answer.undisclosed[place]:
        return "not comparable because a run does not disclose all that it must"
    return "no drive under these conditions holds a tested load"


def _at_common(answer: Answer, place: int) -> Json | None:
    load = int(answer.common_load[place])
    if load < 0 or not answer.tested[place, load]:
        return None
    return {
        "load": float(answer.board.loads[load]),
        "threshold_ns": answer.question.limits[0].threshold_ns,
        "lower_ratio": float(answer.lower[0, place, load]),
        "upper_ratio": float(answer.upper[0, place, load]),
    }


def _conditions(answer: Answer, one: ConditionClass, selected: Selected) -> Json:
    usable = next(
        (
            row.usable_ratio
            for row in answer.board.rows
            if row.condition_class == one and row.usable_ratio is not None
        ),
        None,
    )
    return {
        "metric_class": one.metric_class.value,
        "op_class": one.op_class.value,
        "generation": one.generation.value,
        "usable_ratio": usable,
        "record_bytes": None if one.record_class is None else one.record_class * _RECORD_STEP_BYTES,
        "rows": dict(selected.classes)[one],
        "text": one.text,
    }


def notes(answer: Answer) -> list[str]:
    """What holds for every judgement shown."""
    found: list[str] = []
    published = answer.counts & answer.board.facts.is_published
    if published.any():
        budget = answer.question.budget
        if isinstance(budget, ExceedanceBudget) and budget.certification and budget.certification.decides:
            found.append(
                "Published tests state shares of the whole run only, so they are judged by those and not by "
                "every hour; no source says how many reads were counted."
            )
        else:
            found.append("Published tests are judged as printed; no source says how many reads were counted.")
        if answer.question.own and any(
            one.generation == "before-2.0" and one.run_id is None for one in answer.board.tests
        ):
            found.append(
                "ACT before 2.0 counted whole milliseconds, so that its labels 1, 8 and 64 ms begin at 2, 16 "
                "and 128 ms; own thresholds mean true times."
            )
    if not answer.decided.is_complete:
        waiting = tests_waiting(answer)
        found.append(f"{waiting} tests have not been judged yet; the same question again goes on with them.")
    if isinstance(answer.question.budget, TransactionBudget):
        found.append("Shares in cells are those of late transactions.")
    return found


def _limits(budget: ExceedanceBudget) -> list[Json]:
    return [{"threshold_ns": one.threshold_ns, "limit_ratio": one.ratio} for one in budget.limits]
