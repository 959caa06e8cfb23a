"""Drives, phases of campaigns, several drives in one server, and what changed between two runs."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import MOMENT, organisation_of
from backend.tests.comparison.test_endpoints import asked
from fastapi.testclient import TestClient

from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.storage.campaign import ENDED, Campaign

Header = dict[str, str]
BETTER, WORSE = "drive:samsung-830", "drive:ocz-vertex-4"


@pytest.mark.usefixtures("reference")
def test_drives_are_compared_by_tests_that_go_together(client: TestClient, viewer: Header) -> None:
    found = asked(client, viewer, WORSE, BETTER)
    assert found["answer"] == (
        "Which drive holds more load is not shown: OCZ Vertex 4 256 GB fails 3x;"
        " Samsung 830 256 GB is proven at no load."
    )
    (pair,) = found["pairs"]
    assert pair["comparable"], pair["reasons"]
    assert found["load"] == max(found["loads"])
    assert [one["load_multiple"] for one in found["subjects"]] == [found["load"]] * 2
    assert [(one["holds_load"], one["fails_load"]) for one in found["subjects"]] == [(None, 3), (None, None)]
    lowest = asked(client, viewer, WORSE, BETTER, load=str(found["loads"][0]))
    assert lowest["load"] == found["loads"][0]


@pytest.mark.usefixtures("reference")
def test_of_three_drives_the_reason_is_said(client: TestClient, viewer: Header) -> None:
    drives = [f"drive:{slug}" for slug in ("intel-dc-p4800x", "micron-9200-max", "intel-dc-p4610")]
    comparison = asked(client, viewer, *drives)
    assert comparison["answer"] == (
        "Which of 3 drives holds the most load is not shown: no test of them failed."
    )
    assert [pair["changes"] for pair in comparison["pairs"]] == [
        ["Test Micron 9200 MAX 1.6 TB at 145x."],
        ["Test Intel DC P4610 1.6 TB at 145x."],
    ]


@pytest.mark.usefixtures("reference")
def test_drives_under_other_conditions_are_not_compared(client: TestClient, viewer: Header) -> None:
    found = asked(client, viewer, BETTER, "drive:amazon-r3-large")
    (pair,) = found["pairs"]
    assert found["answer"].startswith("Which drive holds more load is not shown: they were tested under")
    assert pair["verdict"] == "not-comparable"
    assert len(pair["changes"]) == len(pair["reasons"]) >= 2
    assert not any(one["significant"] for one in pair["gains"])


@pytest.mark.usefixtures("reference")
@pytest.mark.parametrize(
    ("subjects", "more", "status", "said"),
    [
        ((BETTER, "drive:nobody"), {}, 404, "no drive “nobody”"),
        ((BETTER, WORSE), {"load": "9000"}, 422, "Not all of these drives were tested at 9000x"),
        ((BETTER, f"campaign:{UUID(int=7)}"), {}, 404, "There is no campaign"),
        ((BETTER, "campaign:x"), {}, 422, "write campaign:ID"),
        ((BETTER, WORSE), {"per_drive": "true"}, 422, "does not say on how many drives"),
    ],
)
def test_what_is_not_there_is_named(  # noqa: PLR0917 - fixtures and parameters
    client: TestClient,
    viewer: Header,
    subjects: tuple[str, ...],
    more: dict[str, str],
    status: int,
    said: str,
) -> None:
    assert said in asked(client, viewer, *subjects, status=status, **more)["detail"]


def test_a_test_of_a_drive_at_another_load_does_not_compare(client: TestClient, viewer: Header) -> None:
    rows = client.get("/api/v1/comparisons/published", headers=viewer).json()["subjects"]
    of_load = {
        load: next(
            one["subject"] for one in rows if one["of_drive"] and f" · ACT {load} · over" in one["label"]
        )
        for load in ("3x", "6x")
    }
    (pair,) = asked(client, viewer, *of_load.values())["pairs"]
    assert any(reason.startswith("load multiple differs") for reason in pair["reasons"])


def _campaign(database: Database, organisation: str, title: str, runs: dict[str, UUID]) -> UUID:
    campaign_id = new_id()
    with database.transaction() as session:
        session.add(
            Campaign(
                organisation_id=organisation_of(session, organisation),
                campaign_id=campaign_id,
                title=title,
                plan="",
                target="redis://bench",
                seed=1,
                on_lost="end",
                state=ENDED,
                outcome="completed",
                created_at=MOMENT,
                phases=[
                    {"name": name, "kind": "measure", "run_id": str(run_id)} for name, run_id in runs.items()
                ],
            )
        )
    return campaign_id


def test_campaigns_are_compared_phase_by_phase(
    client: TestClient, viewer: Header, store: Callable[..., UUID], database: Database, organisation: str
) -> None:
    first = _campaign(database, organisation, "monday", {"a": store(), "b": store(seed=2)})
    second = _campaign(database, organisation, "tuesday", {"b": store(1_200_000, seed=3), "c": store(seed=4)})
    names = [f"campaign:{one}" for one in (first, second)]
    found = asked(client, viewer, *names)
    assert (found["phase"], found["phases"]) == ("b", ["b"])
    assert [one["label"] for one in found["subjects"]] == ["monday: b", "tuesday: b"]
    assert found["pairs"][0]["verdict"] == "regression"
    assert "Phases of all: b." in asked(client, viewer, *names, phase="a", status=422)["detail"]
    # A phase beside a plain run: the campaign alone decides which phases there are.
    assert asked(client, viewer, names[0], store(seed=5))["phases"] == ["a", "b"]


def test_campaigns_of_others_are_not_there(
    client: TestClient,
    make_token: Callable[..., str],
    store: Callable[..., UUID],
    database: Database,
    organisation: str,
) -> None:
    ours = _campaign(database, organisation, "ours", {"a": store()})
    stranger = {"Authorization": f"Bearer {make_token('viewer', f'not {organisation}')}"}
    refused = asked(client, stranger, f"campaign:{ours}", f"campaign:{UUID(int=8)}", status=404)
    assert refused["code"] == "subject-unknown"


def _of_drives(count: int) -> dict[str, Any]:
    further = [f"/dev/nvme{number}n1" for number in range(1, count)]
    return {"act_storage": {"load_multiple": 1.0, "path": "/dev/nvme0n1", "further_paths": further}}


def test_several_drives_of_one_server_are_compared_by_drive(
    client: TestClient, viewer: Header, store: Callable[..., UUID]
) -> None:
    one = store(plan=_of_drives(1), workload="act-storage")
    four = store(plan=_of_drives(4), workload="act-storage", seed=2, reads=2_000)
    found = asked(client, viewer, one, four, per_drive="true")
    assert [subject["drives"] for subject in found["subjects"]] == [1, 4]
    gain = next(one for one in found["pairs"][0]["gains"] if one["quantity"] == "throughput_ops_per_s")
    assert gain["new"] == pytest.approx(gain["base"]) == pytest.approx(50.0)
    assert found["answer"].startswith(
        "With 4 drives instead of 1 drive: operations of each drive 1.00 ×, p99"
    )
    whole = asked(client, viewer, one, four)
    assert whole["answer"] is None
    assert any(reason.startswith("The loads differ: 50 and 200") for reason in whole["pairs"][0]["reasons"])


def test_what_changed_between_two_runs_is_named(
    client: TestClient, viewer: Header, store: Callable[..., UUID]
) -> None:
    before = store(host={"hostname": "bench", "kernel": "6.1"})
    after = store(1_200_000, seed=2, host={"hostname": "bench", "kernel": "6.8"})
    (pair,) = asked(client, viewer, before, after)["pairs"]
    assert pair["changes_text"] == "One fact changed: host.kernel, 6.1 → 6.8."
    assert pair["facts_changed"] == [{"name": "host.kernel", "before": "6.1", "after": "6.8"}]


def test_operations_in_flight_follow_from_rate_and_mean(
    client: TestClient, viewer: Header, store: Callable[..., UUID]
) -> None:
    found = asked(client, viewer, store(), store(seed=2))
    for one, side in zip(found["subjects"], ("base", "new"), strict=True):
        gains = {gain["quantity"]: gain for gain in found["pairs"][0]["gains"]}
        rate, mean = gains["throughput_ops_per_s"], gains["latency_mean_ns"]
        assert one["in_flight_lower"] == pytest.approx(rate[f"{side}_lower"] * mean[f"{side}_lower"] / 1e9)


def test_closed_loops_with_unequally_many_in_flight_are_not_compared(
    client: TestClient, viewer: Header
) -> None:
    rows = [f"publication:kioxia-cd8p-ycsb-2025#test1-r{row}" for row in (1, 2, 3, 4, 5)]
    comparable = []
    for row in rows:
        (pair,) = asked(client, viewer, f"{row}/CD6-R", f"{row}/CD8P-R", operation="read")["pairs"]
        comparable.append(pair["comparable"])
        assert pair["comparable"] or pair["reasons"][0].startswith("Operations in flight differ: ")
    # The rate is of all operations and nobody prints their shares, so of mixtures only bounds are known: of B
    # 183 to 243 and 110 to 193, of D 203 to 243 and 73 to 115. C has reads alone: 240 and 186.
    assert comparable == [True, True, False, False, True]
