"""Which configurations keep a budget: all of the organisation's, each judged like a single question."""

import gc
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from backend.tests.analysis.recording import MOMENT, SeriesSpec, steady
from backend.tests.sla.conftest import every_item, sequential, store_run
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tailroom.domain.transactions.plan_sums import PlanSums
from tailroom.domain.transactions.work import spend
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.unknown_conditions import LATENCY_UNIT
from tailroom.kit.db import Database
from tailroom.kit.limits import QUESTION_POINTS
from tailroom.records.cache import RecordCache
from tailroom.sla import matches
from tailroom.sla.answers import Answer
from tailroom.sla.evaluations import judge_subject
from tailroom.sla.question_subject import QuestionSubject
from tailroom.storage.run import UPLOAD, Run

OWN = {"published": False}
KEPT = f"match {uuid4()}"
SPECS = {
    "PASS": [SeriesSpec("read", steady(40_000, 24))],
    "FAIL": [SeriesSpec("read", steady(2_000, 24, 6_000_000))],
    "INDETERMINATE": [SeriesSpec("read", steady(100, 24))],
}


def in_groups(answer: Any) -> dict[str, int]:
    """How many meet a budget, miss it, or are undecided."""
    return {name: answer["counts"][name] for name in ("meets", "misses", "undecided")}


@pytest.fixture
def organisation(request: pytest.FixtureRequest) -> str:
    """The one whose runs are stored once, or one of this test alone."""
    return KEPT if "stored" in request.fixturenames else f"match {uuid4()}"


@pytest.fixture(scope="module")
def stored(database: Database) -> list[tuple[str, str]]:
    """Verdicts to come, and runs, newest first."""
    words = ["FAIL", "PASS", "INDETERMINATE", "PASS", "INDETERMINATE", "FAIL", "PASS"]
    found = []
    for age, word in enumerate(words):
        run_id = store_run(database, KEPT, SPECS[word])
        with database.transaction() as session:
            session.get_one(Run, run_id).started_at = MOMENT - timedelta(hours=age // 2)
        found.append((word, str(run_id), age // 2))
    found.sort(key=lambda one: (-one[2], one[1]), reverse=True)
    return [(word, run_id) for word, run_id, _ in found]


def test_those_that_meet_it_come_first_newest_first(
    stored: list[tuple[str, str]], post: Callable[..., Any]
) -> None:
    answer = post("match", {"budget": {"document": sequential()}, **OWN})
    assert in_groups(answer) == {"meets": 3, "misses": 2, "undecided": 2}
    assert (answer["next_cursor"], answer["not_looked_at"]) == (None, 0)
    expected = [pair for word in ("PASS", "INDETERMINATE", "FAIL") for pair in stored if pair[0] == word]
    assert [(one["verdict"], one["subject"]["run_id"]) for one in answer["items"]] == expected
    for item in answer["items"]:
        assert (item["decided_by"] is None) == (item["strength"] == "proven")


def test_of_the_undecided_the_closest_comes_first(
    store: Callable[..., UUID], post: Callable[..., Any]
) -> None:
    for reads in (200, 1_000, 100, 500):
        store([SeriesSpec("read", steady(reads, 24))])
    items = post("match", {"budget": {"document": sequential()}, **OWN})["items"]
    assert {one["verdict"] for one in items} == {"INDETERMINATE"}
    assert [one["subject"]["samples"] for one in items] == [24_000, 12_000, 4_800, 2_400]


def test_no_sums_stay_after_a_match(post: Callable[..., Any]) -> None:
    """Those of a random number of reads took 50 MB for every document of the package."""
    weights = {"weights": {str(reads): 1 / 8 for reads in range(10, 90, 10)}}
    budget = sequential(plan={"stages": [{"operation": "read", "count": weights}]})
    gc.collect()
    before = {id(part) for part in gc.get_objects() if isinstance(part, PlanSums)}
    assert post("match", {"budget": {"document": budget}})["items"]
    gc.collect()
    assert not [part for part in gc.get_objects() if isinstance(part, PlanSums) and id(part) not in before]


def test_asked_again_nothing_is_judged_again_and_the_answer_is_the_same(
    stored: list[tuple[str, str]], post: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"budget": {"document": sequential(window_ns=140_000_000)}, **OWN}
    first = post("match", body)

    def judged_again(*_: object) -> None:
        raise AssertionError("nothing has changed")

    monkeypatch.setattr(matches, "judge_subject", judged_again)
    assert post("match", body) == first


def test_one_record_that_takes_too_much_calculation_leaves_out_itself_alone(
    stored: list[tuple[str, str]], post: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    costly = stored[0][1]
    plan = {"stages": [{"operation": "read", "count": {"weights": {"249": 0.5, "250": 0.5}}}]}

    def counted(subject: QuestionSubject, budget: Budget) -> Answer:
        spend(QUESTION_POINTS + 1 if str(subject.out.run_id) == costly else 0)
        return judge_subject(subject, budget)

    monkeypatch.setattr(matches, "judge_subject", counted)
    answer = post("match", {"budget": {"document": sequential(plan=plan)}, **OWN})
    assert {one["subject"]["run_id"] for one in answer["items"]} == {run_id for _, run_id in stored[1:]}
    assert answer["not_looked_at"] == 1


def test_new_data_and_new_facts_are_seen_at_once(
    store: Callable[..., UUID], post: Callable[..., Any], database: Database
) -> None:
    """What was kept of a run is not shown once anything that it rests on has changed."""
    run_id = store(SPECS["PASS"])
    body = {"budget": {"document": sequential()}, **OWN}
    assert post("match", body)["items"][0]["verdict"] == "PASS"
    with database.transaction() as session:
        run = session.get_one(Run, run_id)
        run.source, run.missing = UPLOAD, [LATENCY_UNIT]
    assert post("match", body)["items"][0]["verdict"] == "INDETERMINATE"


@pytest.mark.parametrize("limit", [1, 2, 3, 200])
def test_pages_show_every_configuration_once(
    stored: list[tuple[str, str]], post: Callable[..., Any], limit: int
) -> None:
    body: dict[str, Any] = {"budget": {"document": sequential()}, "limit": limit, **OWN}
    whole = [one["subject"]["run_id"] for one in post("match", body | {"limit": 200})["items"]]
    seen: list[str] = []
    while True:
        page = post("match", body)
        assert in_groups(page) == {"meets": 3, "misses": 2, "undecided": 2}
        seen += [one["subject"]["run_id"] for one in page["items"]]
        if page["next_cursor"] is None:
            break
        body["cursor"] = page["next_cursor"]
    assert seen == whole


def test_what_a_cap_leaves_out_is_counted(
    stored: list[tuple[str, str]], post: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "MATCH_CONFIGURATIONS", 3)
    answer = post("match", {"budget": {"document": sequential()}, **OWN})
    assert (len(answer["items"]), answer["not_looked_at"]) == (3, 4)
    assert {one["subject"]["run_id"] for one in answer["items"]} == {run_id for _, run_id in stored[:3]}


def test_each_request_judges_further_even_without_time_left(
    stored: list[tuple[str, str]],
    post: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    client: TestClient,
    headers: dict[str, str],
) -> None:
    """What was judged stays, even where the cache of records holds no two runs."""
    monkeypatch.setattr(matches, "MATCH_SECONDS", -1.0)
    assert isinstance(client.app, FastAPI)
    monkeypatch.setattr(client.app.state, "evidence_cache", RecordCache(1))
    body = {"budget": {"document": sequential(window_ns=150_000_000)}, **OWN}
    for judged in range(1, len(stored) + 1):
        answer = client.post("/api/v1/sla/match", json=body, headers=headers).json()
        assert answer["not_looked_at"] == len(stored) - judged
    assert len(every_item(post, body)) == len(stored)


def test_limits_are_matched_too(stored: list[tuple[str, str]], post: Callable[..., Any]) -> None:
    answer = post("match", {"budget": {"name": "act-limits"}, **OWN})
    assert answer["counts"]["misses"] == 2
    assert all(one["p_lower"] is None for one in answer["items"])


def test_an_organisation_without_runs_has_nothing_to_match(post: Callable[..., Any]) -> None:
    answer = post("match", {"budget": {"name": "fraud-250-sequential"}, **OWN})
    assert in_groups(answer) == {"meets": 0, "misses": 0, "undecided": 0}
    assert (answer["items"], answer["not_looked_at"]) == ([], 0)


@pytest.mark.parametrize("named", [False, True])
def test_runs_of_others_are_not_matched(
    stored: list[tuple[str, str]], client: TestClient, make_token: Callable[..., str], named: bool
) -> None:
    stranger = {"Authorization": f"Bearer {make_token('viewer', owner='match strangers')}"}
    asked = {"budget": {"name": "act-limits"}, **OWN}
    if named:
        asked["runs"] = [run_id for _, run_id in stored]
    answer = client.post("/api/v1/sla/match", json=asked, headers=stranger)
    assert answer.json()["items"] == []


def test_runs_that_are_named_are_judged_alone_also_what_was_made_up(
    stored: list[tuple[str, str]], store: Callable[..., UUID], post: Callable[..., Any]
) -> None:
    word, run_id = stored[2]
    simulated = str(store(SPECS["FAIL"], plan={"act_storage": {"engine": "null"}}))
    answer = post("match", {"budget": {"document": sequential()}, "runs": [run_id, simulated]})
    assert {one["subject"]["run_id"] for one in answer["items"]} == {run_id, simulated}
    [single] = [one for one in answer["items"] if one["subject"]["run_id"] == run_id]
    assert single["verdict"] == word
    every = post("match", {"budget": {"document": sequential()}})
    assert single in every["items"]
    assert every["not_looked_at"] == 0, "what was made up is not counted either"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"cursor": "x"}, "cursor-unreadable"),
        ({"cursor": "A" * 40}, "cursor-unreadable"),
        ({"cursor": "_" * 40}, "cursor-unreadable"),
        ({"cursor": "é"}, "cursor-unreadable"),
        ({"limit": 0}, "request-invalid"),
        ({"limit": 201}, "request-invalid"),
        ({"limit": 1.5}, "request-invalid"),
        ({"page": 2}, "request-invalid"),
        ({"runs": []}, "request-invalid"),
        ({"runs": ["x"]}, "request-invalid"),
        ({"runs": [str(UUID(int=one)) for one in range(51)]}, "request-invalid"),
    ],
)
def test_malformed_questions_are_refused(post: Callable[..., Any], changes: Any, code: str) -> None:
    refused = post("match", {"budget": {"name": "act-limits"}, **changes}, 422)
    assert refused["code"] == code
