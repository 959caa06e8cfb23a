"""What can be asked: filters, orders, pages, own SLAs, tables, tags; and what is refused, by its name."""

import csv
import io
from collections.abc import Callable
from itertools import count
from types import SimpleNamespace

import pytest
from backend.tests.ratings.conftest import Ask
from fastapi.testclient import TestClient
from sqlalchemy import delete, event

from tailroom.kit.db import Database
from tailroom.ratings import judgements
from tailroom.ratings.drive_page_schemas import ComparabilityOut, DrivePageOut
from tailroom.ratings.schemas import LeaderboardOut
from tailroom.storage.drive_test import PUBLIC_SCOPE, DriveTest, count_change

ALL = {"scope": "public", "equal": "false", "limit": 500}


@pytest.fixture(scope="module", autouse=True)
def publications_alone(database: Database) -> None:
    """Tests of runs that other modules published in this database are gone."""
    with database.transaction() as session:
        session.execute(delete(DriveTest).where(DriveTest.run_id.is_not(None)))
        count_change(session, PUBLIC_SCOPE)


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"vendors": "Intel"}, "vendors"),
        ({"vendor": "Nobody"}, "vendor"),
        ({"interface": "carrier pigeon"}, "interface"),
        ({"form_factor": "X.9"}, "form_factor"),
        ({"drive": "no-such-drive"}, "drive"),
        ({"op": "some"}, "op.0"),
        ({"metric": "both"}, "metric.0"),
        ({"generation": "7"}, "generation.0"),
        ({"evidence": "rumour"}, "evidence.0"),
        ({"sort": "beauty"}, "sort"),
        ({"limit": "0"}, "limit"),
        ({"scope": "theirs"}, "scope"),
        ({"rule_set": "act-stress"}, "rule_set"),
        ({"limits": "1ms:5%"}, "limits"),
        ({"limits": "1000000:0.05,1000000:0.01"}, "limits"),
        ({"limits": "1000000:1.5"}, "limits"),
        ({"limits": "1000000:0.05", "reads": "250"}, "reads"),
        ({"budget": "m2g2"}, "budget"),
        ({"window_ns": "1000000000"}, "reads"),
        ({"reads": "250", "scheduling": "pool"}, "fan_out"),
        ({"reads": "250", "reserve_ns": "2000000000"}, "reads"),
        ({"objective_ratio": "1"}, "objective_ratio"),
    ],
)
def test_a_parameter_that_means_nothing_is_named(ask: Ask, parameters: dict[str, str], named: str) -> None:
    body = ask("/leaderboard", 422, **parameters)
    assert body["problems"][0]["field"] == named
    ask("/leaderboard.csv", 422, **parameters)


@pytest.mark.parametrize("cursor", ["x", "AAAA", "W10=", "WyJyYXRpbmciLCAxXQ==", "eyJhIjogMX0=", "bnVsbA=="])
def test_a_cursor_of_nobody_is_refused(ask: Ask, cursor: str) -> None:
    assert ask("/leaderboard", 422, cursor=cursor)["code"] == "cursor-unreadable"


def test_a_cursor_of_another_order_is_refused(ask: Ask) -> None:
    cursor = ask("/leaderboard", limit=1, equal="false")["next_cursor"]
    assert ask("/leaderboard", 422, cursor=cursor, sort="capacity")["code"] == "cursor-unreadable"


def test_unknown_names_of_things(ask: Ask) -> None:
    assert ask("/leaderboard", 404, rule_set="no-such-rules")["code"] == "budget-unknown"
    assert ask("/drives/no-such-drive", 404)["code"] == "drive-unknown"
    assert ask("/drives/no-such-drive/badge.svg", 404)["code"] == "drive-unknown"
    assert ask("/comparability", 404, test=["a", "b"])["code"] == "test-unknown"
    assert ask("/comparability", 422, test=["a"])["code"] == "request-invalid"


@pytest.mark.parametrize(
    "sort",
    [
        sign + name
        for name in (
            *("rating", "drive", "capacity", "dwpd", "power", "price", "price_per_ktps"),
            *("watts_per_ktps", "exceedance"),
        )
        for sign in ("", "-")
    ][::3],
)
def test_pages_together_are_the_whole_in_one_order(ask: Ask, sort: str) -> None:
    whole = ask("/leaderboard", sort=sort, **ALL)
    ids = [row["row_id"] for row in whole["rows"]]
    assert len(ids) == len(set(ids)) == whole["total"]
    assert len(ids) > 40
    paged: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = ask("/leaderboard", sort=sort, **(ALL | {"limit": 20}), **cursor)
        paged += [row["row_id"] for row in page["rows"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert paged == ids


def test_what_is_not_known_comes_last_whichever_way(ask: Ask) -> None:
    for sort in ("dwpd", "-dwpd"):
        values = [row["dwpd"] for row in ask("/leaderboard", sort=sort, **ALL)["rows"]]
        known = [value for value in values if value is not None]
        assert known
        assert values[: len(known)] == sorted(known, reverse=sort.startswith("-"))


def test_filters_leave_what_they_say_and_ranks_do_not_change(ask: Ask) -> None:
    whole = {row["row_id"]: row for row in ask("/leaderboard", **ALL)["rows"]}
    some = ask("/leaderboard", vendor=["Intel", "Samsung"], capacity_min_bytes=200_000_000_000, **ALL)
    assert 0 < some["total"] < len(whole)
    for row in some["rows"]:
        assert row["drive"]["vendor"] in {"Intel", "Samsung"}
        assert row["capacity_bytes"] >= 200_000_000_000
        assert row["rank"] == whole[row["row_id"]]["rank"]
    intel = next(one for one in some["facets"]["vendor"] if one["value"] == "Intel")
    assert (
        ask("/leaderboard", vendor="Intel", capacity_min_bytes=200_000_000_000, **ALL)["total"]
        == intel["count"]
    )
    assert ask("/leaderboard", search="s3700 intel", **ALL)["total"] > 0
    assert ask("/leaderboard", search="nothing like it", **ALL)["rows"] == []
    assert ask("/leaderboard", price_max=1, **ALL)["total"] == 0
    assert ask("/leaderboard", scope="mine")["total_unfiltered"] == 0


def test_own_thresholds_judge_again(ask: Ask) -> None:
    strict = ask("/leaderboard", limits="1000000:0.001", metric="unstated", generation="2-5", **ALL)
    held = {row["drive"]["slug"] for row in strict["rows"] if row["rating"]["passed_load"]}
    assert held == {"samsung-pm983"} | ({"intel-dc-p4800x"} & held)
    assert strict["question"]["kind"] == "thresholds"
    assert strict["question"]["limits"] == [{"threshold_ns": 1_000_000, "limit_ratio": 0.001}]
    between = ask("/leaderboard", limits="4000000:0.001", metric="unstated", generation="2-5", **ALL)
    cell = next(c for row in between["rows"] for c in row["cells"] if c["state"] == "undecided")
    assert "buckets too coarse at 4 ms" in cell["reason"]
    assert (cell["strength"], cell["words"]) == (None, "Undecided: buckets too coarse")
    assert ask("/leaderboard", **ALL)["question"] is None


def test_transactions_are_decided_only_where_the_shares_decide_them(ask: Ask) -> None:
    body = ask("/leaderboard", budget="fraud-250-sequential", **ALL)
    cells = [cell for row in body["rows"] for cell in row["cells"] if cell["test_ids"]]
    states = {
        state: sum(cell["state"] == state for cell in cells) for state in ("passed", "failed", "undecided")
    }
    assert states["undecided"] > 100
    assert states["passed"] == 0
    undecided = [cell for cell in cells if cell["state"] == "undecided"]
    assert all("the published figures allow" in cell["reason"] for cell in undecided)
    worst = next(
        row
        for row in body["rows"]
        if row["drive"]["slug"] == "samsung-840" and row["metric_class"] == "total"
    )
    assert worst["rating"]["failed_load"] == 3
    single = ask(
        "/leaderboard", reads=1, window_ns=64_000_000, objective_ratio=0.99, metric="unstated", **ALL
    )
    assert any(row["rating"]["passed_load"] for row in single["rows"])
    assert single["question"]["document"]["kind"] == "transaction"


NESTED = {
    *("drive", "rating", "rank", "cells", "exceedance_at_common", "price", "counters", "over_provisioning"),
    *("firmware", "price_per_ktps", "price_per_thousand_transactions"),
}
"""Fields of a row that are columns of their own, by other names; the firmware is among `firmwares`."""
LISTS = {"evidence", "marks", "firmwares", "tested_by", "standing"}


def test_the_table_is_what_is_shown(client: TestClient, make_token: Callable[..., str], ask: Ask) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    parameters = {"vendor": "Intel", "sort": "-capacity", "equal": "false", "limit": "5"}
    shown = ask("/leaderboard", **parameters)
    answer = client.get("/api/v1/leaderboard.csv", params=parameters, headers=headers)
    # What is withdrawn stands behind them, as a row of none.
    rows = [row for row in csv.DictReader(io.StringIO(answer.text)) if row["row_id"]]
    assert answer.headers["content-type"].startswith("text/csv")
    assert [row["row_id"] for row in rows] == [row["row_id"] for row in shown["rows"]]
    for row, other in zip(rows, shown["rows"], strict=True):
        assert row["passed_load"] == (
            "" if other["rating"]["passed_load"] is None else str(other["rating"]["passed_load"])
        )
        assert set(other) - NESTED <= set(row)
        for name in set(other) - NESTED - LISTS:
            assert row[name] == ("" if other[name] is None else str(other[name]))
        for cell in other["cells"]:
            assert row[f"{cell['load']:g}x state"] == cell["state"]
            for share in cell["exceedances"]:
                at = f"{share['threshold_ns'] // 1_000_000} ms"
                assert float(row[f"{cell['load']:g}x share at or over {at} upper"]) == share["upper_ratio"]


def test_the_same_answer_is_not_sent_twice(
    client: TestClient, make_token: Callable[..., str], reference: None
) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    for path in (
        "/leaderboard",
        "/leaderboard.csv",
        "/drives/intel-dc-s3700",
        "/drives/intel-dc-s3700/badge.svg",
    ):
        first = client.get(f"/api/v1{path}", headers=headers)
        assert first.status_code == 200
        # What travels packed has a weak tag; nothing is packed where nothing is sent.
        tag = first.headers["etag"].removeprefix("W/")
        again = client.get(f"/api/v1{path}", headers=headers | {"If-None-Match": f'W/{tag}, "other"'})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert client.get(f"/api/v1{path}", headers=headers | {"If-None-Match": '"other"'}).status_code == 200
    one = client.get("/api/v1/leaderboard", headers=headers).headers["etag"]
    assert client.get("/api/v1/leaderboard?vendor=Intel", headers=headers).headers["etag"] != one
    assert client.get("/api/v1/leaderboard?limits=1000000:0.01", headers=headers).headers["etag"] != one


def test_answers_have_the_form_that_is_documented(ask: Ask) -> None:
    for parameters in ({}, {"equal": "false"}, {"limits": "4000000:0.01"}, {"budget": "fraud-250-parallel"}):
        body = ask("/leaderboard", **parameters)
        assert LeaderboardOut.model_validate(body).model_dump(mode="json", by_alias=True) == body
    for slug in ("intel-dc-s3700", "kioxia-cd8p-r", "fusion-io-iodrive2-mlc"):
        body = ask(f"/drives/{slug}")
        assert DrivePageOut.model_validate(body).model_dump(mode="json", by_alias=True) == body
    ids = [f"aerospike-act-blog-2012:t2-r21:{one}" for one in ("total", "device")]
    assert len(ComparabilityOut.model_validate(ask("/comparability", test=ids)).pairs) == 1


def test_where_no_drive_holds_a_load_none_has_a_rank_and_unknown_ones_come_first(ask: Ask) -> None:
    rows = ask("/leaderboard", limits="1000000:0.0000001", limit=500, generation="before-2.0")["rows"]
    misses = [row["rating"]["failed_load"] is not None for row in rows]
    assert {row["rating"]["passed_load"] for row in rows} == {None}
    assert any(misses)
    assert misses == sorted(misses)
    assert [row["rank"] for row in rows] == [None] * len(rows)
    reasons = {row["unranked_reason"] for row, fails in zip(rows, misses, strict=True) if fails}
    assert reasons == {"no drive under these conditions holds a tested load"}


def test_a_badge_says_rating_evidence_and_rules(
    client: TestClient, make_token: Callable[..., str], reference: None
) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    answer = client.get("/api/v1/drives/micron-5200-max/badge.svg", headers=headers)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "max-age" in answer.headers["cache-control"]
    assert 'role="img"' in answer.text
    for word in (
        "holds 11x, no failure above (observed)",
        "published by the vendor",
        "ACT performance test, version 1",
        "what was timed is not stated",
    ):
        assert word in answer.text
    missed = client.get("/api/v1/drives/intel-dc-s3700/badge.svg", headers=headers).text
    assert "below 6x" in missed
    assert "not rated" in client.get("/api/v1/drives/kioxia-cd8p-r/badge.svg", headers=headers).text


def test_statements_do_not_grow_with_rows(
    client: TestClient, make_token: Callable[..., str], reference: None
) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    engine = client.app.state.resources.database.engine  # type: ignore[attr-defined]
    seen: list[str] = []

    def count(*arguments: object) -> None:
        statement = str(arguments[2])
        # Each transaction of a request says whose it is.
        if not statement.startswith("SET LOCAL"):
            seen.append(statement)

    def statements(path: str) -> int:
        seen.clear()
        assert client.get(f"/api/v1{path}", headers=headers).status_code == 200
        return len(seen)

    event.listen(engine, "before_cursor_execute", count)
    try:
        statements("/leaderboard?limit=1")
        found = {
            statements(f"/leaderboard?equal=false&limit={limit}&sort={sort}")
            for limit in (1, 500)
            for sort in ("rating", "price")
        }
        own = statements("/leaderboard?limits=2000000:0.01")
        again = statements("/leaderboard?limits=2000000:0.01&limit=1")
    finally:
        event.remove(engine, "before_cursor_execute", count)
    assert len(found) == 1
    assert max(found) <= 10
    # Tests are read to be judged, many in one statement, and remembered.
    assert own <= max(found) + 2 + 1
    assert again == max(found)


def test_a_question_of_ones_own_is_judged_in_portions(
    client: TestClient, make_token: Callable[..., str], reference: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer says how many tests are not judged yet, and the next goes on with them."""
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    path = "/api/v1/leaderboard?equal=false&limit=500&reads=251&window_ns=600000000"
    # Each look at this clock takes a twentieth of a second, however fast the machine is.
    looks = count()
    monkeypatch.setattr(judgements, "time", SimpleNamespace(monotonic=lambda: next(looks) / 20))
    waiting: list[int] = []
    while not waiting or waiting[-1] > 0:
        answer = client.get(path, headers=headers)
        body = answer.json()
        waiting.append(body["tests_waiting"])
        assert any("not been judged yet" in note for note in body["notes"]) == (waiting[-1] > 0)
        assert ("no-store" in answer.headers["cache-control"]) == (waiting[-1] > 0)
    assert len(waiting) > 1
    assert waiting == sorted(set(waiting), reverse=True)
    monkeypatch.undo()
    client.app.state.judged_tests = judgements.JudgementCache()  # type: ignore[attr-defined]
    at_once = client.get(path, headers=headers).json()
    while at_once["tests_waiting"]:
        at_once = client.get(path, headers=headers).json()
    assert at_once == body
    assert client.get("/api/v1/leaderboard", headers=headers).json()["tests_waiting"] == 0
