"""Units of a campaign against their siblings, over HTTP and on the command line."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from backend.tests.comparison.ended_campaigns import add_ended_campaign
from backend.tests.comparison.judged_runs import judged_runs, steady_runs
from fastapi.testclient import TestClient
from sqlalchemy import delete, select
from typer.testing import CliRunner

from tailroom.analysis.figures import MeasuredOut
from tailroom.cli.main import build_app
from tailroom.comparison import sibling_units
from tailroom.domain.comparison.conditions import DrawnLoad
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.storage.run_picture import RunPicture
from tailroom.storage.work import WorkRow
from tailroom.work.kinds import DRAW

Header = dict[str, str]
COMMAND = build_app(["siblings"])


def host(number: int, firmware: str = "1.0") -> dict[str, Any]:
    """A machine with two drives, of which the first is measured."""
    drives = [
        {"name": "nvme0n1", "firmware": firmware, "serial_sha256": f"{number:064x}", "temperature_c": 40.0},
        {"name": "nvme1n1", "firmware": "9.9"},
    ]
    return {"hostname": f"bench-{number:02d}", "kernel": "6.18", "block_devices": drives}


@pytest.fixture(scope="module")
def organisation() -> str:
    """The organisation of all these tests: they read the same drives."""
    return "siblings of a fleet"


@pytest.fixture
def campaign_of(database: Database, organisation: str) -> Callable[..., UUID]:
    """Stores an ended campaign whose agents made these runs, one each."""

    def add(runs: list[UUID]) -> UUID:
        return add_ended_campaign(database, organisation, runs)

    return add


@pytest.fixture(scope="module")
def fleet(database: Database, organisation: str) -> Iterator[list[UUID]]:
    """Ten drives, of which the last is a twentieth slower and has other firmware."""
    plan = {"act_storage": {"path": "/dev/nvme0n1"}}
    with judged_runs(database, organisation) as store_judged:
        store = steady_runs(store_judged)
        usual = [store(400_000, seed=number, host=host(number), plan=plan) for number in range(9)]
        yield [*usual, store(420_000, seed=9, host=host(9, "1.1"), plan=plan)]


def test_the_slower_drive_is_named_with_what_it_does_not_share(
    client: TestClient, viewer: Header, campaign_of: Callable[..., UUID], fleet: list[UUID]
) -> None:
    place = f"/api/v1/campaigns/{campaign_of(fleet)}/siblings"
    answer = client.get(place, headers=viewer)
    assert answer.status_code == 200, answer.text
    siblings = answer.json()
    assert siblings["answer"].startswith("1 of 10 units stands out as worse. bench-09 /dev/nvme0n1: ")
    assert (siblings["effect"], siblings["worse"], siblings["better"]) == ("worse", 1, 0)
    first, *others = siblings["units"]
    assert (first["agent"], first["device"], first["effect"]) == ("bench-09", "/dev/nvme0n1", "worse")
    assert {unit["effect"] for unit in others} == {"same"}
    assert [(cause["name"], cause["value"], cause["usual"]) for cause in first["causes"]] == [
        ("drive.firmware", "1.1", "1.0")
    ]
    mean = next(row for row in first["deviations"] if row["quantity"] == "latency_mean_ns")
    assert mean["ratio_lower"] <= mean["ratio"] <= mean["ratio_upper"]
    assert mean["ratio"] == pytest.approx(1.05, abs=0.01)
    text = client.get(f"{place}.csv", headers=viewer)
    assert text.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(text.text)))
    assert len(rows) == sum(len(unit["deviations"]) for unit in siblings["units"])
    worse = [row for row in rows if row["unit_effect"] == "worse"]
    assert worse[0]["differs_in"].startswith("drive.firmware: 1.1 (1.0 on 9 of 9 siblings)")


def test_units_of_several_campaigns_are_siblings(
    client: TestClient, viewer: Header, campaign_of: Callable[..., UUID], fleet: list[UUID]
) -> None:
    first, second = campaign_of(fleet[:5]), campaign_of(fleet[5:])
    alone = client.get(f"/api/v1/campaigns/{first}/siblings", headers=viewer).json()
    assert alone["effect"] == "open"
    assert alone["answer"].startswith("5 units can be held against each other")
    both = client.get(f"/api/v1/campaigns/{first}/siblings", params={"also": str(second)}, headers=viewer)
    assert both.json()["worse"] == 1


def test_agents_that_were_not_measured_are_named_with_their_reasons(
    *,
    client: TestClient,
    viewer: Header,
    server_address: str,
    make_token: Callable[..., str],
    database: Database,
    organisation: str,
    fleet: list[UUID],
) -> None:
    reasons = ["not measured: no space for 64 MiB in /mnt.", None]
    campaign_id = add_ended_campaign(database, organisation, fleet[:9], lost=reasons)
    place = f"/api/v1/campaigns/{campaign_id}/siblings"
    siblings = client.get(place, headers=viewer).json()
    assert siblings["answer"].endswith("2 agents have no complete run.")
    assert (siblings["effect"], siblings["not_judged"], len(siblings["units"])) == ("same", 2, 9)
    assert siblings["not_measured"] == [
        {"agent": "bench-09", "reason": "no space for 64 MiB in /mnt"},
        {"agent": "bench-10", "reason": "it was lost"},
    ]
    rows = list(csv.DictReader(io.StringIO(client.get(f"{place}.csv", headers=viewer).text)))
    absent = [(row["agent"], row["reason"]) for row in rows if row["unit_effect"] == "not measured"]
    assert absent == [("bench-09", "no space for 64 MiB in /mnt"), ("bench-10", "it was lost")]
    more = ["--server", server_address, "--token", make_token("viewer")]
    ended = CliRunner().invoke(COMMAND, ["siblings", str(campaign_id), *more])
    assert ended.exit_code == 3, ended.output
    assert "  bench-09: not measured: no space for 64 MiB in /mnt" in ended.output


def test_figures_of_many_runs_are_left_to_the_workers(
    *,
    client: TestClient,
    viewer: Header,
    database: Database,
    campaign_of: Callable[..., UUID],
    fleet: list[UUID],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with database.transaction() as session:
        session.execute(delete(RunPicture).where(RunPicture.run_id.in_(fleet)))
    monkeypatch.setattr(sibling_units, "_COMPUTED_AT_ONCE", 8)
    place = f"/api/v1/campaigns/{campaign_of(fleet)}/siblings"
    siblings = client.get(place, headers=viewer).json()
    awaited = [unit["agent"] for unit in siblings["units"] if unit["effect"] == "open"]
    assert awaited == ["bench-08", "bench-09"]
    assert siblings["units"][-1]["reason"] == "Its figures are being computed. Ask again in a minute."
    with database.transaction() as session:
        due = select(WorkRow.subject).where(WorkRow.kind == DRAW.name, WorkRow.subject.in_(fleet))
        assert set(session.scalars(due)) >= set(fleet[8:])
    # The figures of the first are stored now, so the next request computes those of the others.
    assert client.get(place, headers=viewer).json()["not_judged"] == 0


def test_a_campaign_of_others_and_a_phase_that_is_not_there_are_refused(
    client: TestClient,
    viewer: Header,
    make_token: Callable[..., str],
    campaign_of: Callable[..., UUID],
    store: Callable[..., UUID],
) -> None:
    place = f"/api/v1/campaigns/{campaign_of([store(seed=number) for number in range(2)])}/siblings"
    foreign = {"Authorization": f"Bearer {make_token('viewer', 'another organisation')}"}
    answer = client.get(place, headers=foreign)
    assert (answer.status_code, answer.json()["code"]) == (404, "subject-unknown")
    for asked in ({"phase": "8x"}, {"operation": "write"}):
        answer = client.get(place, params=asked, headers=viewer)
        assert (answer.status_code, answer.json()["code"]) == (422, "subjects-invalid"), asked


def test_drives_of_one_machine_are_units(
    client: TestClient, viewer: Header, campaign_of: Callable[..., UUID], store_drives: Callable[..., UUID]
) -> None:
    runs = [store_drives([400_000] * 4, seed=number) for number in range(2)]
    runs.append(store_drives([400_000, 400_000, 430_000, 400_000], seed=2))
    siblings = client.get(f"/api/v1/campaigns/{campaign_of(runs)}/siblings", headers=viewer).json()
    assert len(siblings["units"]) == 12
    assert [unit["name"] for unit in siblings["units"] if unit["effect"] == "worse"] == ["bench-02 /dev/sdc"]


def test_the_command_ends_with_1_where_a_unit_is_worse(
    server_address: str,
    make_token: Callable[..., str],
    campaign_of: Callable[..., UUID],
    fleet: list[UUID],
    tmp_path: Path,
) -> None:
    campaign_id, table = campaign_of(fleet), tmp_path / "units.csv"
    more = ["--server", server_address, "--token", make_token("viewer")]
    ended = CliRunner().invoke(COMMAND, ["siblings", str(campaign_id), "--csv", str(table), *more])
    assert ended.exit_code == 1, ended.output
    assert "drive.firmware: 1.1; 9 of 9 siblings have another, mostly 1.0" in ended.output
    assert table.read_text().startswith("unit,agent,device,run_id,")
    few = CliRunner().invoke(COMMAND, ["siblings", str(campaign_of(fleet[:3])), *more])
    assert few.exit_code == 3, few.output
    alike = CliRunner().invoke(COMMAND, ["siblings", str(campaign_of(fleet[:9])), "--json", *more])
    assert alike.exit_code == 0, alike.output
    assert json.loads(alike.output)["worse"] == 0
    missing = CliRunner().invoke(COMMAND, ["siblings", str(new_id()), *more])
    assert missing.exit_code == 2, missing.output


def test_the_load_of_a_mix_is_that_of_all_its_requests() -> None:
    rates = {"get": 1_278.0, "set": 322.0, "transaction": 1_600.0}
    operations = [_measured(name, rate) for name, rate in rates.items()]
    get, _, whole = (measured.measured(operations).conditions.drawn for measured in operations)
    assert get == DrawnLoad(1_600.0, 12_800.0)
    assert whole is None
    assert operations[0].measured().conditions.drawn is None
    unknown = [operations[0], _measured("set", None)]
    assert operations[0].measured(unknown).conditions.drawn is None


def _measured(operation: str, target_per_s: float | None) -> MeasuredOut:
    conditions: dict[str, Any] = {
        "tool": "agent",
        "tool_version": None,
        "operation": operation,
        "clock": "response",
        "closed_loop": False,
        "target_per_s": target_per_s,
        "parameters": {},
        "unknown": [],
        "fell_behind": None,
    }
    return MeasuredOut.model_validate(
        {
            "operation": operation,
            "clock": "response",
            "is_read": operation == "get",
            "samples": 1,
            "measured_ns": 8_000_000_000,
            "has_course": True,
            "in_flight_lower": None,
            "in_flight_upper": None,
            "conditions": conditions,
            "figures": [],
        }
    )
