"""`tailroom compare --baseline BRANCH NEW`: a watch of that name is the baseline."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from backend.tests.listening import listening
from backend.tests.watches.test_watches import NIGHTLY, Runs
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.kit.settings import Settings

PAST = 9


@pytest.fixture
def compare(
    settings: Settings, make_token: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., tuple[int, Any]]]:
    with listening(settings) as server:
        monkeypatch.setenv("TAILROOM_SERVER", server)
        monkeypatch.setenv("TAILROOM_TOKEN", make_token("viewer"))

        def run(branch: str, new: UUID, *more: str) -> tuple[int, Any]:
            words = ["compare", "--baseline", branch, f"{server}/runs/{new}", *more]
            done = CliRunner().invoke(build_app(["compare"]), words)
            text = done.stdout if done.stdout.strip() else done.stderr
            return done.exit_code, json.loads(text) if "--json" in more and done.exit_code != 2 else text

        yield run


@pytest.fixture
def watched(runs: Runs, client: TestClient, make_token: Callable[..., str]) -> Runs:
    """A history of runs of one branch that hardly differ."""
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    assert client.post("/api/v1/budgets", json=NIGHTLY, headers=headers).status_code == 201
    for number in range(PAST):
        runs.add(400_000 + 2_000 * (number % 3), title="nightly main", workload="nightly")
    body = {"name": "main", "run_title": "nightly main", "budget_name": "nightly-limits"}
    made = client.post("/api/v1/watches", json=body, headers=headers)
    assert made.status_code == 201, made.text
    return runs


def test_a_run_is_held_against_the_runs_of_its_branch(
    watched: Runs, compare: Callable[..., tuple[int, Any]]
) -> None:
    slower, same = (
        watched.add(latency_ns, title="a branch", workload="nightly") for latency_ns in (900_000, 401_000)
    )
    code, found = compare("main", slower, "--json")
    assert (code, found["verdict"]) == (1, "regression")
    p99 = next(one for one in found["history"] if one["quantity"] == "latency_p99_ns")
    assert (p99["effect"], p99["runs"]) == ("worse", PAST)
    assert p99["upper"] < p99["value"]
    code, found = compare("main", same, "--json")
    assert code in {0, 3}
    assert found["verdict"] in {"no-change", "not-shown"}
    assert all(one["effect"] != "worse" for one in found["history"])
    _, text = compare("Main", slower)
    assert f"By how {PAST} runs of Main differ:" in text


def test_the_api_says_what_the_command_says(
    watched: Runs,
    compare: Callable[..., tuple[int, Any]],
    client: TestClient,
    make_token: Callable[..., str],
) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}

    def asked(status: int = 200, **words: str) -> Any:
        answer = client.get("/api/v1/comparisons/baseline", params=words, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    for latency_ns in (900_000, 401_000):
        new = watched.add(latency_ns, title="a branch", workload="nightly")
        said, (_, told) = asked(branch="MAIN", run=str(new)), compare("main", new, "--json")
        assert (said["verdict"], said["history"]) == (told["verdict"], told["history"])
        assert (said["branch"], said["basis"]) == ("main", "history")
        assert said["headline"] == told["headline"]
        assert f"{PAST} earlier runs" in said["headline"]
        assert (
            said["comparison"]["subjects"][0]["run_id"] == said["base_run_id"] == str(watched.made[PAST - 1])
        )
    assert "there is: main" in asked(404, branch="release", run=str(new))["detail"]
    assert asked(404, branch="main", run=str(UUID(int=7)))["code"] == "run-unknown"


def test_a_branch_that_is_not_watched_is_named(
    watched: Runs, compare: Callable[..., tuple[int, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    new = watched.made[0]
    code, text = compare("release", new)
    assert (code, "no single watch called 'release'; it has: main" in text) == (4, True)
    monkeypatch.delenv("TAILROOM_SERVER")
    code, text = compare("main", new)
    assert (code, "set TAILROOM_SERVER" in text) == (2, True)


def test_base_and_new_or_a_baseline_and_new() -> None:
    for words in (["compare", "one"], ["compare", "one", "two", "--baseline", "main"]):
        done = CliRunner().invoke(build_app(["compare"]), words)
        assert (done.exit_code, "or --baseline BRANCH and NEW alone" in done.output) == (2, True)
