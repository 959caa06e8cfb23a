"""Runs as tests of drives: private until published, gone when withdrawn, followed when facts are added."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import MOMENT, SeriesSpec, add_intervals, add_run, finish, look_at_run
from fastapi.testclient import TestClient
from sqlalchemy import delete
from sqlalchemy.orm import Session

from tailroom.catalogue.disclosure import DRIVE_MODEL
from tailroom.domain.units import NS_PER_HOUR
from tailroom.kit.db import Database
from tailroom.kit.transactions import same_transaction
from tailroom.ratings.sources.refresh import make_unrated_due, refresh_run
from tailroom.runs import publication
from tailroom.storage.run import Run
from tailroom.storage.work import WorkRow
from tailroom.work.kinds import RATE

PLAN = {
    "act_storage": {
        "path": "/dev/nvme0n1",
        "load_multiple": 3.0,
        "record_bytes": 1536,
        "over_provisioning": 0,
    }
}
HOST = {
    "hostname": "here",
    "block_devices": [{"name": "nvme0n1", "model": "Intel DC S3700", "size_bytes": 400_088_457_216}],
}
Get = Callable[..., Any]


def hours(count: int, slow_ratio: float, worst_ratio: float | None = None, reads: int = 20_000) -> list[Any]:
    """Latencies of hours: 200 µs, and a share of 2 ms; in the last hour another."""
    found = []
    for hour in range(count):
        ratio = worst_ratio if worst_ratio is not None and hour == count - 1 else slow_ratio
        latencies = np.full(reads, 200_000, np.int64)
        latencies[: round(ratio * latencies.size)] = 2_000_000
        found.append(latencies)
    return found


def stored(
    database: Database,
    organisation: str,
    latencies: list[Any],
    plan: dict[str, Any] | None = None,
    conditions: Sequence[Mapping[str, int | None]] = (),
    *,
    counters: dict[str, Any] | None = None,
    **host: Any,
) -> UUID:
    """A finished run of an agent, judged, and its tests."""
    specs = [
        SeriesSpec("read", latencies, clock=clock, interval_ns=NS_PER_HOUR, conditions=conditions)
        for clock in ("response", "service")
    ]
    with database.transaction() as session:
        run_id = add_run(session, specs, plan=PLAN if plan is None else plan, organisation=organisation)
        run = session.get_one(Run, run_id)
        run.host = {**HOST, **host}
        run.drive_counters = counters
        run.measured_duration_ns = len(latencies) * NS_PER_HOUR
        add_intervals(session, run_id, specs)
        finish(session, run_id, specs)
    look(database, run_id)
    return run_id


def look(database: Database, run_id: UUID) -> bool:
    """What a worker does."""
    with database.transaction() as session:
        look_at_run(session, run_id, MOMENT)
        session.execute(delete(WorkRow).where(WorkRow.subject == run_id, WorkRow.kind == RATE.name))
        return refresh_run(same_transaction(session), run_id)


def is_to_be_rated(session: Session, run_id: UUID) -> bool:
    make_unrated_due(session, MOMENT)
    return session.get(WorkRow, (run_id, RATE.name)) is not None


@pytest.fixture
def stranger(organisation: str) -> str:
    return f"{organisation} and somebody else"


def rows_of(get: Get, owner: str, **parameters: Any) -> list[dict[str, Any]]:
    """Rows of runs that an organisation sees, asked for until all tests are judged."""
    asked = {"generation": "6+", "equal": "false", "limit": 500} | parameters
    found = get("/leaderboard", owner, **asked)
    while found["tests_waiting"]:
        found = get("/leaderboard", owner, **asked)
    return list(found["rows"])


def test_a_private_run_is_seen_among_the_public_rows_by_its_owner_alone(
    database: Database, get: Get, organisation: str, stranger: str
) -> None:
    before = rows_of(get, stranger)
    run_id = stored(database, organisation, hours(24, 0.01))
    mine = [row for row in rows_of(get, organisation) if row["visibility"] == "private"]
    assert {row["metric_class"] for row in mine} == {"total", "device"}
    assert {row["drive"]["slug"] for row in mine} == {"intel-dc-s3700"}
    assert {row["capacity_bytes"] for row in mine} == {400_000_000_000}
    assert {tuple(row["evidence"]) for row in mine} == {("measured_24h",)}
    assert all(row["rating"]["passed_load"] == 3 for row in mine)
    assert rows_of(get, stranger) == before
    assert rows_of(get, organisation, scope="public") == before
    assert rows_of(get, organisation, run=str(run_id)) == mine
    assert rows_of(get, stranger, run=str(run_id)) == []
    tests = get("/drives/intel-dc-s3700", stranger)["tests"]
    assert str(run_id) not in {test["source"]["run_id"] for test in tests}
    own = get("/drives/intel-dc-s3700", organisation)
    found = [test for test in own["tests"] if test["source"]["run_id"] == str(run_id)]
    assert [test["visibility"] for test in found] == ["private", "private"]
    share = next(one for one in found[0]["exceedances"] if one["threshold_ns"] == 1_000_000)
    assert (share["over_count"], share["total_count"]) == (4_800, 480_000)
    assert share["lower_ratio"] == share["upper_ratio"] == 0.01


@pytest.mark.parametrize(
    ("late", "said"),
    [
        ((), ("FAIL", None)),
        ((0, 1), ("FAIL", None)),
        ((23,), ("INDETERMINATE", "generator")),
        (range(24), ("INDETERMINATE", "generator")),
    ],
)
def test_a_slice_in_doubt_pushes_no_drive_down(
    database: Database,
    get: Get,
    organisation: str,
    late: Sequence[int],
    said: tuple[str, str | None],
) -> None:
    """The last hour misses the limits; where its generator was late, nothing is known of the drive."""
    conditions = [{"lateness_p99_ns": 100_001 if hour in late else 0} for hour in range(24)]
    run_id = stored(database, organisation, hours(24, 0.01, 0.2), conditions=conditions)
    (row, _) = (row for row in rows_of(get, organisation) if row["visibility"] == "private")
    assert (row["rating"]["passed_load"], row["rating"]["failed_load"]) == (
        None,
        3 if said[0] == "FAIL" else None,
    )
    tests = get("/drives/intel-dc-s3700", organisation)["tests"]
    for test in (one for one in tests if one["source"]["run_id"] == str(run_id)):
        (judged,) = (one for one in test["verdicts"] if one["rule_set"] == "act-performance")
        assert (judged["verdict"], judged["reason"]) == said
        if said[1] is not None:
            assert f"{len(late)} of 24 slices" in judged["reason_text"]


OTHER_DRIVE = [{"name": "nvme0n1", "model": "Samsung 840 Pro", "size_bytes": 256_060_514_304}]


def test_a_drive_that_provably_misses_is_never_before_an_unknown_one(
    database: Database, get: Get, organisation: str
) -> None:
    late = [{"lateness_p99_ns": 1_000_000}] * 24
    stored(database, organisation, hours(24, 0.01, 0.2))
    stored(database, organisation, hours(24, 0.01, 0.2), conditions=late, block_devices=OTHER_DRIVE)
    rows = rows_of(get, organisation, scope="mine", metric="total")
    assert [row["drive"]["slug"] for row in rows] == ["samsung-840-pro", "intel-dc-s3700"]
    assert [row["rating"]["failed_load"] for row in rows] == [None, 3]
    assert [row["rank"] for row in rows] == [None, None]


def test_a_drive_that_passes_does_so_however_late_the_generator_was(
    database: Database, get: Get, organisation: str
) -> None:
    late = [{"lateness_p99_ns": 1_000_000}] * 24
    stored(database, organisation, hours(24, 0.01), conditions=late)
    mine = [row for row in rows_of(get, organisation) if row["visibility"] == "private"]
    assert [row["rating"]["passed_load"] for row in mine] == [3, 3]


def test_published_seen_by_all_and_withdrawn_at_once(
    database: Database, get: Get, organisation: str, stranger: str
) -> None:
    run_id = stored(database, organisation, hours(24, 0.01))
    before = len(rows_of(get, stranger))
    with database.transaction() as session:
        owner = session.get_one(Run, run_id).organisation_id
        publication.publish(session, owner, run_id, (), MOMENT)
    assert any(
        str(run_id) in test
        for row in rows_of(get, stranger)
        for cell in row["cells"]
        for test in cell["test_ids"]
    )
    assert len(rows_of(get, stranger)) >= before
    look(database, run_id)
    with database.transaction() as session:
        publication.retract(session, owner, run_id, "wrong drive", MOMENT)
    for one in (organisation, stranger):
        assert not any(
            str(run_id) in test
            for row in rows_of(get, one)
            for cell in row["cells"]
            for test in cell["test_ids"]
        )


def test_what_is_withdrawn_leaves_a_tombstone_without_figures(
    database: Database, get: Get, organisation: str, stranger: str
) -> None:
    run_id = stored(database, organisation, hours(24, 0.01))

    def told(owner: str, **parameters: Any) -> list[dict[str, Any]]:
        found = get("/leaderboard", owner, **parameters)["withdrawn"]
        return [one for one in found if one["run_id"] == str(run_id)]

    with database.transaction() as session:
        owner = session.get_one(Run, run_id).organisation_id
        publication.publish(session, owner, run_id, (), MOMENT)
    assert told(stranger) == []
    with database.transaction() as session:
        publication.retract(session, owner, run_id, "=wrong drive", MOMENT)
    (one,) = told(stranger)
    slug = one["drive"]["slug"]
    assert one == {
        "drive": {"slug": slug, "vendor": "Intel", "name": one["drive"]["name"]},
        "capacity_bytes": one["capacity_bytes"],
        "load": 3.0,
        "run_id": str(run_id),
        "publication_slug": None,
        "withdrawn_at": MOMENT.isoformat().replace("+00:00", "Z"),
        "reason": "=wrong drive",
    }
    look(database, run_id)
    assert told(stranger, vendor="Intel", search="s3700") == told(organisation) == [one]
    assert told(stranger, vendor="Samsung") == told(organisation, scope="mine") == []
    page = get(f"/drives/{slug}", stranger)
    assert one in page["withdrawn"]
    assert not any(test["source"]["run_id"] == str(run_id) for test in page["tests"])
    lines = list(csv.DictReader(io.StringIO(get("/leaderboard.csv", stranger, search="s3700"))))
    (line,) = [row for row in lines if row["withdrawal_reason"] == "'=wrong drive"]
    assert {name: value for name, value in line.items() if value} == {
        "drive_slug": slug,
        "vendor": "Intel",
        "drive": one["drive"]["name"],
        "capacity_bytes": str(one["capacity_bytes"]),
        "visibility": "retracted",
        "withdrawn_load": "3.0",
        "withdrawn_at": MOMENT.isoformat(),
        "withdrawal_reason": "'=wrong drive",
    }
    with database.transaction() as session:
        publication.publish(session, owner, run_id, (), MOMENT)
    assert told(stranger) == []


def test_what_is_disclosed_changes_the_test_and_looking_again_does_not(
    database: Database, get: Get, organisation: str
) -> None:
    plan = {"act_storage": {"path": "/data/file", "load_multiple": 6.0, "record_bytes": 1536}}
    run_id = stored(database, organisation, hours(24, 0.01), plan)
    with database.transaction() as session:
        owner = session.get_one(Run, run_id).organisation_id
        assert not is_to_be_rated(session, run_id)
    assert rows_of(get, organisation, scope="mine") == []
    answers = {DRIVE_MODEL: "Samsung PM983", "plan.act_storage.over_provisioning": "20 %"}
    with database.transaction() as session:
        publication.answer(session, owner, run_id, answers, MOMENT)
    with database.transaction() as session:
        assert is_to_be_rated(session, run_id)
    assert look(database, run_id)
    assert not look(database, run_id)
    rows = rows_of(get, organisation, scope="mine")
    assert {row["drive"]["slug"] for row in rows} == {"samsung-pm983"}
    assert {row["over_provisioning"]["class"] for row in rows} == {"over_provisioned"}
    assert {row["over_provisioning"]["usable_ratio"] for row in rows} == {0.8}


def test_one_bad_hour_fails_the_day_and_a_short_run_is_not_ranked(
    database: Database, get: Get, organisation: str
) -> None:
    stored(database, organisation, hours(24, 0.001, worst_ratio=0.06))
    rows = rows_of(get, organisation, scope="mine")
    assert all(row["rating"]["failed_load"] == 3 for row in rows)
    assert all(row["cells"][0]["basis"] == "every_hour" for row in rows)
    whole = rows_of(get, organisation, scope="mine", rule_set="act-limits")
    assert all(row["rating"]["passed_load"] == 3 for row in whole)
    short = f"{organisation}, short"
    stored(database, short, hours(2, 0.001))
    row = rows_of(get, short, scope="mine")[0]
    assert row["cells"][0]["state"] == "undecided"
    assert "needs 22 h more" in row["cells"][0]["reason"]
    assert row["rank"] is None
    own = rows_of(get, short, scope="mine", limits="1000000:0.01")[0]
    assert own["rating"]["passed_load"] == 3
    assert own["unranked_reason"] == "not comparable because a test lasted less than 24 h"


def test_a_run_that_does_not_disclose_what_it_must_is_not_ranked(
    database: Database, get: Get, organisation: str
) -> None:
    stored(database, organisation, hours(24, 0.001))
    for row in rows_of(get, organisation, scope="mine"):
        assert row["rating"]["passed_load"] == 3
        assert row["rank"] is None
        assert "does not disclose" in row["unranked_reason"]


def test_transactions_are_judged_on_the_record_of_the_run(
    database: Database, get: Get, organisation: str
) -> None:
    stored(database, organisation, hours(24, 0.01, reads=60_000))
    for budget, key in (("fraud-250-sequential", "passed_load"), (None, "failed_load")):
        asked = {"budget": budget} if budget else {"reads": 250, "window_ns": 40_000_000}
        rows = rows_of(get, organisation, scope="mine", **asked)
        assert rows
        assert all(row["rating"][key] == 3 for row in rows), (budget, rows)


def test_a_run_is_judged_alike_on_every_page(
    database: Database, get: Get, client: TestClient, make_token: Callable[..., str], organisation: str
) -> None:
    """By rule sets that are stored and by questions of one's own; the run's page has one of the clocks."""
    run_id = stored(database, organisation, hours(24, 0.0499, reads=2_000))
    headers = {"Authorization": f"Bearer {make_token('engineer', organisation)}"}
    said = ("verdict", "strength", "words", "observed", "proven")
    seen = set()
    for asked in (
        {"rule_set": "act-limits"},
        {"rule_set": "act-performance"},
        {"limits": "1000000:0.05,8000000:0.01"},
        {"reads": 250, "window_ns": 100_000_000, "objective_ratio": 0.9},
    ):
        parameters = {"generation": "6+", "equal": "false", "limit": 500, "scope": "mine"} | asked
        page = get("/leaderboard", organisation, **parameters)
        while page["tests_waiting"]:
            page = get("/leaderboard", organisation, **parameters)
        question = page["question"]
        budget = {"document": question["document"]} if question else {"name": asked["rule_set"]}
        for row in page["rows"]:
            clock = {"total": "response", "device": "service"}[row["metric_class"]]
            body = {"subject": {"run_id": str(run_id), "clock": clock}, "budget": budget}
            answer = client.post("/api/v1/sla/evaluate", json=body, headers=headers).json()
            cell = {name: row["cells"][0][name] for name in said}
            assert cell == {name: answer[name] for name in said}
            seen.add(cell["words"])
    assert {"PASS in this run", "PASS, proven"} & seen
    verdicts = get(f"/runs/{run_id}", organisation)["verdicts"]
    (stored_verdict,) = (one for one in verdicts if one["budget"]["name"] == "act-limits")
    tests = get("/drives/intel-dc-s3700", organisation, rule_set="act-limits")["tests"]
    shown = next(one for one in tests if one["test_id"] == f"{run_id}:read:response")["verdicts"]
    (verdict,) = (one for one in shown if one["rule_set"] == "act-limits")
    assert {name: verdict[name] for name in said} == {name: stored_verdict[name] for name in said}


def test_runs_of_unknown_drives_and_files_say_nothing(
    database: Database, get: Get, organisation: str
) -> None:
    stored(
        database, organisation, hours(1, 0.0), block_devices=[{"name": "nvme0n1", "model": "No Such 9000"}]
    )
    stored(database, organisation, hours(1, 0.0), {"act_storage": {"path": "/data/f", "load_multiple": 1.0}})
    stored(database, organisation, hours(1, 0.0), {"act_storage": {"path": "/dev/sdb", "load_multiple": 1.0}})
    assert rows_of(get, organisation, scope="mine") == []


def test_a_run_that_is_not_ranked_says_why(
    database: Database, get: Get, organisation: str, stranger: str
) -> None:
    unknown = [{"name": "nvme0n1", "model": "No Such 9000"}]
    for plan, devices, reason in (
        (PLAN, unknown, "the catalogue has no drive “No Such 9000”"),
        ({"act_storage": {"path": "/data/f", "load_multiple": 1.0}}, OTHER_DRIVE, "the model of its drive"),
        ({"act_storage": {"path": "/dev/nvme0n1", "model": "index"}}, OTHER_DRIVE, "more than the multiple"),
    ):
        run_id = stored(database, organisation, hours(1, 0.0), plan, block_devices=devices)
        asked = {"run": str(run_id), "equal": "false"}
        assert reason in get("/leaderboard", organisation, **asked)["run_not_rated"]
        assert get("/leaderboard", stranger, **asked)["run_not_rated"] is None
    with database.transaction() as session:
        session.get_one(Run, run_id).workload = "fio"
    assert "this is a run of fio;" in get("/leaderboard", organisation, **asked)["run_not_rated"]
    assert get("/leaderboard", organisation)["run_not_rated"] is None


@pytest.mark.parametrize(
    "other",
    [
        {"model": "index"},
        {"engine": "null"},
        {"read_only": True},
        {"direct_io": False},
        {"replication_factor": 2},
        {"tomb_raider": True},
    ],
)
def test_what_is_no_multiple_of_the_load_rates_no_drive(
    database: Database, get: Get, organisation: str, other: dict[str, Any]
) -> None:
    stored(database, organisation, hours(1, 0.0), {"act_storage": {**PLAN["act_storage"], **other}})
    assert rows_of(get, organisation, scope="mine") == []
    stored(database, organisation, hours(1, 0.0), {"act_storage": {**PLAN["act_storage"], "engine": "sync"}})
    assert rows_of(get, organisation, scope="mine") != []


def test_the_probes_of_a_published_search_say_what_a_drive_holds(
    database: Database, get: Get, organisation: str, stranger: str
) -> None:
    """Each probe is held against the reader's own question; no figure of the search is taken over."""
    limits, probes = "1000000:0.05", []
    for step, (load, slow_ratio) in enumerate([(3.0, 0.01), (6.0, 0.4), (3.2, 0.03), (3.4, 0.2)], 1):
        ladder = {
            "id": "a search",
            "step": step,
            "kind": "probe",
            "load_per_s": 2_000 * load,
            "objective": "p95 read < 1ms",
        }
        plan = {"act_storage": {**PLAN["act_storage"], "load_multiple": load}, "ladder": ladder}
        probes.append(stored(database, organisation, hours(1, slow_ratio), plan))
    private = rows_of(get, organisation, scope="mine", metric="total", limits=limits)
    assert [(row["rating"]["passed_load"], row["rating"]["failed_load"]) for row in private] == [(3.2, 3.4)]

    def published() -> list[tuple[float, float]]:
        rows = rows_of(get, stranger, metric="total", limits=limits)
        own = [
            row
            for row in rows
            if any(str(probes[0]) in test for cell in row["cells"] for test in cell["test_ids"])
        ]
        return [(row["rating"]["passed_load"], row["rating"]["failed_load"]) for row in own]

    assert published() == []
    with database.transaction() as session:
        owner = session.get_one(Run, probes[0]).organisation_id
        for run_id in probes:
            publication.publish(session, owner, run_id, (), MOMENT)
    assert published() == [(3.2, 3.4)]
    with database.transaction() as session:
        for run_id in probes:
            publication.retract(session, owner, run_id, "only a test", MOMENT)
    assert published() == []
