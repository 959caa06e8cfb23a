"""Check that related questions get consistent answers, on random evidence.

For each kind of source (intervals with and without measured transactions, a histogram without intervals,
buckets that double, published percentiles) draw random evidence and questions. Pair each question with an
easier question, or with the same question judged quickly: on a coarser grid, from compacted evidence.

Compare the verdicts and strengths in both scopes, the bounds of the success rate, the largest count, the room
left (quick against full), and the stored document with the summary. Print how many comparisons were tried and
how many failed; exit with 1 if any failed.

`python backend/bench/coherence.py --questions 10000`
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tailroom.domain.latency.bounds import Floats
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.document import distributions_of
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout, Pow2Layout
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.units import NS_PER_S
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.compaction import compact_evidence
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.headline import words
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.order import ORDER, rank_of
from tailroom.domain.verdicts.verdict import Strength, Verdict

QUICK_BINS, FULL_BINS = 1 << 10, 1 << 12
DIGITS = 1e-6
"""Tolerance for success rates; verdicts, counts and times must match exactly."""
KINDS = ("run", "run with transactions", "closed loop", "no course", "doubling buckets", "published", "few")
_RECORD_QUESTIONS = 40


def evidence_of_kind(kind: str, rng: np.random.Generator) -> RunEvidence:
    """Return random evidence of a kind of source."""
    median_ns = float(np.exp(rng.uniform(np.log(5e4), np.log(8e6))))
    spread = float(rng.uniform(0.1, 1.0))
    if kind == "published":
        at = np.sort(np.exp(rng.normal(np.log(median_ns), spread, 4)).astype(np.int64)) + 1
        pairs = [[share, int(value)] for share, value in zip((0.5, 0.95, 0.99, 0.999), at, strict=True)]
        document = {"layout": {"t": "knots"}, "n": 10**7, "percentiles": pairs}
        if rng.random() < 0.5:
            document.pop("n")
        (distribution,) = distributions_of(document)
        return RunEvidence((OperationEvidence("read", "operation", distribution.record),))
    layout = Pow2Layout(1_000) if kind == "doubling buckets" else HdrLayout()
    size = {"few": 3_000}.get(kind, 12_000)
    is_slow = rng.random(int(rng.integers(4, 40))) < 0.1
    medians_ns = median_ns * (1.0 + is_slow.astype(np.float64))
    pieces = [_piece(rng, layout, float(median_ns), spread, size) for median_ns in medians_ns]
    course = IntervalRecords.of(
        pieces, [place * 10 * NS_PER_S for place in range(len(pieces))], [10 * NS_PER_S] * len(pieces)
    )
    with_course = kind in ("run", "run with transactions", "closed loop")
    reads = OperationEvidence(
        "read",
        "response",
        course.total(),
        course if with_course else None,
        closed_loop=kind == "closed loop",
        measured_ns=course.end_ns,
    )
    if kind != "run with transactions":
        return RunEvidence((reads,), measured_ns=course.end_ns)
    run, issued = _transactions(rng, medians_ns, spread)
    transactions = OperationEvidence(TRANSACTION, "response", run, issued=issued)
    return RunEvidence((reads, transactions), measured_ns=course.end_ns)


def _transactions(rng: np.random.Generator, medians_ns: Floats, spread: float) -> tuple[LatencyDist, Plan]:
    """Return the distribution of random transactions, and their plan.

    70 % of the draws sum the run's own reads; the others come from a distribution that the reads contradict.
    """
    fan_out = int(rng.integers(2, 12)) if rng.random() < 0.4 else 1
    waves, size = int(rng.integers(20, 400)) // fan_out + 1, int(rng.integers(500, 9_000))
    if rng.random() < 0.7:
        each = np.exp(spread * rng.standard_normal((size, waves, fan_out)))
        times = rng.choice(medians_ns, size) * each.max(axis=2).sum(axis=1)
    else:
        mean_ns = float(medians_ns.min() * np.exp(spread**2 / 2.0))
        times = rng.normal(waves * mean_ns, np.sqrt(waves) * mean_ns * spread * 1.3, size)
    scheduling = Scheduling.WAVES if fan_out > 1 else Scheduling.SEQUENTIAL
    plan = Plan((Stage("read", waves * fan_out, fan_out, scheduling),))
    return _dist(HdrLayout(), np.maximum(times, 1e3)), plan


def _piece(
    rng: np.random.Generator, layout: HdrLayout | Pow2Layout, median_ns: float, spread: float, size: int
) -> LatencyDist:
    """Return the distribution of one slice: lognormal latencies, rare stalls, in 5 % of slices an error."""
    drawn = rng.lognormal(np.log(median_ns), spread, size)
    stalled = rng.random(size) < 10.0 ** rng.uniform(-6, -3)
    return _dist(layout, np.where(stalled, drawn * 50.0, drawn), int(rng.random() < 0.05))


def _dist(
    layout: HdrLayout | Pow2Layout,
    at_ns: Floats,
    misses: int = 0,
) -> LatencyDist:
    """Return latencies in nanoseconds as a histogram in the given buckets."""
    at = np.maximum(at_ns, 1_000).astype(np.int64)
    if isinstance(layout, HdrLayout):
        index = layout.index_of(at // layout.unit_ns)
    else:
        lower_ns, _ = layout.edges_ns(np.arange(layout.index_limit))
        index = np.searchsorted(lower_ns, at, side="right") - 1
    filled, counts = np.unique(index, return_counts=True)
    return LatencyDist(layout, Counts(filled, counts.astype(np.int64)), misses=Misses(errors=misses))


def question(evidence: RunEvidence, rng: np.random.Generator) -> TransactionBudget:
    """Return a question whose answer is not obvious: its window is near the plan's expected duration."""
    record = evidence.operations[0].record
    mean_ns = max(1.0, record.bounds().middle.mean_ns())
    count = int(np.exp(rng.uniform(0.0, np.log(3_000))))
    measured = evidence.of(TRANSACTION)
    workers = int(rng.integers(2, 12)) if rng.random() < 0.3 else 1
    scheduling = Scheduling.POOL if workers > 1 else Scheduling.SEQUENTIAL
    if measured is not None and measured.issued is not None and rng.random() < 0.5:
        issued = measured.issued.only_stage
        count = max(1, issued.largest_count + int(rng.integers(-2, 3)))
        if rng.random() < 0.5:
            workers, scheduling = issued.fan_out, issued.scheduling
    stage = Stage("read", count, workers, scheduling)
    window_ns = int(count * mean_ns / min(workers, count) * rng.uniform(0.8, 2.5)) + 1_000
    objective = float(rng.choice([0.5, 0.9, 0.99, 0.999, 0.9999]))
    return TransactionBudget("asked", 1, "", "", Plan((stage,)), window_ns, objective)


def easier(budget: TransactionBudget, rng: np.random.Generator) -> tuple[str, TransactionBudget]:
    """Return the kind of relaxation, and the question relaxed by it: its answer must not be worse."""
    stage = budget.plan.only_stage
    count = stage.largest_count
    kind = str(rng.choice(["count", "window", "objective", "fan-out", "reserve"]))
    if kind == "count" and count > 1:
        fewer = count - 1 if rng.random() < 0.5 else int(rng.integers(1, count))
        return kind, replace(budget, plan=budget.plan.with_count(fewer))
    if kind == "objective":
        return kind, replace(budget, objective_ratio=budget.objective_ratio * float(rng.uniform(0.5, 1.0)))
    if kind == "fan-out":
        more = Stage("read", count, stage.fan_out + int(rng.integers(1, 6)), Scheduling.POOL)
        return kind, replace(budget, plan=Plan((more,)))
    if kind == "reserve":
        return kind, replace(budget, window_ns=2 * budget.window_ns, reserve_ns=budget.window_ns // 2)
    later = 1 + int(budget.window_ns * (1.001 if rng.random() < 0.5 else rng.uniform(1.0, 4.0)))
    return "window", replace(budget, window_ns=later)


def contradictions(hard: BudgetAssessment, easy: BudgetAssessment, kind: str) -> Iterator[str]:
    """Yield figures that are better for the harder question than for the easier question, in either scope."""
    hard_rank, easy_rank = (rank_of(each.judgement.verdict, each.judgement.strength) for each in (hard, easy))
    if easy_rank > hard_rank:
        yield f"words ({words(hard.judgement)} to {words(easy.judgement)})"
    for scope in ("observed", "proven"):
        before, after = (getattr(each.judgement, scope).verdict for each in (hard, easy))
        if ORDER.index(after) > ORDER.index(before):
            yield f"{scope} verdict ({before.value} to {after.value})"
    of_hard, of_easy = hard.summary(), easy.summary()
    if kind != "objective":
        for end in ("p_lower", "p_upper", "p_lower_confident"):
            if of_hard[end] is not None and of_easy[end] < of_hard[end] - DIGITS:
                yield end
    if kind in ("window", "objective", "reserve", "fan-out"):
        for end in ("n_guaranteed", "n_possible"):
            first, second = (
                np.inf if summary[end] is None else summary[end] for summary in (of_hard, of_easy)
            )
            if second < first:
                yield end
    if kind == "count":
        for end in ("n_guaranteed", "n_possible"):
            if of_hard[end] != of_easy[end]:
                yield f"{end} depends on the count asked"


def unsound(assessment: BudgetAssessment, evidence: RunEvidence) -> Iterator[str]:
    """Yield impossible results, such as proven bounds inside the observed, or a closed loop's proven PASS."""
    judgement = assessment.judgement
    in_run, in_next = judgement.observed.bounds, judgement.proven.bounds
    if in_run and in_next and not in_next.lower <= in_run.lower <= in_run.upper <= in_next.upper:
        yield "proven bounds do not contain those of the run"
    if judgement.strength is Strength.PROVEN and judgement.observed.verdict is not judgement.verdict:
        yield "proven and not observed"
    if (judgement.verdict, judgement.strength) == (
        Verdict.PASS,
        Strength.PROVEN,
    ) and evidence.load.closed_loop:
        yield "a closed loop proves a PASS"


def unenclosed(quick: BudgetAssessment, full: BudgetAssessment) -> Iterator[str]:
    """Yield figures of the quick answer that claim more than the full answer."""
    for scope in ("observed", "proven"):
        before, after = (getattr(each.judgement, scope).verdict for each in (quick, full))
        if before is not after and before is not Verdict.INDETERMINATE:
            yield f"quick {scope} verdict"
    of_quick, of_full = quick.summary(), full.summary()
    for name in ("p_lower", "p_lower_confident", "n_guaranteed"):
        if of_quick[name] is not None and of_quick[name] > of_full[name] + DIGITS:
            yield f"quick {name}"
    for name in ("p_upper", "p_upper_confident", "n_possible"):
        first, second = (
            np.inf if summary[name] is None else summary[name] for summary in (of_quick, of_full)
        )
        if of_quick["p_upper"] is not None and first < second - DIGITS:
            yield f"quick {name}"
    for end, sign in (("lower", 1.0), ("upper", -1.0)):
        first, second = (summary["room_ms"][end] for summary in (of_quick, of_full))
        if first is not None and second is not None and sign * (first - second) > DIGITS:
            yield f"quick room {end}"


def doors(assessment: BudgetAssessment) -> Iterator[str]:
    """Yield figures that differ between the stored document and the summary."""
    document, summary = assessment.document(), assessment.summary()
    shared = ("verdict", "strength", "words", "observed", "proven", "reason", "unproven", "reason_text")
    for name in (*shared, "decided_by", "headline", "meter"):
        if document[name] != summary[name]:
            yield f"door {name}"
    for name in ("p_lower", "p_upper", "p_lower_confident", "n_guaranteed", "n_possible"):
        if document["transaction"][name] != summary[name]:
            yield f"door {name}"


def compare(kind: str, questions: int, seed: int) -> tuple[int, Counter[str]]:
    """Return how many comparisons were tried on a kind of source, and the failures by description."""
    rng = np.random.default_rng(seed)
    tried, failed = 0, Counter[str]()
    while tried < questions:
        evidence = evidence_of_kind(kind, rng)
        at_once = compact_evidence(evidence, (("read",),))
        for _ in range(_RECORD_QUESTIONS):
            budget = question(evidence, rng)
            hard = judge_budget(budget, at_once, bins=QUICK_BINS)
            related, easier_budget = easier(budget, rng)
            easy = judge_budget(easier_budget, at_once, bins=QUICK_BINS)
            failed.update(f"{related}: {problem}" for problem in contradictions(hard, easy, related))
            failed.update(unsound(hard, evidence))
            tried += 1
            if tried % 4 == 0:
                full = judge_budget(budget, evidence, bins=FULL_BINS)
                failed.update(unenclosed(hard, full))
                failed.update(doors(hard))
                tried += 2
            if tried >= questions:
                break
    return tried, failed


def main() -> None:
    """Compare on every kind of source and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=10_000, help="comparisons for each kind of source")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS, action="append", help="only these kinds of source")
    arguments = parser.parse_args()
    total = 0
    for place, kind in enumerate(arguments.kind or KINDS):
        tried, failed = compare(kind, arguments.questions, arguments.seed + place)
        total += sum(failed.values())
        sys.stdout.write(f"{kind:24} {tried:,} tried, {sum(failed.values()):,} failed")
        sys.stdout.write("".join(f"\n    {count:,} × {what}" for what, count in failed.most_common()) + "\n")
        sys.stdout.flush()
    raise SystemExit(1 if total else 0)


if __name__ == "__main__":
    main()
