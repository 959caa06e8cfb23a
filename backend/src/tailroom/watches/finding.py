"""Finding of a watch about a run: the verdict of its budget, or that of a load search."""

from dataclasses import dataclass

from tailroom.domain.verdicts.headline import words_of_document
from tailroom.runs.verdict_schemas import VerdictOut


@dataclass(frozen=True, slots=True)
class WatchFinding:
    """Verdict of a watch on a run. `words` is verdict and strength as text, `statement` is the result or the
    reason in one sentence. `strength` is None for undecided verdicts and for searches.
    """

    budget_name: str
    budget_title: str
    verdict: str
    strength: str | None
    words: str
    method_version: int
    statement: str


def finding_of(verdict: VerdictOut) -> WatchFinding:
    """Return the finding that a budget's verdict on a run gives."""
    return WatchFinding(
        budget_name=verdict.budget.name,
        budget_title=verdict.budget.title or verdict.budget.name,
        verdict=verdict.verdict,
        strength=verdict.strength,
        words=verdict.words or words_of_document(verdict.model_dump()),
        method_version=verdict.method_version,
        statement=statement_of(verdict),
    )


def statement_of(verdict: VerdictOut) -> str:
    """Return the headline of a verdict, else its reason, else the verdict itself."""
    return verdict.headline.text if verdict.headline is not None else verdict.reason_text or verdict.verdict
