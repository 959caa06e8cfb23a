"""Lists of runs are cut into pages without loss, and a run says everything that is known about it."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest
from backend.tests.agent import GOLDEN, Agent, interval
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_ended_run,
    add_intervals,
    add_run,
    look_at_run,
    steady,
)
from fastapi.testclient import TestClient
from sqlalchemy import update

from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.storage.run import Run
from tailroom.storage.slices import AnalysisState
from tailroom.storage.verdicts import VerdictRow

SECOND = 1_000_000_000
WORST = (
    ("PASS", "proven"),
    ("PASS", "observed"),
    ("INDETERMINATE", None),
    ("FAIL", "observed"),
    ("FAIL", "proven"),
)


@pytest.fixture
def read(client: TestClient, make_token: Callable[..., str]) -> Callable[..., Any]:
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}

    def get(path: str = "", **query: Any) -> Any:
        if not path:
            # What tests of other rooms published stands in the list of everybody.
            query.setdefault("scope", "mine")
        return client.get(f"/api/v1/runs{path}", headers=headers, params=query).json()

    return get


@pytest.fixture
def announce(client: TestClient, make_token: Callable[..., str]) -> Callable[..., Agent]:
    token = make_token()

    def make(**changes: Any) -> Agent:
        agent = Agent(client, token)
        assert agent.announce(**changes).status_code == 201
        return agent

    return make


@pytest.mark.parametrize("sort", ["-started", "title", "-verdict", "duration", "state"])
def test_lists_of_one_form_show_each_organisation_its_own(
    client: TestClient, make_token: Callable[..., str], sort: str
) -> None:
    """What is kept of a list is its statement, and that knows nobody who asks."""
    own: dict[str, set[str]] = {}
    for owner in (f"first {sort}", f"second {sort}"):
        token = make_token(owner=owner)
        own[owner] = {Agent(client, token).announce(title=owner).json()["run_id"] for _ in range(3)}

    for owner in [*own, *own]:
        headers = {"Authorization": f"Bearer {make_token('viewer', owner)}"}
        query: dict[str, Any] = {"scope": "mine", "sort": sort, "limit": 2}
        seen: list[str] = []
        while True:
            page = client.get("/api/v1/runs", headers=headers, params=query).json()
            seen += [one["run_id"] for one in page["runs"]]
            assert page["total"] == 3
            if page["next_cursor"] is None:
                break
            query["cursor"] = page["next_cursor"]
        assert (len(seen), set(seen)) == (3, own[owner])


def test_pages_show_every_run_once_newest_first(
    announce: Callable[..., Agent], read: Callable[..., Any]
) -> None:
    begun = [5, 3, 3, 3, 9, 1, 3]
    agents = [announce(started_at_unix_ns=at * SECOND) for at in begun]
    expected = sorted(((at, agent.run_id) for at, agent in zip(begun, agents, strict=True)), reverse=True)
    first = read(limit=2)
    assert first["total"] == 7
    newer = announce(started_at_unix_ns=100 * SECOND)
    pages = [first]
    while pages[-1]["next_cursor"] is not None:
        pages.append(read(limit=2, cursor=pages[-1]["next_cursor"]))
    seen = [run["run_id"] for page in pages for run in page["runs"]]
    assert seen == [run_id for _, run_id in expected]
    assert [len(page["runs"]) for page in pages] == [2, 2, 2, 1]
    assert read(limit=1)["runs"][0]["run_id"] == newer.run_id


@pytest.mark.parametrize(
    "sort", ["title", "-title", "workload", "-state", "duration", "-duration", "started", "-verdict"]
)
def test_every_order_shows_every_run_once(
    announce: Callable[..., Agent], read: Callable[..., Any], sort: str
) -> None:
    for title, workload, planned_s in [
        ("beta", "act-storage", 30),
        ("Alpha", "fraud-transaction", 10),
        ("alpha", "act-storage", 10),
        ("gamma “ü”", "act-storage", 20),
    ]:
        announce(title=title, workload=workload, planned_duration_ns=planned_s * SECOND)
    pages = [read(limit=1, sort=sort)]
    while pages[-1]["next_cursor"] is not None:
        pages.append(read(limit=1, sort=sort, cursor=pages[-1]["next_cursor"]))
    seen = [page["runs"][0] for page in pages]
    whole = read(limit=50, sort=sort)["runs"]
    assert [run["run_id"] for run in seen] == [run["run_id"] for run in whole]
    assert len({run["run_id"] for run in seen}) == 4
    keys: dict[str, Callable[[Any], Any]] = {
        "title": lambda run: run["title"].lower(),
        "workload": lambda run: run["workload"],
        "state": lambda run: run["state"],
        "duration": lambda run: run["planned_duration_ns"],
        "started": lambda run: run["started_at"],
        "verdict": lambda _: "not judged",
    }
    key = keys[sort.removeprefix("-")]
    assert [key(run) for run in seen] == sorted(map(key, seen), reverse=sort.startswith("-"))


@pytest.fixture
def judged(database: Database, organisation: str) -> list[UUID]:
    """Runs of this test's organisation that pass, fail, are not shown, and were not judged."""
    found: list[UUID] = []
    for latency_ns, count in ((400_000, 40_000), (6_000_000, 2_000), (400_000, 100), (400_000, 100)):
        specs = [SeriesSpec("read", steady(count, 24, latency_ns))]
        with database.transaction() as session:
            run_id = add_ended_run(session, specs, organisation=organisation, workload="fraud-transaction")
            if len(found) < 3:
                look_at_run(session, run_id, MOMENT)
        found.append(run_id)
    return found


def test_the_worst_verdict_sorts_runs_and_one_not_judged_is_no_failure(
    judged: list[UUID], read: Callable[..., Any], database: Database
) -> None:
    runs = read(sort="-verdict")["runs"]
    words = [
        max(((one["verdict"], one["strength"]) for one in run["verdicts"]), key=WORST.index, default=None)
        for run in runs
    ]
    known = [word for word in words if word]
    assert known == sorted(known, key=WORST.index, reverse=True)
    assert len(set(known)) > 1
    assert words.index(None) == sum(word is not None and word[0] == "FAIL" for word in words)
    upwards = [run["run_id"] for run in read(sort="verdict")["runs"]]
    assert upwards == [run["run_id"] for run in reversed(runs)]
    with database.transaction() as session:
        stored = [session.get_one(Run, UUID(run["run_id"])).worst_verdict for run in runs]
    assert stored == [None if word is None else WORST.index(word) for word in words]


def test_the_answer_of_a_run_comes_first_on_its_page_and_in_the_list(
    read: Callable[..., Any], database: Database, organisation: str
) -> None:
    """Limits that the workload is made to answer, before a question about transactions."""
    specs = [SeriesSpec("read", steady(4_000, 24, 2_000_000))]
    with database.transaction() as session:
        run_id = add_ended_run(session, specs, organisation=organisation, workload="act-storage")
        look_at_run(session, run_id, MOMENT)
    shown = [(one["budget"]["name"], one["words"]) for one in read(f"/{run_id}")["verdicts"]]
    assert shown == [("act-limits", "FAIL, proven"), ("fraud-250-sequential", "PASS in this run")]
    listed = next(one for one in read(limit=50)["runs"] if one["run_id"] == str(run_id))
    assert [(one["budget_name"], one["words"]) for one in listed["verdicts"]] == shown


def test_a_list_says_what_weakens_a_verdict(
    read: Callable[..., Any], database: Database, organisation: str
) -> None:
    specs = [SeriesSpec("read", steady(4_000, 24, 2_000_000))]
    with database.transaction() as session:
        run_id = add_ended_run(session, specs, organisation=organisation, workload="act-storage")
        session.get_one(Run, run_id).closed_loop = True
        look_at_run(session, run_id, MOMENT)
    shown = read(f"/{run_id}")["verdicts"]
    listed = next(one for one in read(limit=50)["runs"] if one["run_id"] == str(run_id))
    assert listed["closed_loop"] is True
    assert shown[0]["validity"]["slices"] > 0
    assert [(one["slices"], one["unreliable_slices"]) for one in listed["verdicts"]] == [
        (one["validity"]["slices"], one["validity"]["doubtful"]) for one in shown
    ]
    assert [one["words"] for one in listed["verdicts"]] == [one["words"] for one in shown]


def test_a_list_shows_what_a_run_is_judged_anew_at_once(
    read: Callable[..., Any], database: Database, organisation: str
) -> None:
    """What a list has shown of a run is given again only while the run is judged as it was."""
    few = [SeriesSpec("read", steady(100, 24, 400_000))]

    def listed(run_id: UUID) -> dict[str, str]:
        found = next(one for one in read(limit=50)["runs"] if one["run_id"] == str(run_id))
        return {one["budget_name"]: one["verdict"] for one in found["verdicts"]}

    with database.transaction() as session:
        run_id = add_run(session, few, organisation=organisation, workload="fraud-transaction")
        add_intervals(session, run_id, few)
    assert listed(run_id) == {}, "not judged yet"
    with database.transaction() as session:
        look_at_run(session, run_id, MOMENT)
    first = listed(run_id)
    assert first == listed(run_id)
    assert first
    assert set(first.values()) == {"INDETERMINATE"}
    shown = read(f"/{run_id}")["verdicts"]
    assert {one["words"] for one in shown} == {"Undecided so far: too few operations"}
    assert all(one["provisional"] for one in shown)
    with database.transaction() as session:
        session.execute(
            update(VerdictRow).where(VerdictRow.run_id == run_id).values(verdict="FAIL", reason=None)
        )
        session.get_one(AnalysisState, run_id).computed_at = MOMENT + timedelta(seconds=2)
    assert set(listed(run_id).values()) == {"FAIL"}


@pytest.fixture
def published(judged: list[UUID], database: Database) -> Iterator[tuple[UUID, UUID]]:
    """One that passes and one that fails, read by everybody for the time of this test."""
    best, worst, *_ = judged
    for visibility in ("public", "private"):
        with database.transaction() as session:
            for run_id in (best, worst):
                session.get_one(Run, run_id).visibility = visibility
        if visibility == "public":
            yield best, worst


def test_an_own_budget_moves_no_run_in_the_list_of_others(
    published: tuple[UUID, UUID], client: TestClient, make_token: Callable[..., str], database: Database
) -> None:
    best, worst = published
    with database.transaction() as session:
        session.get_one(Run, best).worst_verdict = WORST.index(("FAIL", "proven"))
        session.get_one(Run, worst).worst_verdict = WORST.index(("PASS", "proven"))
    token = make_token("viewer", f"another {best}")
    asked = {"sort": "verdict", "scope": "public", "run": [str(best), str(worst)]}
    answer = client.get("/api/v1/runs", params=asked, headers={"Authorization": f"Bearer {token}"}).json()
    assert [run["run_id"] for run in answer["runs"]] == [str(best), str(worst)]


def test_a_cursor_of_another_order_is_refused(
    announce: Callable[..., Agent], read: Callable[..., Any]
) -> None:
    announce(title="a"), announce(title="b")
    by_title = read(limit=1, sort="title")["next_cursor"]
    for other in ("-started", "duration"):
        assert read(limit=1, sort=other, cursor=by_title)["code"] == "cursor-unreadable"


def test_what_became_of_certain_runs(announce: Callable[..., Agent], read: Callable[..., Any]) -> None:
    first, _, third = announce(), announce(), announce()
    answer = read(run=[first.run_id, third.run_id, str(new_id())])
    assert {run["run_id"] for run in answer["runs"]} == {first.run_id, third.run_id}
    assert answer["total"] == 2


def test_filters(announce: Callable[..., Agent], read: Callable[..., Any]) -> None:
    ended = announce(title="Nightly 100%_a")
    ended.finish({})
    fraud = announce(workload="fraud-transaction", title="other")
    elsewhere = announce(host={"hostname": "Rack-7"}, title="other")

    def ids(**query: str) -> set[str]:
        page = read(**query)
        assert page["total"] == len(page["runs"])
        return {run["run_id"] for run in page["runs"]}

    assert ids(state="finished") == {ended.run_id}
    assert ids(state="running") == {fraud.run_id, elsewhere.run_id}
    assert ids(workload="fraud-transaction") == {fraud.run_id}
    assert ids(q="nightly") == {ended.run_id}
    assert ids(q="100%_") == {ended.run_id}
    assert ids(q="100__a") == set()
    assert ids(q="rack-7") == {elsewhere.run_id}
    assert ids(q="other", state="finished") == set()


@pytest.mark.parametrize(
    "query",
    [
        {"limit": 0},
        {"limit": 201},
        {"state": "lost"},
        {"cursor": "x"},
        {"cursor": "AAAA"},
        {"cursor": "f" * 32},
        {"q": "a\x00"},
        {"q": "x" * 201},
    ],
)
def test_malformed_queries_are_refused(
    client: TestClient, make_token: Callable[..., str], query: dict[str, Any]
) -> None:
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    answer = client.get("/api/v1/runs", headers=headers, params=query)
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] in ("request-invalid", "cursor-unreadable")


def test_another_organisations_runs_do_not_exist(
    announce: Callable[..., Agent], client: TestClient, make_token: Callable[..., str]
) -> None:
    run_id = announce().run_id
    stranger = {"Authorization": f"Bearer {make_token('engineer', owner='strangers')}"}
    listed = client.get("/api/v1/runs", headers=stranger, params={"q": "a run"}).json()["runs"]
    assert run_id not in {one["run_id"] for one in listed}
    foreign = client.get(f"/api/v1/runs/{run_id}", headers=stranger)
    unknown = client.get(f"/api/v1/runs/{new_id()}", headers=stranger)
    assert (foreign.status_code, unknown.status_code) == (404, 404)
    assert foreign.json()["detail"].replace(run_id, "") == unknown.json()["detail"].replace(
        unknown.json()["detail"].split()[4], ""
    )
    pages = ("events", "timeline", "percentiles", "exceedance", "course", "heatmap", "findings", "intervals")
    for page in pages:
        answer = client.get(f"/api/v1/runs/{run_id}/{page}", headers=stranger)
        assert (answer.status_code, answer.json()["code"]) == (404, "run-unknown"), page
    assert client.post(f"/api/v1/runs/{run_id}/stop", headers=stranger).status_code == 404


def test_a_run_in_detail(announce: Callable[..., Agent], read: Callable[..., Any]) -> None:
    golden = msgspec.json.decode((GOLDEN / "announce.json").read_bytes())
    golden.pop("run_id")
    agent = announce(**golden)
    agent.send([interval(0, 0), interval(1, 1)])
    run = read(f"/{agent.run_id}")
    assert run["started_at"] == "2026-01-01T00:00:00Z"
    assert run["host_name"] == "bench-01"
    assert run["target_name"] == "SAMSUNG MZQL23T8HCLS-00A07"
    assert run["plan"] == golden["plan"]
    assert [one["contiguous_seq"] for one in run["series"]] == [0, -1]
    assert [one["received_count"] for one in run["series"]] == [1, 1]
    layout = {name: value for name, value in run["series"][1]["layout"].items() if value}
    assert layout == {"t": "hdr", "unit_ns": 1000, "significant_digits": 3}
    assert run["missing"] == [{"series": 1, "from_seq": 0, "to_seq": 0}]
    assert run["data_through_ns"] == 2 * SECOND
    assert run["verdicts"] == []
    disclosure = run["disclosure"]
    missing = {one["field"] for one in disclosure["missing"]}
    assert missing == {
        "agent.commit",
        "plan.act_storage.preconditioning",
        "plan.act_storage.over_provisioning",
    }
    assert disclosure["given_count"] + len(missing) == disclosure["required_count"]


def test_answers_about_a_run_of_the_agent_count_and_are_shown(
    announce: Callable[..., Agent],
    read: Callable[..., Any],
    client: TestClient,
    make_token: Callable[..., str],
) -> None:
    agent = announce(host={}, plan={}, workload="fraud-transaction")
    before = read(f"/{agent.run_id}")["disclosure"]
    answers = {"host.cpu.model": "a processor", "host.memory.total_bytes": 2**34}
    url = f"/api/v1/runs/{agent.run_id}/disclosure"
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    assert client.patch(url, json={"answers": answers}, headers=headers).status_code == 200
    after = read(f"/{agent.run_id}")["disclosure"]
    assert [(one["field"], one["value"]) for one in after["disclosed"]] == sorted(answers.items())
    still_missing = {one["field"] for one in after["missing"]}
    assert {one["field"] for one in before["missing"]} - still_missing == set(answers)
    assert after["given_count"] == before["given_count"] + 2


def test_a_run_that_discloses_nothing(announce: Callable[..., Agent], read: Callable[..., Any]) -> None:
    agent = announce(host={}, plan={}, workload="fraud-transaction")
    run = read(f"/{agent.run_id}")
    assert run["host_name"] is None
    assert run["target_name"] is None
    assert run["disclosure"]["given_count"] == 1
