"""Count how many questions about real result files get an answer, and why the others do not.

Judge every run of every file in the given folders (by default the importers' samples) against ACT's limits
and against 250 sequential reads in one second, where it has the operations. An answer is PASS or FAIL with a
strength; undecided questions are counted by reason. Fail if an answer contradicts the counts of its run, or
if a closed loop proves a PASS.

`python -m backend.bench.answers [FOLDER …]`
"""

import argparse
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tailroom.cli.result_files import UNREADABLE, runs_of
from tailroom.domain.errors import DomainError
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget import ACT_LIMITS_1, FRAUD_250_SEQUENTIAL_1
from tailroom.domain.verdicts.evidence import RunEvidence
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.verdict import Reason, Strength, Verdict
from tailroom.evidence.file import evidence_of

BUDGETS = (ACT_LIMITS_1, FRAUD_250_SEQUENTIAL_1)
SAMPLES = Path(__file__).parents[1] / "tests" / "importers" / "samples"


def answers(folders: list[Path]) -> Iterator[tuple[str, BudgetAssessment, RunEvidence]]:
    """Yield name, assessment and evidence of each question; skip unreadable files and runs without reads."""
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
    for path in files:
        try:
            runs = runs_of(str(path), None)
        except UNREADABLE:
            continue
        for run in runs:
            for budget in BUDGETS:
                try:
                    evidence, _ = evidence_of([run], budget)
                    yield f"{path.name} {budget.name}", judge_budget(budget, evidence), evidence
                except DomainError:
                    continue


def contradictions(assessment: BudgetAssessment, evidence: RunEvidence) -> Iterator[str]:
    """Yield a sentence for each contradiction between an assessment and its evidence."""
    judgement = assessment.judgement
    observed, proven = judgement.observed, judgement.proven
    if (
        judgement.strength is Strength.PROVEN
        and judgement.verdict is Verdict.PASS
        and evidence.load.closed_loop
    ):
        yield "a closed loop proves a PASS"
    if Verdict.INDETERMINATE not in (observed.verdict, proven.verdict) and observed.verdict != proven.verdict:
        yield "the proven verdict contradicts the observed one"
    for row in assessment.limits.rows if assessment.limits else ():
        limit = row.limit
        if row.judgement.verdict is Verdict.PASS and row.measured.share_upper >= getattr(limit, "ratio", 1.0):
            yield "a PASS against the counts"
        if row.judgement.verdict is Verdict.FAIL and row.measured.share_lower < getattr(limit, "ratio", 0.0):
            yield "a FAIL against the counts"


def main() -> None:
    """Judge all files and print the counts; exit with 1 if an answer contradicts its counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[SAMPLES])
    parser.add_argument("--list", action="store_true", help="print every answer")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    words: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    wrong: list[str] = []
    for name, assessment, evidence in answers(arguments.folders):
        judgement = assessment.judgement
        words[f"{judgement.verdict.value} {judgement.strength.value if judgement.strength else ''}"] += 1
        if judgement.verdict is Verdict.INDETERMINATE:
            reasons[(judgement.reason or Reason.METADATA).value] += 1
        wrong += [f"{name}: {text}" for text in contradictions(assessment, evidence)]
        if arguments.list:
            sys.stdout.write(f"{name}: {judgement.verdict.value}: {judgement.reason_text}\n")
    asked, unknown = sum(words.values()), reasons[Reason.METADATA.value]
    answered = asked - sum(reasons.values())
    sys.stdout.write(f"{asked} questions, {answered} answered ({100 * answered / max(1, asked):.0f} %), ")
    share = 100 * answered / max(1, asked - unknown)
    sys.stdout.write(f"{share:.0f} % of those whose conditions are known\n")
    for title, counts in (("answers", words), ("undecided by", reasons)):
        sys.stdout.write(f"{title}: " + ", ".join(f"{n} {name}" for name, n in counts.most_common()) + "\n")
    sys.stdout.write(f"{len(wrong)} contradictions" + "".join(f"\n    {text}" for text in wrong) + "\n")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
