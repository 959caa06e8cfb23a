"""Runs and published figures side by side: the figures of the command line, and a guard before them."""

import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import add_run, finish
from backend.tests.listening import listening
from fastapi.testclient import TestClient
from sqlalchemy import update
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.comparison.subjects import published_subject
from tailroom.domain.comparison.answer import ratio_text
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings
from tailroom.storage.run_picture import RunPicture

KIOXIA = "publication:kioxia-cd8p-ycsb-2025"
PAIR = (f"{KIOXIA}#test1-r1/CD6-R", f"{KIOXIA}#test1-r1/CD8P-R")
LATE = {"lateness_p99_ns": 2_300_000, "busy_ns": 2_000_000_000}
SHARED = (
    *("quantity", "better", "base", "base_lower", "base_upper", "new", "new_lower", "new_upper"),
    *(
        "record_ratio_lower",
        "record_ratio_upper",
        "ratio_lower",
        "ratio_upper",
        "significant",
        "effect",
        "why",
    ),
)
Header = dict[str, str]


def asked(
    client: TestClient, viewer: Header, *subjects: object, status: int = 200, **more: str
) -> dict[str, Any]:
    names = [f"run:{one}" if isinstance(one, UUID) else str(one) for one in subjects]
    answer = client.get("/api/v1/comparisons", params={"subject": names, **more}, headers=viewer)
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("doubted", [False, True])
def test_page_and_command_line_give_the_same_figures(  # noqa: PLR0917 - fixtures
    client: TestClient,
    settings: Settings,
    viewer: Header,
    store: Callable[..., UUID],
    make_token: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    doubted: bool,
) -> None:
    conditions = [LATE if doubted and at % 10 == 0 else {} for at in range(120)]
    base, new = store(), store(440_000, seed=2, misses={4: 3}, conditions=conditions)
    (pair,) = asked(client, viewer, base, new)["pairs"]
    with listening(settings) as server:
        monkeypatch.setenv("TAILROOM_SERVER", server)
        monkeypatch.setenv("TAILROOM_TOKEN", make_token("viewer"))
        words = ["compare", f"{server}/runs/{base}", f"{server}/runs/{new}", "--json"]
        printed = json.loads(CliRunner().invoke(build_app(["compare"]), words).stdout)
    for name in ("verdict", "comparable", "reasons", "changes", "factors", "notes"):
        assert pair[name] == printed[name], name
    assert len(pair["gains"]) == len(printed["gains"]) > 8
    for shown, line in zip(pair["gains"], printed["gains"], strict=True):
        assert {name: shown[name] for name in SHARED} == {name: line[name] for name in SHARED}


def test_a_slower_run_is_worse_by_an_interval(
    client: TestClient, viewer: Header, store: Callable[..., UUID]
) -> None:
    found = asked(client, viewer, store(), store(1_200_000, seed=2))
    (pair,) = found["pairs"]
    assert pair["verdict"] == "regression"
    assert pair["headline"].startswith("Regression: p99 is ")
    assert pair["headline"].endswith(" × as long.")
    assert all(one["lower"] <= one["upper"] for one in pair["quantile_ratios"])
    near_the_median = next(one for one in pair["quantile_ratios"] if one["quantile"] == 0.5)
    assert near_the_median["lower"] < 3.0 < near_the_median["upper"] * 1.01
    (back,) = asked(client, viewer, *(one["subject"] for one in reversed(found["subjects"])))["pairs"]
    assert back["headline"].startswith("Improvement: p99 is ")
    assert " faster, and nothing got worse." in back["headline"]


def test_runs_of_the_same_title_can_be_told_apart(
    client: TestClient, viewer: Header, store: Callable[..., UUID]
) -> None:
    runs = [store(seed=seed) for seed in (1, 2, 3)]
    labels = [subject["label"] for subject in asked(client, viewer, *runs)["subjects"]]
    assert len(set(labels)) == 3


def test_unequal_loads_are_named_with_the_change_that_makes_them_equal(
    client: TestClient, viewer: Header, store: Callable[..., UUID]
) -> None:
    plans = [{"act_storage": {"load_multiple": load, "path": "a"}} for load in (1.0, 3.0)]
    runs = [store(seed=seed, plan=plan, workload="act-storage") for seed, plan in enumerate(plans, 1)]
    (pair,) = asked(client, viewer, *runs)["pairs"]
    assert pair["verdict"] == "not-comparable"
    assert pair["reasons"] == ["load multiple differs: 1 and 3."]
    assert pair["changes"] == ["Run new with load multiple 1."]
    assert not any(one["significant"] for one in pair["gains"])


def test_published_figures_have_ratios_by_what_is_printed(client: TestClient, viewer: Header) -> None:
    found = asked(client, viewer, *PAIR, operation="read")
    (pair,) = found["pairs"]
    gain = next(one for one in pair["gains"] if one["quantity"] == "throughput_ops_per_s")
    assert 1.78 < gain["record_ratio_lower"] < gain["record_ratio_upper"] < 1.80
    assert gain["ratio_lower"] is None
    assert pair["verdict"] == "unrepeated"
    assert pair["headline"] == (
        "p99 is 1.90–1.91 × faster in these two runs; repeat each 5 times to show a change."
    )
    assert not any(one["significant"] for one in pair["gains"])
    assert found["subjects"][0]["note"]


def test_six_and_a_mixture_are_compared_with_the_first(
    client: TestClient, viewer: Header, store: Callable[..., UUID]
) -> None:
    runs = [store(seed=number) for number in range(1, 6)]
    found = asked(client, viewer, *runs, PAIR[0])
    assert [one["new"] for one in found["pairs"]] == [1, 2, 3, 4, 5]
    assert found["pairs"][-1]["verdict"] == "not-comparable"


def test_figures_of_a_finished_run_are_worked_out_once(
    client: TestClient, database: Database, viewer: Header, store: Callable[..., UUID]
) -> None:
    base, new = store(), store(seed=2)
    first = asked(client, viewer, base, new)
    empty = b'{"run_id":"%s","source":"agent","operations":[],"contradiction":null}' % str(new).encode()
    with database.transaction() as session:
        picture = update(RunPicture).where(RunPicture.run_id == new, RunPicture.name == "figures")
        session.execute(picture.values(body=empty))
    assert first["operations"] == ["read"]
    assert "has no latencies" in asked(client, viewer, base, new, status=422)["detail"]


def test_private_runs_of_others_are_not_there(
    client: TestClient, store: Callable[..., UUID], make_token: Callable[..., str], organisation: str
) -> None:
    stranger = {"Authorization": f"Bearer {make_token('viewer', f'not {organisation}')}"}
    assert asked(client, stranger, store(), store(seed=2), status=404)["code"] == "run-unknown"


@pytest.mark.parametrize(
    ("subjects", "more", "status", "said"),
    [
        (["run:x", PAIR[0]], {}, 422, "is no subject"),
        (["00000001-0000-7000-8000-000000000000", PAIR[0]], {}, 422, "is no subject"),
        ([PAIR[0]], {}, 422, "name 2 to 6"),
        ([f"run:{number}" for number in range(7)], {}, 422, "name 2 to 6"),
        ([PAIR[0], PAIR[0]], {}, 422, "named twice"),
        ([PAIR[0], f"{KIOXIA}#none"], {}, 404, "there is:"),
        (list(PAIR), {"operation": "scan"}, 422, "has no “scan”"),
        (list(PAIR), {"clock": "wall"}, 422, ""),
    ],
)
def test_bad_input_says_what_is_wrong(  # noqa: PLR0917 - fixtures and parameters
    client: TestClient, viewer: Header, subjects: list[str], more: dict[str, str], status: int, said: str
) -> None:
    assert said in asked(client, viewer, *subjects, status=status, **more)["detail"]


def test_a_run_that_is_not_there(client: TestClient, viewer: Header) -> None:
    assert "There is no run" in asked(client, viewer, PAIR[0], f"run:{new_id()}", status=404)["detail"]


def test_operations_that_only_one_has_are_named(
    client: TestClient, viewer: Header, store: Callable[..., UUID]
) -> None:
    found = asked(client, viewer, store(), store(operation="write"), status=422)
    assert "no operation in common" in found["detail"]


def test_a_latency_is_not_compared_with_a_rate(
    client: TestClient,
    viewer: Header,
    database: Database,
    organisation: str,
    store: Callable[..., UUID],
) -> None:
    """A run without any latency, as fio leaves one that was told to time nothing."""
    with database.transaction() as session:
        without = add_run(session, [], organisation=organisation)
        finish(session, without, [])
    for subjects in ((store(), without), (without, PAIR[0])):
        said = asked(client, viewer, *subjects, status=422)["detail"]
        assert "has no latencies: a latency is not compared with a rate" in said


def test_every_published_configuration_is_found_by_its_name(client: TestClient, viewer: Header) -> None:
    listed = client.get("/api/v1/comparisons/published", headers=viewer).json()["subjects"]
    names = [one["subject"] for one in listed]
    assert PAIR[0] in [name.replace("/KIOXIA ", "/") for name in names]
    assert len(set(names)) == len(names)
    assert [published_subject(one["subject"]).name for one in listed] == [one["label"] for one in listed]


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ((2.4149, 2.5111), "2.41–2.52 ×"),
        ((1.0, 1.0), "1.00 ×"),
        ((0.4296, 0.43), "0.429–0.430 ×"),
        ((0.0, 0.5), "0–0.500 ×"),
        ((None, 12345.6), "0–12400 ×"),
        ((3.0, None), "at least 3.00 ×"),
        ((None, None), ""),
        ((1e-9, 2e-9), "0.00000000100–0.00000000200 ×"),
    ],
)
def test_ratios_are_rounded_outward(ends: tuple[float | None, float | None], text: str) -> None:
    assert ratio_text(*ends) == text


def test_a_publication_is_compared_by_its_tool_and_not_by_the_letter_of_its_workload(
    client: TestClient, viewer: Header
) -> None:
    drive = "publication:aerospike-act-blog-2012#t1-r01"
    (pair,) = asked(client, viewer, drive, PAIR[0], operation="read")["pairs"]
    assert "They were measured with different tools: act and ycsb." in pair["reasons"]
