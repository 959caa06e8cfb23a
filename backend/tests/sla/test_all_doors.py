"""Random runs by every door: page, `/sla`, list, report as page and as CSV, evidence pack and the
report inside, Python client, and `judge` on the exported file or by the address.

Two of them here; `TAILROOM_RUNS_BY_ALL_DOORS=500` tries so many.
"""

import csv
import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import numpy as np
import pytest
from backend.tests.analysis.recording import SeriesSpec
from backend.tests.reports.reading import Page
from backend.tests.sla.test_doors import WORDS, with_spells
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.reports.packing import REPORT, VERDICTS
from tailroom_client import Client, Comparison, Figures

Json = dict[str, Any]
ENDS = ("lower", "upper", "asked")
PUBLISHED = "publication:kioxia-cd8p-ycsb-2025#test1-r1/CD6-R"
SEEDS = range(int(os.environ.get("TAILROOM_RUNS_BY_ALL_DOORS", "2")))


def random_specs(rng: np.random.Generator) -> list[SeriesSpec]:
    """Reads that are quick, slow, few, in spells, or with errors."""
    if rng.random() < 0.4:
        return with_spells(rng)
    pieces, each = int(rng.integers(2, 60)), int(10 ** rng.uniform(1, 3.7))
    median_ns, spread = float(np.exp(rng.uniform(np.log(5e4), np.log(2e7)))), float(rng.uniform(0.05, 1.2))
    reads = [rng.lognormal(np.log(median_ns), spread, each).astype(np.int64) for _ in range(pieces)]
    misses = {int(rng.integers(pieces)): int(rng.integers(1, 20))} if rng.random() < 0.3 else {}
    return [SeriesSpec("read", reads, misses=misses)]


@pytest.fixture
def get(client: TestClient, headers: dict[str, str]) -> Callable[[str], Any]:
    def ask(path: str) -> Any:
        answer = client.get(f"/api/v1/runs{path}", headers=headers)
        assert answer.status_code == 200, answer.text
        return answer

    return ask


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_run_by_every_door(  # noqa: PLR0915, PLR0917 - so many doors
    store: Callable[..., UUID],
    post: Callable[..., Any],
    get: Callable[[str], Any],
    headers: dict[str, str],
    real_http: httpx.Client,
    server_address: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    seed: int,
) -> None:
    rng = np.random.default_rng(1_000 + seed)
    run_id = store(
        random_specs(rng),
        judged=True,
        workload=str(rng.choice(["act-storage", "fraud-transaction"])),
        plan={"parameters": {"reads_per_transaction": 25}},
    )
    run = get(f"/{run_id}").json()
    assert run["verdicts"]
    exported = tmp_path / "run.json"
    exported.write_bytes(get(f"/{run_id}/intervals").content)
    page = Page(get(f"/{run_id}/report.html").text)
    table = list(csv.DictReader(io.StringIO(get(f"/{run_id}/report.csv").text)))
    packed, page_in_pack = _packed(get(f"/{run_id}/pack.zip").content)
    token = headers["Authorization"].removeprefix("Bearer ")
    with Client(token=token, http=real_http) as reading:
        by_client = {one.budget_name: one for one in reading.run(run_id).verdicts}
        compared = reading.compare(run_id, PUBLISHED, operation="read")
        _same_figures(reading.figures(run_id), get(f"/{run_id}/figures").json(), table, page, compared)
    monkeypatch.setenv("TAILROOM_SERVER", server_address)
    monkeypatch.setenv("TAILROOM_TOKEN", token)
    judged_by = str(exported) if seed % 2 else f"{server_address}/runs/{run_id}"
    assert packed.keys() & by_client.keys()
    for verdict in run["verdicts"]:
        budget = {key: verdict["budget"][key] for key in ("name", "version")}
        body = {"subject": {"run_id": str(run_id)}, "budget": budget}
        answer = post("evaluate", body)
        (listed_by_question,) = post("match", {"budget": budget, "runs": [str(run_id)]})["items"]
        assert {name: answer[name] for name in listed_by_question} == listed_by_question
        command = ["judge", judged_by, "--budget", budget["name"], "--json"]
        judged = json.loads(CliRunner().invoke(build_app(["judge"]), command).stdout)
        for name in WORDS:
            assert verdict[name] == answer[name] == judged[name], (seed, budget, name)
            if budget["name"] in packed:
                assert packed[budget["name"]][name] == verdict[name], (seed, budget, name)
        read = by_client[budget["name"]]
        assert (read.verdict, read.words, read.raw) == (verdict["verdict"], verdict["words"], verdict), (
            seed,
            budget,
        )
        if verdict["transaction"]:
            for name in ("p_lower", "p_upper", "p_lower_confident", "n_guaranteed", "n_possible"):
                assert verdict["transaction"][name] == answer[name] == judged[name], (seed, budget, name)
                if budget["name"] in packed:
                    assert packed[budget["name"]][name] == judged[name], (seed, budget, name)
        head, proven = verdict["headline"], verdict["proven"]
        assert read.headline is not None
        assert [read.headline.lower, read.headline.upper, read.headline.asked] == [head[end] for end in ENDS]
        assert verdict["words"] in page.text
        assert head["text"] in page.text
        for shown in [page, page_in_pack] if budget["name"] in packed else [page]:
            on_page = shown.verdicts[budget["name"]]
            assert [on_page["verdict"], on_page["strength"]] == [verdict["verdict"], verdict["strength"]]
            assert [on_page.get(f"headline-{end}") for end in ENDS] == [head[end] for end in ENDS]
            assert [on_page.get(f"proven-{end}") for end in ENDS[:2]] == [proven[end] for end in ENDS[:2]]
        (row,) = [row for row in table if (row["kind"], row["quantity"]) == ("verdict", budget["name"])]
        words = [row[name] or None for name in ("verdict", "strength", "words")]
        assert words == [verdict[name] for name in ("verdict", "strength", "words")]
        assert [_number(row[end]) for end in ENDS] == [head[end] for end in ENDS]
        limits = [_number(row[f"{end}_limit"]) for end in ENDS[:2]]
        assert limits == [proven[end] for end in ENDS[:2]]
    (listed,) = [one for one in get("").json()["runs"] if one["run_id"] == str(run_id)]
    names = ("verdict", "strength", "words", "reason")
    assert [[one[name] for name in names] for one in listed["verdicts"]] == [
        [one[name] for name in names] for one in run["verdicts"]
    ]


def _number(text: str) -> float | None:
    return float(text) if text else None


def _packed(data: bytes) -> tuple[dict[str, Json], Page]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        verdicts = {one["budget"]["name"]: one["verdict"] for one in json.loads(archive.read(VERDICTS))}
        return verdicts, Page(archive.read(REPORT).decode())


def _same_figures(
    read: Figures, api: Json, table: list[dict[str, str]], page: Page, compared: Comparison
) -> None:
    """Figures of the client, the CSV, the report and the base of a comparison are those of the API."""
    rows = {
        (row["operation"], row["clock"], row["quantity"]): row for row in table if row["kind"] == "figure"
    }
    assert rows
    gains = {one["quantity"]: one for one in compared.raw["pairs"][0]["gains"]}
    for one in api["operations"]:
        found = read.of_operation(one["operation"], one["clock"])
        assert len(found.figures) == len(one["figures"])
        for figure in one["figures"]:
            row = rows[one["operation"], one["clock"], figure["quantity"]]
            for end in ("lower", "upper", "lower_limit", "upper_limit"):
                assert getattr(found.figure(figure["quantity"]), end) == figure[end]
                assert _number(row[end]) == figure[end]
            ends = ("lower", "upper", "lower_limit", "upper_limit")
            known = [figure[end] for end in ends if figure[end] is not None]
            shown = page.figures[one["operation"], one["clock"], figure["quantity"]]
            assert [value for _, value in shown] == known
            if one["operation"] == "read" and (gain := gains.get(figure["quantity"])) is not None:
                assert (gain["base_lower"], gain["base_upper"]) == (figure["lower"], figure["upper"])
