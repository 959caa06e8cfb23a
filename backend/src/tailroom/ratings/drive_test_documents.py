"""API documents of the tests of a drive."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row

from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.ratings.counters import counters_of_tests
from tailroom.ratings.documents import NOT_JUDGED, Json

_VERDICT_FIELDS = (
    *("verdict", "strength", "words", "headline", "observed"),
    *("proven", "reason", "reason_text", "basis"),
)


def test_out(
    test: Row[Any],
    row_id: str,
    judged: Sequence[tuple[ExceedanceBudget, Mapping[str, Any]]],
    findings: Mapping[str, Sequence[Json]],
    published_at: Mapping[str, str | None],
) -> Json:
    """Return a test for the API, with its verdict by each rule set.

    `judged`: pairs of a rule set and its stored results by test id. `findings` by publication slug and claim
    key, separated by a space. `published_at`: dates of publications as printed, by slug.
    """
    return {
        "test_id": test.test_id,
        "row_id": row_id,
        "load": test.load_multiple,
        "load_as_printed": test.load_as_printed,
        "capacity_bytes": test.capacity_bytes,
        "over_provisioning": {
            "class": test.op_class,
            "usable_ratio": test.usable_ratio,
            "as_printed": test.op_as_printed,
        },
        "metric_class": test.metric_class,
        "generation": test.generation,
        "tool": test.tool,
        "tool_version": test.tool_version,
        "duration_ns": test.duration_ns,
        "record_bytes": test.record_bytes,
        "tested_at": test.tested_at,
        "exceedances": test.exceedances,
        "verdicts": [_verdict(budget, results.get(test.test_id)) for budget, results in judged],
        "evidence": test.evidence,
        "marks": list(test.marks),
        "mark_notes": list(test.mark_notes),
        "firmware": test.firmware,
        "counters": counters_of_tests([test]),
        "visibility": "public" if test.visibility == "public" else "private",
        "source": {
            "kind": "run" if test.run_id else "publication",
            "slug": test.publication_slug,
            "title": test.source_title,
            "publisher": test.publisher,
            "published_at": published_at.get(test.publication_slug or ""),
            "row": test.publication_row,
            "claim_keys": list(test.claim_keys),
            "run_id": test.run_id,
        },
        "findings": _findings(test, findings),
    }


def _verdict(budget: ExceedanceBudget, result: Mapping[str, Any] | None) -> Json:
    """Return the verdict of a test by a rule set for the API.

    `result` is the stored judgement, None if the test is not judged yet.
    """
    shown = result or {
        **dict.fromkeys(_VERDICT_FIELDS),
        "verdict": Verdict.INDETERMINATE.value,
        "words": NOT_JUDGED,
        "reason_text": NOT_JUDGED,
    }
    return {
        "rule_set": budget.name,
        "version": budget.version,
        "title": budget.title,
        **{name: shown[name] for name in _VERDICT_FIELDS},
    }


def _findings(test: Row[Any], findings: Mapping[str, Sequence[Json]]) -> list[Json]:
    """Return the audit findings about the claims of a test, each once."""
    of_test: list[Json] = []
    for key in test.claim_keys:
        of_claim = findings.get(f"{test.publication_slug} {key}", ())
        of_test += [finding for finding in of_claim if finding not in of_test]
    return of_test
