"""The page that works without a server: its script answers as the judge does, by the evidence that it holds.

The script is run as it stands in the page, by Node.js, over the samples of every importer and over results of
the agent with random latencies, gaps, late and busy slices.
"""

import base64
import json
import re
import subprocess
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from backend.tests.importers.agent_results import agent_result
from backend.tests.importers.reading import SAMPLES
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.domain.confidence.shares import share_lower, share_upper
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.transactions.plan import Plan, RandomCount, Scheduling, Stage
from tailroom.domain.units import share_text
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget import FRAUD_250_SEQUENTIAL_1
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.headline import verdict_fields
from tailroom.domain.verdicts.objective_text import ObjectiveInvalid, objective_of
from tailroom.domain.verdicts.other_tools import budgets_for_uploads
from tailroom.embedded.example import result_file
from tailroom.importers.parsed_run import ParsedRun
from tailroom.reports.file_report import report_of_files
from tailroom.reports.file_verdicts import RunVerdict, judge_run, read_runs, verdicts_of
from tailroom.reports.offline_evidence import Models, run_document
from tailroom.reports.offline_models import transactions_document
from tailroom.reports.offline_page import MOST_BYTES, offline_page
from tailroom.uploads.storable import workload_of

MADE_AT = datetime(2026, 11, 22, tzinfo=UTC)
SCRIPT = Path(__file__).parents[2] / "src/tailroom/reports/templates/offline.js"
_HARNESS = """
const { readFileSync } = require("node:fs");
require("node:vm").runInThisContext(readFileSync(process.argv[1], "utf8"));
const { cases, shares, texts } = JSON.parse(readFileSync(0, "utf8"));
const read = (question) => typeof question === "string" ? offline.questionOf(question) : question;
const answers = cases.map(({ run, questions }) => ({
  again: run.verdicts.map((verdict) => offline.compareWithStored(run, verdict).sameness),
  asked: questions.map((question) => offline.answerTo(run, read(question))),
}));
const limits = shares.map(([over, total]) => offline.limitsOf(over, total));
console.log(JSON.stringify({ answers, limits, questions: texts.map(offline.questionOf) }));
"""
_RELATIVE_ERROR = 1e-7
"""What scipy's inverse holds, as `domain.confidence.shares` says."""
_MODELLED_OF_COUNTED = 40
"""One run of so many is asked about transactions, and every second with several operations."""
_CHECKED_FOR_FRAUD_OF_MODELLED = 10
"""One of so many of these is asked about the 250 reads of a fraud check too."""
_SUM_ERROR = 1e-9
"""A tenth of what `plan_bounds` allows for sums on a grid."""


def test_the_script_answers_as_the_judge_does() -> None:
    cases = [(run, _questions(run)) for run in _all_runs()]
    documents = [_document(run, _limit_verdicts(run), Models.NONE) for run, _ in cases]
    answers = _answered(documents, [questions for _, questions in cases])
    compared = worst = 0.0
    for (run, questions), document, answer in zip(cases, documents, answers, strict=True):
        is_counted = _is_counted(run)
        for stored, again in zip(document["verdicts"], answer["again"], strict=True):
            assert again["isSame"] is (True if stored["asked_again"] else None), (stored, again)
        for text, asked in zip(questions, answer["asked"], strict=True):
            assessment = judge_run(run, objective_of(text)) if is_counted else None
            if assessment is None:
                continue
            worst = max(worst, _difference(assessment, asked, text))
            compared += 1
    assert compared > 500
    assert worst < _RELATIVE_ERROR


def test_transactions_are_answered_as_the_judge_does() -> None:
    rng = np.random.default_rng(17)
    runs = [run for run in _all_runs() if _is_counted(run)]
    # A model of each run would take minutes.
    several = [run for run in runs if _has_several_operations(run)]
    chosen = [*runs[::_MODELLED_OF_COUNTED], *several[::2]]
    documents = [_document(run, (), Models.OF_SEVERAL_AT_BEST) for run in chosen]
    cases = [
        (run, _random_transactions(run, document, rng))
        for run, document in zip(chosen, documents, strict=True)
    ]
    # It is the same plan for each run, and takes a third of the time.
    for _, budgets in cases[::_CHECKED_FOR_FRAUD_OF_MODELLED]:
        budgets.append(FRAUD_250_SEQUENTIAL_1)
    questions = [[transactions_document(budget) for budget in budgets] for _, budgets in cases]
    answers = _answered(documents, questions)
    words, kinds = Counter[str](), Counter[str]()
    for (run, budgets), answer in zip(cases, answers, strict=True):
        for budget, asked in zip(budgets, answer["asked"], strict=True):
            assessment = judge_run(run, budget)
            if assessment is None:
                continue
            if isinstance(asked, str):
                assert asked.endswith("tailroom judge FILE --budget plan.json"), (budget, asked)
                kinds["refused"] += 1
                continue
            document = verdict_fields(assessment)
            words[document["words"]] += 1
            kinds.update(_kinds_of(budget))
            if asked["note"] and len(budget.plan.operations) > 1:
                kinds["FAIL of several operations with unreliable slices"] += 1
            assert asked["words"] == document["words"], (budget, asked, document)
            for scope in ("observed", "proven"):
                here, there = asked["judgement"][scope], document[scope]
                assert here["verdict"] == there["verdict"], (budget, scope)
                if there["lower"] is None:
                    assert here["lower"] is None, (budget, scope)
                    continue
                assert here["lower"] == pytest.approx(there["lower"], abs=_SUM_ERROR), (budget, scope)
                assert here["upper"] == pytest.approx(there["upper"], abs=_SUM_ERROR), (budget, scope)
                printed = [
                    share_text(side["lower"], side["upper"], budget.objective_ratio, counted=False)
                    for side in (here, there)
                ]
                assert printed[0] == printed[1], (budget, scope)
    assert sum(words.values()) > 40
    assert {"PASS, proven", "PASS in this run", "FAIL, proven", "FAIL in this run"} <= words.keys()
    assert min(kinds[kind] for kind in ("random counts", "several stages", "several operations")) >= 8, kinds
    assert kinds["FAIL of several operations with unreliable slices"] >= 3, kinds
    assert kinds["refused"] < sum(words.values()) / 4, kinds


def _has_several_operations(run: ParsedRun) -> bool:
    names = {series.operation for series in run.series if series.record.total}
    return len(names - {"transaction"}) > 1


def _kinds_of(budget: TransactionBudget) -> list[str]:
    stages = budget.plan.stages
    kinds = {
        "random counts": any(isinstance(stage.count, RandomCount) for stage in stages),
        "several stages": len(stages) > 1,
        "several operations": len(budget.plan.operations) > 1,
    }
    return [kind for kind, holds in kinds.items() if holds]


def test_limits_of_shares_are_those_of_the_judge() -> None:
    rng = np.random.default_rng(5)
    totals = 10.0 ** rng.uniform(0, 9, 1_500)
    overs = totals * np.where(rng.random(1_500) < 0.5, rng.random(1_500), 10.0 ** rng.uniform(-9, 0, 1_500))
    whole = rng.random(1_500) < 0.5
    totals, overs = np.where(whole, np.ceil(totals), totals), np.where(whole, np.floor(overs), overs)
    samples = [(over, total) for over, total in zip(overs.tolist(), totals.tolist(), strict=True)]
    samples += [(0.0, 1.0), (1.0, 1.0), (0.0, 1e9), (1e9, 1e9), (0.5, 1.0)]
    for (over, total), (lower, upper) in zip(samples, _limits(samples), strict=True):
        # An expected count far below a single operation has a lower limit below every number that is shown.
        assert lower == pytest.approx(share_lower(over, total), rel=_RELATIVE_ERROR, abs=1e-30), (over, total)
        assert upper == pytest.approx(share_upper(over, total), rel=_RELATIVE_ERROR), (over, total)


def test_questions_are_read_as_on_the_command_line() -> None:
    texts = (
        *("p99 get < 10ms", "99.9% read < 1ms", "p99.9 < 5ms", "p50 of read <= 250us", "P99.99 read ≤ 1.5 s"),
        *("  p 99 % large block read<3h", "7% * < 1ns", "p99.123456789 get < 12µs", "p0.1 set < 64 ms"),
    )
    refused = (
        *("", "p99", "p99 get", "p99 get < 10", "p100 get < 1ms", "p0 get < 1ms", "get < 1ms"),
        *("p99 get < 0ms", "p99 get < 1.5ns", "p99 get > 10ms", "p99 get < fast"),
    )
    read = _run_script([], [], (*texts, *refused))["questions"]
    for text, question in zip(texts, read, strict=False):
        budget = objective_of(text)
        (limit,) = budget.limits
        assert question["operation"] == budget.operation, text
        assert question["limits"] == [
            {"kind": "percentile", "threshold_ns": limit.below_ns, "quantile": limit.quantile}
        ], text
    for text, answer in zip(refused, read[len(texts) :], strict=True):
        assert isinstance(answer, str), text
        with pytest.raises(ObjectiveInvalid):
            objective_of(text)


def test_a_day_fits_the_page() -> None:
    day = {"day.ndjson": result_file()}
    runs = read_runs(day)
    page = offline_page(day, runs, verdicts_of(runs), MADE_AT)
    evidence = json.loads(zlib.decompress(base64.b64decode(_packed(page.decode()))))
    assert len(page) < MOST_BYTES / 5
    assert evidence["runs"][0]["operations"][0]["course"]["start_ns"][-1] == 1_439 * 60_000_000_000
    assert not re.search(r"(src|href)=|url\(|@import|fetch\(|XMLHttpRequest", page.decode())


def test_the_command_line_writes_the_page(tmp_path: Path) -> None:
    log = tmp_path / "<b>act&.ndjson"
    log.write_text(agent_result(*range(100_000, 400_000, 1_000)))
    arguments = ["pack", str(log), "--output", str(tmp_path / "pack.zip"), "--no-sign"]
    made = CliRunner().invoke(build_app(["pack"]), [*arguments, "--page", str(tmp_path / "page.html")])
    page = (tmp_path / "page.html").read_text()
    assert made.exit_code == 0, made.output
    assert "page.html" in made.output
    assert "<b>act" not in page
    assert json.loads(zlib.decompress(base64.b64decode(_packed(page))))["files"][0]["name"] == log.name


@cache
def _all_runs() -> list[ParsedRun]:
    return [run for data in _results() for run in _runs(data) if run.series]


def _results() -> Iterator[bytes]:
    for path in sorted(SAMPLES.rglob("*")):
        if path.is_file() and path.stat().st_size < 60_000 and "known_faults" not in path.parts:
            yield path.read_bytes()
    for seed in range(20):
        yield _random_result(np.random.default_rng(seed))
    for seed in range(60, 75):
        yield _random_result(np.random.default_rng(seed), "read", "write")


def _runs(data: bytes) -> list[ParsedRun]:
    try:
        return read_runs({"result": data})
    except DomainError:
        return []


def _random_result(rng: np.random.Generator, *operations: str) -> bytes:
    """A result of the agent: slices that clump, some of them late or busy, some operations missed."""
    whole = agent_result(100_000)
    announced, series_line, interval_line, _ = whole.splitlines()
    template = json.loads(interval_line)["intervals"][0]
    of_read = json.loads(series_line)["series"][0]
    slices = int(rng.integers(1, 30))
    all_series: list[dict[str, Any]] = []
    intervals: list[dict[str, Any]] = []
    for number, operation in enumerate(operations or ("read",)):
        limits = [1_000_000, 8_000_000] if rng.random() < 0.5 else []
        stated = {"series_no": number, "operation": operation, "pin_thresholds_ns": limits}
        all_series.append(of_read | stated)
        intervals += _random_intervals(rng, template | {"series": number}, slices, limits)
    finish = {
        "outcome": "completed",
        "reason": None,
        "duration_ns": slices * 1_000_000_000,
        "last_seq": {str(series["series_no"]): slices - 1 for series in all_series},
    }
    lines = [{"series": all_series}, {"intervals": intervals}, {"finish": finish}]
    return "\n".join([announced, *map(json.dumps, lines), ""]).encode()


def _random_intervals(
    rng: np.random.Generator, template: dict[str, Any], slices: int, limits: list[int]
) -> Iterator[dict[str, Any]]:
    layout = HdrLayout()
    size, scale = int(10 ** rng.uniform(0, 3.5)), 10 ** rng.uniform(5, 7)
    is_noted = rng.random() < 0.6
    for seq in range(slices):
        slow = 1.0 if rng.random() < 0.8 else 10 ** rng.uniform(0, 1.5)
        latencies = np.sort((scale * slow * rng.lognormal(0, 0.8, size)).astype(np.int64) + 1)
        indices, counts = np.unique(layout.index_of(latencies // 1_000), return_counts=True)
        interval = template | {
            "seq": seq,
            "start_ns": seq * 1_000_000_000,
            "count": size,
            "sum_ns": int(latencies.sum()),
            "min_ns": int(latencies[0]),
            "max_ns": int(latencies[-1]),
            "errors": int(rng.random() < 0.1),
            "pins": [int((latencies >= limit).sum()) for limit in limits],
            "target_count": size if rng.random() < 0.95 else int(size * 1.5),
            "histogram": base64.b64encode(encode(Counts(indices, counts.astype(np.int64)), layout)).decode(),
        }
        if is_noted:
            late_ns = int(10 ** rng.uniform(2, 7))
            interval |= {"lateness_p99_ns": late_ns, "lateness_max_ns": late_ns}
            interval["busy_ns"] = int(rng.uniform(0, 1.0e9))
        yield interval


def _questions(run: ParsedRun) -> list[str]:
    """Return objectives around what the run shows of its operations, and one about each operation at all."""
    questions = ["p99 < 10ms", "99.9% nothing-like-this < 1ms", "p50 * < 1ms"]
    for series in run.series:
        record = series.record
        if not record.total or " " in series.operation.strip() or series.operation == "transaction":
            continue
        for share, quantile in (("p50", 0.5), ("99%", 0.99), ("p99.9", 0.999), ("99.99%", 0.9999)):
            ends = record.quantile_bounds(quantile)
            times = (ends.lower_ns, ends.upper_ns or 2 * ends.lower_ns, (ends.upper_ns or 0) + 7_001)
            # One of the three; each of them is asked about with every share in some run.
            time_ns = times[(len(questions) + len(run.series)) % 3]
            if 10_000 <= time_ns < 3_600_000_000_000:
                questions.append(f"{share} {series.operation} < {time_ns}ns")
    return list(dict.fromkeys(questions))


def _random_transactions(
    run: ParsedRun, document: dict[str, Any], rng: np.random.Generator
) -> list[TransactionBudget]:
    """Return random plans of operations, in windows near what they take."""
    named = {
        name: document["operations"][place]["name"]
        for name, place in document["named"].items()
        if isinstance(place, int) and name != "transaction"
    }
    series = {series.operation: series for series in run.series if series.record.total}
    names = [name for name in named if name in series]
    if not names:
        return []
    plans = [Plan((_random_stage(str(rng.choice(names)), rng, most=2.6),))]
    # A random count, and stages of the operations that the page has in common slices.
    plans.append(Plan((_random_stage(str(rng.choice(names)), rng, most=1.5, is_random=True),)))
    joint = [[named_of(document, place) for place in entry["operations"]] for entry in document["joint"]]
    together = next((entry for entry in joint if all(name in series for name in entry)), names[:1])
    stages = [_random_stage(name, rng, most=1.2, is_random=rng.random() < 0.3) for name in together]
    plans.append(Plan((*stages, _random_stage(together[0], rng, most=0.8))))
    budgets = []
    for plan in plans:
        typical_ns = 0
        quantile = float(rng.choice([0.5, 0.9, 0.99]))
        for stage in plan.stages:
            ends = series[stage.operation].record.quantile_bounds(quantile)
            typical_ns += stage.depth * (ends.upper_ns or 2 * max(1, ends.lower_ns))
        window_ns = max(1, int(typical_ns * rng.uniform(0.6, 1.6)))
        objective = float(rng.choice([0.5, 0.9, 0.99, 0.999]))
        budgets.append(TransactionBudget("page", 1, "", "", plan, window_ns, objective))
    return budgets


def named_of(document: dict[str, Any], place: int) -> str:
    """Return the name by which questions call an operation of the page."""
    return next(str(name) for name, where in document["named"].items() if where == place)


def _random_stage(operation: str, rng: np.random.Generator, *, most: float, is_random: bool = False) -> Stage:
    """Return a stage of up to `10^most` operations; a random number of them is not scheduled by a pool."""
    count = int(10 ** rng.uniform(0, most))
    scheduling = list(Scheduling)[int(rng.integers(4))]
    if not is_random:
        fan_out = {Scheduling.SEQUENTIAL: 1, Scheduling.PARALLEL: count}.get(
            scheduling, int(rng.integers(1, max(2, count + 1)))
        )
        return Stage(operation, count, fan_out, scheduling)
    counts = sorted({count, count + 1, int(rng.integers(1, 40))})
    weights = rng.dirichlet(np.ones(len(counts)))
    scheduling = Scheduling.WAVES if scheduling is Scheduling.POOL else scheduling
    fan_out = int(rng.integers(1, 5)) if scheduling is Scheduling.WAVES else 1
    random_count = RandomCount(dict(zip(counts, weights.tolist(), strict=True)))
    return Stage(operation, random_count, fan_out, scheduling)


def _is_counted(run: ParsedRun) -> bool:
    return all(isinstance(series.record, LatencyDist) for series in run.series)


def _limit_verdicts(run: ParsedRun) -> list[RunVerdict]:
    """Return the verdicts on a run that are not about transactions."""
    budgets = [
        each for each in budgets_for_uploads(workload_of(run)) if not isinstance(each, TransactionBudget)
    ]
    return verdicts_of([run], budgets) if budgets else []


def _document(run: ParsedRun, verdicts: Sequence[RunVerdict], models: Models) -> dict[str, Any]:
    """Return what the page holds of a run, unpacked."""
    (subject,) = report_of_files({"result": b""}, [run], verdicts, MADE_AT).subjects
    return run_document(run, subject, verdicts, models=models)


def _packed(page: str) -> str:
    return page.split('id="evidence">')[1].split("</script>", maxsplit=1)[0]


def _answered(runs: list[dict[str, Any]], questions: Sequence[Sequence[object]]) -> list[dict[str, Any]]:
    cases = [{"run": run, "questions": texts} for run, texts in zip(runs, questions, strict=True)]
    return list(_run_script(cases, [])["answers"])


def _limits(samples: list[tuple[float, float]]) -> list[list[float]]:
    return list(_run_script([], samples)["limits"])


def _run_script(
    cases: list[dict[str, Any]], shares: list[tuple[float, float]], texts: Sequence[str] = ()
) -> dict[str, Any]:
    ended = subprocess.run(
        ["node", "-e", _HARNESS, str(SCRIPT)],
        input=json.dumps({"cases": cases, "shares": shares, "texts": texts}),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stderr[-2_000:]
    document: dict[str, Any] = json.loads(ended.stdout)
    return document


def _difference(assessment: BudgetAssessment, asked: dict[str, Any], text: str) -> float:
    """Return how far limits with confidence are apart; everything else must be equal."""
    document = verdict_fields(assessment)
    assert asked["words"] == document["words"], (text, asked, document)
    judgement, apart = asked["judgement"], 0.0
    assert judgement["observed"] == document["observed"], text
    assert judgement["proven"]["verdict"] == document["proven"]["verdict"], text
    here, there = judgement["proven"], document["proven"]
    if here["lower"] is None:
        assert there["lower"] is None, text
        return apart
    printed = [
        share_text(scope["lower"], scope["upper"], document["headline"]["asked"]) for scope in (here, there)
    ]
    assert printed[0] == printed[1], text
    for side in ("lower", "upper"):
        apart = max(
            apart, abs(here[side] - there[side]) / max(1.0 - there[side], 1e-300) if there[side] < 1 else 0.0
        )
    return apart
