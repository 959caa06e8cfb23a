"""A drive that a machine lists is searched for the highest load that holds: reads alone, on one drive."""

from collections.abc import Callable
from pathlib import Path

import pytest
from backend.tests.campaigns.asking import Asking
from backend.tests.campaigns.serving import Installation, Json, Serving
from backend.tests.campaigns.test_campaigns import Tended, counts
from backend.tests.campaigns.test_interrupted_searches import LONGER, is_again, is_measured, whole
from backend.tests.campaigns.test_refusals import LADDER, SYNC_WRITES
from backend.tests.campaigns.test_searches import SEARCH

from tailroom.campaigns.searching import FEATURES
from tailroom.kit.db import Database

SEARCH_OF_DRIVES: Json = LONGER | {"objective": "p99 read < 20s"}


def listing(serve: Callable[..., list[Serving]], installation: Installation, drives: list[Path]) -> Serving:
    """Let an agent serve whose machine lists these files, each with content of its own."""
    for number, drive in enumerate(drives):
        drive.write_bytes(bytes(range(number, number + 128)) * (1 << 17))
    listed = ", ".join(f'"{drive}"' for drive in drives)
    (agent,) = serve(installation, "shelf", more=f"devices = [{listed}]\nmost_operations_per_s = 400")
    return agent


def test_a_drive_is_searched_from_where_it_was_and_stays_as_it_is(
    installation: Installation, database: Database, serve: Callable[..., list[Serving]], tmp_path: Path
) -> None:
    drive = tmp_path / "drive"
    agent = listing(serve, installation, [drive])
    content, changed = drive.read_bytes(), drive.stat().st_mtime_ns
    begun = installation.begin("sought", LADDER, "drives:", ["shelf"], search=SEARCH_OF_DRIVES)
    tended = Tended(installation, database, begun)
    tended.when(lambda now: is_measured(now, 1))
    agent.kill()
    tended.when(lambda now: now["waiting_for"])
    agent.serve()
    ended = tended.when(
        lambda now: now["state"] == "ended" and all(phase["run_id"] for phase in now["phases"])
    )
    assert [phase["name"] for phase in ended["phases"]] == ["probe 1", "probe 2", "probe 3"]
    search = whole(installation, database, ended | {"phases": [None, *ended["phases"]]})
    (cut_off,) = [probe for probe in search["probes"] if probe["late_share"] is None]
    assert (cut_off["step"], cut_off["outcome"]) == (2, "interrupted")
    for phase, reads in zip(ended["phases"], (500, 1_000, 1_500), strict=True):
        assert phase["remarks"][0] == "Reads alone, while nothing writes: no certification by ACT's rules."
        measured = counts(installation, phase["run_id"])
        assert measured["read", "response"] == reads
        assert {operation for operation, _ in measured} == {"read", "large-block-read"}
    assert is_again(ended["phases"][1], "shelf was lost")
    run = installation.get(f"/runs/{ended['phases'][2]['run_id']}")
    assert run["title"] == "sought · probe 3: 300/s"
    assert run["plan"]["act_storage"]["load_multiple"] == 0.15
    assert run["plan"]["differs_from_original"][0].startswith("Reads alone")
    assert (drive.read_bytes(), drive.stat().st_mtime_ns) == (content, changed)


def test_what_is_no_search_of_one_drive_is_refused_by_its_machine(
    installation: Installation, database: Database, serve: Callable[..., list[Serving]], tmp_path: Path
) -> None:
    drives = [tmp_path / "drive", tmp_path / "other"]
    agent = listing(serve, installation, drives)
    agent.allow(
        [], f'devices = ["{drives[0]}", "{drives[1]}"]\nfolders = ["{tmp_path}"]\nmost_operations_per_s = 400'
    )
    for plan, target, search, reason in (
        (LADDER, "drives:", SEARCH_OF_DRIVES, "A search is about one drive"),
        (LADDER, f"drives:{drives[1]}", SEARCH_OF_DRIVES | {"top_per_s": None}, "has no highest load"),
        (LADDER, f"drives:{drives[1]}", SEARCH_OF_DRIVES | {"top_per_s": 500}, "allows 400 operations"),
        (LADDER, f"drives:{drives[1]}", SEARCH, "the load of a drive is its reads"),
        (SYNC_WRITES, "folders:", SEARCH_OF_DRIVES, "no load is sought"),
    ):
        begun = installation.begin("refused", plan, target, ["shelf"], search=search)
        ended = Tended(installation, database, begun).when(lambda now: now["state"] == "ended")
        assert reason in ended["reason"]


@pytest.fixture
def shelves(asking: Asking) -> list[str]:
    """Two agents that know searches, but none of drives."""
    agents = []
    for name in ("east", "west"):
        agent_id, let_in = asking.enrol(name)
        poll = {"version": {"version": "0.1"}, "knows": [*FEATURES, "drive-ladder"]}
        asking.client.post("/api/v1/agent/poll", json=poll, headers=let_in)
        agents.append(str(agent_id))
    return agents


def test_a_search_of_drives_needs_one_agent_that_knows_it(asking: Asking, shelves: list[str]) -> None:
    several = asking.begin(shelves, target="drives:", plan=LADDER, search=SEARCH_OF_DRIVES)
    assert several.status_code == 409
    assert "a search is about one agent and one of its drives" in several.json()["detail"]
    older = asking.begin(shelves[:1], target="drives:", plan=LADDER, search=SEARCH_OF_DRIVES)
    assert older.status_code == 409
    assert "which does not know drive-search of the plan" in older.json()["detail"]
