"""Tests of a board one by one, as they are sent: figures, verdicts by every rule set, source, marks."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from tailroom.domain.rating.judging import State, Why
from tailroom.ratings.answers.answer import Answer
from tailroom.ratings.board.board import Board
from tailroom.ratings.serialization.rows import BASIS, Json, why_text

_WORDS = {State.PASSED: "PASS", State.FAILED: "FAIL", State.UNDECIDED: "INDETERMINATE"}
_REASONS = {
    Why.RESOLUTION: "resolution",
    Why.SAMPLES: "samples",
    Why.DURATION: "duration",
    Why.GENERATOR: "generator",
    Why.METADATA: "metadata",
}


def test_out(
    board: Board, place: int, answers: Sequence[Answer], findings: Mapping[str, Sequence[Json]]
) -> Json:
    """A test, judged by the rule set of each answer; `findings` by keys of claims."""
    one = board.tests[place]
    row = int(board.row_of[place])
    return {
        "test_id": one.test_id,
        "row_id": board.rows[row].row_id if row >= 0 else "",
        "load": one.load_multiple,
        "load_as_printed": one.load_as_printed,
        "capacity_bytes": one.capacity_bytes,
        "over_provisioning": {
            "class": one.op_class,
            "usable_ratio": one.usable_ratio,
            "as_printed": one.op_as_printed,
        },
        "metric_class": one.metric_class,
        "generation": one.generation,
        "tool": one.tool,
        "tool_version": one.tool_version,
        "duration_ns": one.duration_ns,
        "record_bytes": one.record_bytes,
        "tested_at": one.tested_at,
        "exceedances": _exceedances(board, place),
        "verdicts": [_verdict(answer, place) for answer in answers],
        "evidence": one.evidence,
        "marks": list(one.marks),
        "mark_notes": list(one.mark_notes),
        "visibility": "public" if one.visibility == "public" else "private",
        "source": {
            "kind": "run" if one.run_id else "publication",
            "slug": one.publication_slug,
            "title": one.source_title,
            "publisher": one.publisher,
            "row": one.publication_row,
            "claim_keys": list(one.claim_keys),
            "run_id": one.run_id,
        },
        "findings": _findings(one, findings),
    }


def _findings(one: Any, findings: Mapping[str, Sequence[Json]]) -> list[Json]:
    found: list[Json] = []
    for key in one.claim_keys:
        found += [
            finding for finding in findings.get(f"{one.publication_slug} {key}", ()) if finding not in found
        ]
    return found


def _exceedances(board: Board, place: int) -> list[Json]:
    """At the thresholds of a published test; of a counted one at those that are exact."""
    one, knots = board.tests[place], board.knots
    own = slice(int(knots.offsets[place]), int(knots.offsets[place + 1]))
    times, ends = knots.thresholds_ns[knots.at[own]], knots.ends[:, own]
    total = one.total_count
    printed = msgspec.json.decode(one.as_printed, type=dict[str, Any])
    found: list[Json] = []
    for column, threshold_ns in enumerate(times.tolist()):
        lower, upper = float(ends[0, column]), float(ends[1, column])
        exact = total is not None and lower == upper
        if total is not None and not exact:
            continue
        found.append(
            {
                "threshold_ns": threshold_ns,
                "lower_ratio": lower,
                "upper_ratio": upper,
                "as_printed": printed.get(str(threshold_ns)),
                "over_count": round(lower * total) if exact and total is not None else None,
                "total_count": total,
            }
        )
    return found


def _verdict(answer: Answer, place: int) -> Json:
    budget = answer.question.rule_set
    state = State(int(answer.decided.state[place]))
    why = Why(int(answer.decided.why[place]))
    return {
        "rule_set": budget.name,
        "version": budget.version,
        "title": budget.title,
        "verdict": _WORDS[state],
        "reason": _REASONS.get(why) if state is State.UNDECIDED else None,
        "reason_text": why_text(answer, place) if state is State.UNDECIDED else _decided_text(answer, place),
        "basis": BASIS[int(answer.decided.basis[place])],  # type: ignore[index]
    }


def _decided_text(answer: Answer, place: int) -> str | None:
    """The limit that is missed, or none."""
    if int(answer.decided.state[place]) != State.FAILED:
        return None
    if bool(answer.board.facts.device_failed[place]):
        return answer.board.tests[place].doubt_text or "the drive could not keep up"
    missed = [
        limit.threshold_ns
        for number, limit in enumerate(answer.question.limits)
        if answer.decided.ends[number, 0, place] >= limit.ratio
    ]
    if not missed:
        return "an hour misses a limit"
    from_ms = ", ".join(f"{np.format_float_positional(at / 1e6, trim='-')} ms" for at in missed)
    return f"too many reads at or over {from_ms}"
