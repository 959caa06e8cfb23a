"""The same record gives the same figures by any door, digit by digit: run, `/sla`, its list, `judge`."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import SeriesSpec, steady
from backend.tests.sla.conftest import sequential
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.domain.verdicts.headline import VERDICT_FIELDS

Json = dict[str, Any]
MS = 1_000_000
WORDS = VERDICT_FIELDS
"""Verdict, strength, bounds of both scopes, and every word about them."""
FIGURES = ("p_lower", "p_estimate", "p_upper", "n_guaranteed", "n_possible")
SEEDS = range(6)


def question(rng: np.random.Generator) -> Json:
    """Random limits of a transaction, of all three outcomes."""
    return {
        "reads": int(rng.integers(2, 400)),
        "window_ms": int(rng.integers(50, 1_500)),
        "reserve_ms": int(rng.integers(0, 40)),
        "objective": float(rng.choice([0.9, 0.99, 0.999])),
    }


def distribution(rng: np.random.Generator) -> Json:
    """Counts over the edges of ACT."""
    counts = rng.multinomial(int(10 ** rng.uniform(3, 8)), [0.95, 0.04, 0.009, 0.001])
    edges = [0, MS, 8 * MS, 64 * MS, 1_000 * MS]
    return {"layout": {"t": "explicit", "edges_ns": edges}, "counts": counts.tolist()}


def asked(of: Json) -> Json:
    """As a budget that is sent along."""
    return sequential(
        of["reads"],
        of["window_ms"] * MS,
        objective_ratio=of["objective"],
        reserve_ns=of["reserve_ms"] * MS,
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_command_line_says_what_the_page_says(post: Callable[..., Any], seed: int) -> None:
    rng = np.random.default_rng(seed)
    of, document = question(rng), distribution(rng)
    body = {"subject": {"distribution": document}, "budget": {"document": asked(of)}, "detail": "full"}
    page = post("evaluate", body)
    words = [
        *("judge", "-", "--json", "--reads", str(of["reads"]), "--window", f"{of['window_ms']}ms"),
        *("--reserve", f"{of['reserve_ms']}ms", "--objective", str(of["objective"])),
    ]
    done = CliRunner().invoke(build_app(["judge"]), words, input=json.dumps(document))
    said = json.loads(done.stdout)
    for name in (*WORDS, *FIGURES):
        assert said[name] == page[name], (name, of)


@pytest.fixture
def stored(store: Callable[..., UUID]) -> list[UUID]:
    """A run that passes, one that fails, one that is not shown, judged by the workers."""
    shapes = ((40_000, 400_000), (2_000, 6_000_000), (100, 400_000))
    return [store([SeriesSpec("read", steady(count, 24, at))], judged=True) for count, at in shapes]


def with_spells(rng: np.random.Generator) -> list[SeriesSpec]:
    """Twenty-five minutes of which single intervals are slow: coarser pieces would hide them. Transactions of
    25 reads were measured beside the reads of every other run.
    """
    slow = 1.0 + 3.0 * (rng.random(150) < 0.02)
    at_ns = float(rng.uniform(1e5, 2e6)) * slow
    reads = [(one * rng.lognormal(0.0, 0.4, 1_500)).astype(np.int64) for one in at_ns]
    found = [SeriesSpec("read", reads)]
    if rng.random() < 0.5:
        whole = [(one * rng.lognormal(0.0, 0.4, (25, 12)).sum(axis=0)).astype(np.int64) for one in at_ns]
        found.append(SeriesSpec("transaction", whole))
    return found


@pytest.mark.parametrize("seed", SEEDS[:4])
def test_an_answer_at_once_is_never_narrower_than_the_runs_own(
    store: Callable[..., UUID], post: Callable[..., Any], seed: int
) -> None:
    rng = np.random.default_rng(100 + seed)
    specs = with_spells(rng)
    run_id = store(specs, plan={"parameters": {"reads_per_transaction": 25}})
    mean_ns = float(np.mean([one.mean() for one in specs[0].latencies]))
    for _ in range(2):
        reads = int(rng.choice([5, 25, 100, 250]))
        window_ns = int(reads * mean_ns * rng.uniform(1.0, 3.0))
        budget = {"document": sequential(reads, window_ns, objective_ratio=float(rng.choice([0.9, 0.99])))}
        body = {"subject": {"run_id": str(run_id)}, "budget": budget}
        quick, full = (post("evaluate", {**body, "detail": detail}) for detail in ("display", "full"))
        assert quick["verdict"] in {full["verdict"], "INDETERMINATE"}, budget
        for name in ("p_lower", "p_lower_confident", "n_guaranteed"):
            assert quick[name] <= full[name] + 1e-6, (name, budget)
        for name in ("p_upper", "p_upper_confident", "n_possible"):
            assert quick[name] is None or quick[name] >= full[name] - 1e-6, (name, budget)
    for name in ("act-limits", "act-performance"):
        body = {"subject": {"run_id": str(run_id)}, "budget": {"name": name}}
        quick, full = (post("evaluate", {**body, "detail": detail}) for detail in ("display", "full"))
        assert {**quick, "detail": "full", "resolution_bins": full["resolution_bins"]} == full


def test_a_row_of_the_list_is_the_answer_to_the_question(
    stored: list[UUID], post: Callable[..., Any]
) -> None:
    for seed in SEEDS:
        budget = {"document": asked(question(np.random.default_rng(seed)))}
        items: list[Any] = []
        cursor: str | None = None
        while True:
            body = {"budget": budget, "published": False} | ({"cursor": cursor} if cursor else {})
            page = post("match", body)
            items += page["items"]
            if (cursor := page["next_cursor"]) is None:
                break
        assert {item["subject"]["run_id"] for item in items} == {str(run_id) for run_id in stored}, seed
        ranks = [("proven", "observed", "undecided", "too_slow").index(item["group"]) for item in items]
        assert ranks == sorted(ranks), seed
        for item in items:
            subject = {"run_id": item["subject"]["run_id"]}
            alone = post("evaluate", {"subject": subject, "budget": budget})
            assert {name: alone[name] for name in item} == item, seed
