"""Chains of linked runs: proposed, confirmed, read, and nobody else's."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import MOMENT, organisation_of
from fastapi.testclient import TestClient
from sqlalchemy import select, text

from tailroom.kit import limits
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.transactions import transactions_of
from tailroom.storage.chain import Chain, ChainHop

Header = dict[str, str]
HOST = {"hostname": "bench-01"}


@pytest.fixture
def pair(store: Callable[..., UUID]) -> tuple[UUID, UUID]:
    """A drive and a database of one host at one time."""
    drive = store(100_000, host=HOST, workload="act-storage")
    return drive, store(400_000, seed=2, host=HOST, workload="fraud")


def body(*runs: UUID, title: str = "bench") -> dict[str, Any]:
    layers = ("device", "database", "network")
    hops = [{"layer": layer, "run_id": str(one)} for layer, one in zip(layers, runs, strict=False)]
    return {"title": title, "hops": hops}


def test_each_hop_is_shown_on_one_axis(client: TestClient, engineer: Header, pair: tuple[UUID, UUID]) -> None:
    made = client.post("/api/v1/chains", json=body(*pair), headers=engineer)
    assert made.status_code == 201, made.text
    assert made.json()["confirmed_by"] == "person"
    place = f"/api/v1/chains/{made.json()['chain_id']}"
    found = client.get(place, headers=engineer).json()
    assert [one["layer"] for one in found["hops"]] == ["device", "database"]
    assert found["sentence"].startswith("At p99 the whole takes ")
    assert ": the database adds " in found["sentence"]
    assert found["warning"].startswith("Percentiles do not add")
    inner, outer = ({p["quantile"]: p for p in one["curve"]} for one in found["hops"])
    assert found["hops"][0]["added"] == []
    for at in found["hops"][1]["added"]:
        low, high = inner[at["quantile"]], outer[at["quantile"]]
        assert at["lower_ns"] == high["lower_ns"] - low["upper_ns"]
        assert at["upper_ns"] == high["upper_ns"] - low["lower_ns"]
        assert 0 <= at["least_ns"] <= at["upper_ns"] <= at["most_ns"]
    (listed,) = client.get("/api/v1/chains", headers=engineer).json()["chains"]
    assert [one["run_id"] for one in listed["runs"]] == [str(one) for one in pair]
    assert client.delete(place, headers=engineer).status_code == 204
    assert client.get(place, headers=engineer).status_code == 404


def test_runs_of_one_host_and_time_are_proposed(
    client: TestClient, engineer: Header, pair: tuple[UUID, UUID], store: Callable[..., UUID]
) -> None:
    store(seed=3, host={"hostname": "elsewhere"}, workload="fraud")
    asked = {"run": str(pair[0])}
    found = client.get("/api/v1/chain-proposal", params=asked, headers=engineer).json()
    assert found["complete"]
    assert [(one["layer"], one["run_id"], one["reasons"]) for one in found["runs"]] == [
        ("device", str(pair[0]), ["this run"]),
        ("database", str(pair[1]), ["same host", "same time"]),
    ]
    alone = store(seed=4, host={"hostname": "nowhere"})
    assert not client.get("/api/v1/chain-proposal", params={"run": str(alone)}, headers=engineer).json()[
        "complete"
    ]


def test_runs_of_one_campaign_are_confirmed_by_it(
    client: TestClient, engineer: Header, store: Callable[..., UUID]
) -> None:
    campaign = {"campaign": {"id": str(new_id())}}
    runs = store(plan=campaign), store(900_000, seed=2, plan=campaign, workload="fraud")
    made = client.post("/api/v1/chains", json=body(*runs), headers=engineer).json()
    assert made["confirmed_by"] == "campaign"


def test_what_cannot_be_linked_is_named(
    client: TestClient, engineer: Header, pair: tuple[UUID, UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(document: dict[str, Any], status: int) -> str:
        answer = client.post("/api/v1/chains", json=document, headers=engineer)
        assert answer.status_code == status, answer.text
        return str(answer.json()["detail"])

    assert "once" in refused(body(pair[0], pair[0]), 422)
    assert "There is no run" in refused(body(pair[0], new_id()), 404)
    assert refused({"title": "x", "hops": []}, 422)
    monkeypatch.setattr("tailroom.comparison.chains.CHAINS", 0)
    assert "Remove one first" in refused(body(*pair), 409)
    assert limits.CHAINS > 0


def test_an_inner_run_that_is_slower_is_said(
    client: TestClient, engineer: Header, pair: tuple[UUID, UUID]
) -> None:
    made = client.post("/api/v1/chains", json=body(pair[1], pair[0]), headers=engineer).json()
    found = client.get(f"/api/v1/chains/{made['chain_id']}", headers=engineer).json()
    assert "faster than the hop inside it" in found["sentence"]
    assert any("do not time the same operations" in one for one in found["notes"])


def test_chains_are_their_owners_alone(  # noqa: PLR0917 - fixtures
    client: TestClient,
    engineer: Header,
    pair: tuple[UUID, UUID],
    make_token: Callable[..., str],
    database: Database,
    organisation: str,
) -> None:
    made = client.post("/api/v1/chains", json=body(*pair), headers=engineer).json()
    other = f"not {organisation}"
    stranger = {"Authorization": f"Bearer {make_token('engineer', other)}"}
    place = f"/api/v1/chains/{made['chain_id']}"
    assert client.get(place, headers=stranger).status_code == 404
    assert client.delete(place, headers=stranger).status_code == 404
    assert client.get("/api/v1/chains", headers=stranger).json() == {"chains": []}
    asked = client.get("/api/v1/chain-proposal", params={"run": str(pair[0])}, headers=stranger)
    assert asked.status_code == 404
    # Row-level security alone, without any condition in the statement.
    with database.transaction() as session:
        owner, theirs = organisation_of(session, organisation), organisation_of(session, other)
    for asking, count in ((owner, 2), (theirs, 0)):
        with transactions_of(database, asking)() as session:
            hops = session.scalars(select(ChainHop).where(ChainHop.chain_id == UUID(made["chain_id"]))).all()
            assert len(hops) == count
            assert len(session.scalars(select(Chain)).all()) == (1 if count else 0)


def test_a_deleted_run_leaves_its_chain(
    client: TestClient, engineer: Header, pair: tuple[UUID, UUID], database: Database
) -> None:
    made = client.post("/api/v1/chains", json=body(*pair), headers=engineer).json()
    with database.transaction() as session:
        session.execute(text("DELETE FROM run WHERE run_id = :run_id"), {"run_id": pair[1]})
    found = client.get(f"/api/v1/chains/{made['chain_id']}", headers=engineer).json()
    assert found["sentence"] == "Nothing is linked any more: add another run."


def test_a_run_of_another_time_is_not_proposed(
    client: TestClient, engineer: Header, store: Callable[..., UUID], database: Database
) -> None:
    first, later = store(host=HOST), store(seed=2, host=HOST, workload="fraud")
    with database.transaction() as session:
        session.execute(
            text("UPDATE run SET started_at_unix_ns = started_at_unix_ns + :day WHERE run_id = :run_id"),
            {"run_id": later, "day": int(timedelta(days=1).total_seconds() * 1e9)},
        )
    found = client.get("/api/v1/chain-proposal", params={"run": str(first)}, headers=engineer).json()
    assert not found["complete"]
    assert MOMENT
