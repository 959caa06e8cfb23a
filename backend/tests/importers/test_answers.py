"""Questions put to result files of every tool: what is answered, and what may never be said."""

from backend.bench.answers import SAMPLES, answers, contradictions

from tailroom.domain.verdicts.verdict import Reason, Verdict

_MAY_BE_UNDECIDED_BY = {Reason.RESOLUTION, Reason.SAMPLES, Reason.GENERATOR, Reason.METADATA}


def test_files_are_answered_and_nothing_is_said_against_their_counts() -> None:
    asked = list(answers([SAMPLES]))
    wrong = [f"{name}: {text}" for name, found, evidence in asked for text in contradictions(found, evidence)]
    assert wrong == []
    undecided = [found.judgement for _, found, _ in asked if found.judgement.verdict is Verdict.INDETERMINATE]
    assert {judgement.reason for judgement in undecided} <= _MAY_BE_UNDECIDED_BY
    assert all(judgement.decided_by for judgement in undecided)
    assert len(undecided) < 0.5 * len(asked)
