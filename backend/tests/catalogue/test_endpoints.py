"""The catalogue and publications over HTTP, as readers and as somebody who adds a drive."""

from collections.abc import Callable
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event

from tailroom.kit.db import Database


@pytest.fixture
def reader(client: TestClient, make_token: Callable[..., str]) -> Callable[..., Any]:
    token = make_token("engineer")

    def get(path: str, status: int = 200, **headers: str) -> Any:
        answer = client.get(f"/api/v1{path}", headers={"Authorization": f"Bearer {token}", **headers})
        assert answer.status_code == status, answer.text
        return answer.json() if answer.content else answer

    return get


@pytest.fixture
def add(client: TestClient, make_token: Callable[..., str]) -> Callable[..., Any]:
    token = make_token("engineer")

    def post(status: int = 201, **body: Any) -> Any:
        body = {"vendor": "Own", "name": "Rocket 9000", "source": "data sheet"} | body
        answer = client.post("/api/v1/drives", json=body, headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == status, answer.text
        return answer.json()

    return post


def test_nobody_reads_without_a_token(client: TestClient) -> None:
    for path in ("/drives", "/catalogue/drive", "/publications", "/publications/redis-pm1725"):
        assert client.get(f"/api/v1{path}").status_code == 401


def test_a_drive_is_found_by_part_of_its_name(reader: Callable[..., Any]) -> None:
    found = reader("/drives?search=samsung sm1715 1.6 TB")["drives"]
    assert [one["slug"] for one in found] == ["samsung-sm1715"]
    assert found[0]["capacities_bytes"] == [800_000_000_000, 1_600_000_000_000, 3_200_000_000_000]
    assert found[0]["interface"] == "PCIe/NVMe"
    assert found[0]["matched"] == "Samsung SM1715"
    begins = [one["slug"] for one in reader("/drives?search=samsung%208")["drives"]]
    assert begins == ["samsung-830", "samsung-840", "samsung-840-pro", "samsung-843t"]
    middle = [one["slug"] for one in reader("/drives?search=vertex")["drives"]]
    assert middle == ["ocz-vertex-4", "ocz-vertex-3-max10ps"]
    assert reader("/drives?search=nothing like it")["drives"] == []
    assert reader("/drives?search=%E2%80%A6")["drives"] == []
    assert len(reader("/drives?limit=1000")["drives"]) == 66
    assert len(reader("/drives")["drives"]) == 50


@pytest.mark.parametrize("query", ["limit=0", "limit=1001", "limit=x", "search=a%00b", f"search={'x' * 121}"])
def test_a_question_in_another_form_is_refused(reader: Callable[..., Any], query: str) -> None:
    problem = reader(f"/drives?{query}", 422)
    assert problem["problems"][0]["field"].endswith(query.partition("=")[0])


def test_facts_have_sources_and_disagreements_are_shown(reader: Callable[..., Any]) -> None:
    kinds = {kind: reader(f"/catalogue/{kind}")["items"] for kind in ("server", "network", "database")}
    assert [len(items) for items in kinds.values()] == [5, 2, 3]
    server = next(one for one in kinds["server"] if one["slug"] == "dell-poweredge-r730xd")
    assert server["conflicts"] == ["operating_system"]
    systems = [fact for fact in server["facts"] if fact["field"] == "operating_system"]
    assert [fact["text"] for fact in systems] == ["Ubuntu 14.04", "Ubuntu 14.0.4"]
    assert all(fact["conflict"] for fact in systems)
    # Two tests of the same server with as much memory or less are not two opinions on one server.
    assert not any(fact["conflict"] for fact in server["facts"] if fact["field"] == "memory")
    everything = [fact for items in kinds.values() for one in items for fact in one["facts"]]
    assert all(fact["source_slug"] or fact["source_text"] for fact in everything)
    drives = {one["slug"]: one for one in reader("/catalogue/drive")["items"]}
    power = next(fact for fact in drives["samsung-sm1715"]["facts"] if fact["field"] == "power")
    assert power["number"] == {
        "as_printed": "25",
        "unit_as_printed": "W",
        "value": 25.0,
        "lower": None,
        "upper": 25.0,
        "unit": "W",
        "comparison": "<=",
    }
    prices = [fact for one in drives.values() for fact in one["facts"] if fact["field"] == "price"]
    assert len(prices) == 24
    assert all(fact["number"]["unit"] == "USD" and fact["conditions"]["date"] for fact in prices)
    assert all(fact["source_slug"] and not fact["conflict"] for fact in prices)


def test_what_does_not_exist_is_a_named_problem(reader: Callable[..., Any]) -> None:
    problem = reader("/catalogue/fridge", 404)
    assert problem["code"] == "catalogue-kind-unknown"
    assert "fridge" in problem["detail"]
    assert "workload" in problem["detail"]
    problem = reader("/publications/nothing", 404)
    assert problem["code"] == "publication-unknown"
    assert "redis-pm1725" in problem["detail"]


@pytest.mark.parametrize("path", ["/catalogue/drive", "/publications", "/publications/redis-pm1725"])
def test_what_has_not_changed_is_not_sent_again(
    client: TestClient, make_token: Callable[..., str], path: str
) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    first = client.get(f"/api/v1{path}", headers=headers)
    # What travels packed has a weak tag; nothing is packed where nothing is sent.
    tag = first.headers["etag"].removeprefix("W/")
    again = client.get(f"/api/v1{path}", headers=headers | {"If-None-Match": f'"other", W/{tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert client.get(f"/api/v1{path}", headers=headers | {"If-None-Match": '"other"'}).status_code == 200


def test_publications_are_listed_with_what_they_claim(reader: Callable[..., Any]) -> None:
    found = {one["slug"]: one for one in reader("/publications")["publications"]}
    assert {slug: one["claim_count"] for slug, one in found.items()} == {
        "aerospike-act-blog-2012": 223,
        "aerospike-certification-2019": 187,
        "demartek-fraud-r730xd-2015": 44,
        "kioxia-cd8p-ycsb-2025": 128,
        "redis-pm1725": 33,
        # These state prices and sizes, which are facts of the catalogue.
        **dict.fromkeys(("cloudspecs-2026", "database-architects-ec2-2021", "saisci-ebs-2021"), 0),
    }
    assert found["aerospike-certification-2019"]["row_count"] == 57
    assert all(one["finding_count"] >= one["high_count"] for one in found.values())
    assert all(bool(one["high_kinds"]) == (one["high_count"] > 0) for one in found.values())
    assert all(one["high_count"] > 0 for one in found.values() if one["claim_count"])


def test_a_publication_shows_claims_beside_what_they_recompute_to(reader: Callable[..., Any]) -> None:
    found = reader("/publications/kioxia-cd8p-ycsb-2025")
    assert found["claim_count"] == 128
    tables = {table["id"]: table for table in found["tables"]}
    assert sum(len(row["claims"]) for table in tables.values() for row in table["rows"]) == 128
    read = tables["test3"]["rows"][0]
    assert read["label"] == "Read Latency"
    assert [one["printed"]["as_printed"] for one in read["claims"]] == ["70.93", "131.60", "46"]
    assert read["claims"][0]["printed"]["unit_as_printed"] == "us"
    assert read["claims"][0]["item_slug"] == "kioxia-cd8p-r"
    gains = [one for one in found["recomputed"] if one["unit"] == "ratio"]
    assert len(gains) == 37
    assert sum(one["how"] == "truncated" for one in gains) == 21
    assert not any(one["how"] == "wrong" for one in gains)
    assert [one["value"] for one in found["recomputed"] if one["claim_key"] == "test2-r2/gain"] == [
        pytest.approx(1.0940, abs=5e-5)
    ]
    runtimes = [one for one in found["recomputed"] if one["unit"] == "s"]
    assert len(runtimes) == 10
    assert all(one["agrees"] for one in runtimes)
    flights = [round(one["value"]) for one in found["recomputed"] if one["unit"] == "count"]
    assert flights == [59, 58, 188, 240, 186, 240, 113, 241, 124, 117]
    specs = {one["slug"]: one for one in found["specs"]}
    assert specs["kioxia-cd8p-r"]["kind"] == "drive"
    assert {"dell-poweredge-r770", "aerospike-enterprise-8-0-0-5", "ycsb-a"} <= specs.keys()
    assert any(one["check"] == "P4" for one in found["findings"])


def test_rows_flip_between_total_and_device_and_show_both(reader: Callable[..., Any]) -> None:
    table = reader("/publications/aerospike-act-blog-2012")["tables"][1]
    row = next(one for one in table["rows"] if one["row"] == "t2-r08")
    shares = {one["key"]: one["printed"] for one in row["claims"]}
    assert shares["t2-r08/exceedance/1ms/total"]["lower"] > 0.05
    assert shares["t2-r08/exceedance/1ms/device"]["upper"] < 0.05
    assert row["claims"][0]["load"]["multiple"] == 6


def test_a_drive_of_an_organisation_is_seen_by_nobody_else(
    reader: Callable[..., Any], add: Callable[..., Any], client: TestClient, make_token: Callable[..., str]
) -> None:
    price = {"value": 399.5, "currency": "EUR", "date": "2026-11-01", "source": "a shop"}
    made = add(capacities_bytes=[2 * 10**12], interface="PCIe 4.0 x4", power=9.5, price=price)
    assert made["private"]
    assert made["slug"].startswith("own-rocket-9000-")
    facts = {fact["field"]: fact for fact in made["facts"]}
    assert facts["power"]["number"]["value"] == 9.5
    assert facts["power"]["source_text"] == "data sheet"
    assert facts["price"]["conditions"] == {"currency": "EUR", "date": "2026-11-01"}
    assert facts["price"]["source_text"] == "a shop"
    assert [one["slug"] for one in reader("/drives?search=rocket9000")["drives"]] == [made["slug"]]
    other = {"Authorization": f"Bearer {make_token('viewer', 'somebody else with a drive')}"}
    assert client.get("/api/v1/drives?search=rocket9000", headers=other).json()["drives"] == []
    slugs = {one["slug"] for one in client.get("/api/v1/catalogue/drive", headers=other).json()["items"]}
    assert made["slug"] not in slugs


def test_a_likely_duplicate_is_named_and_may_be_confirmed(add: Callable[..., Any]) -> None:
    problem = add(409, vendor="Intel", name="S3700 400 GB")
    assert problem["code"] == "drive-likely-known"
    assert "intel-dc-s3700" in problem["detail"]
    made = add(vendor="Intel", name="S3700 400 GB", is_another=True)
    problem = add(409, vendor="Intel", name="DC-S3700")
    assert made["slug"] in problem["detail"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"vendor": ""}, "vendor"),
        ({"name": "a\0b"}, "name"),
        ({"name": "\u202e0009 tekcoR"}, "name"),
        ({"aliases": ["a\u2066b"]}, "aliases"),
        ({"source": "a\x7fb"}, "source"),
        ({"capacities_bytes": [0]}, "capacities_bytes"),
        ({"capacities_bytes": [1, 1]}, "capacities_bytes"),
        ({"power": -1}, "power"),
        ({"power": 1e300}, "power"),
        ({"colour": "red"}, "colour"),
        ({"source": "  "}, "source"),
        ({"price": {"value": 1, "currency": "euro", "date": "2026-11-01", "source": "x"}}, "currency"),
    ],
)
def test_a_drive_in_another_form_is_refused(add: Callable[..., Any], body: Any, field: str) -> None:
    problem = add(422, **body)
    assert problem["code"] == "request-invalid"
    assert field in str(problem["problems"])


def test_a_name_that_says_nothing_is_refused(add: Callable[..., Any]) -> None:
    assert add(422, name="1.6 TB")["code"] == "drive-invalid"


def test_a_page_of_another_site_adds_no_drive(client: TestClient, make_token: Callable[..., str]) -> None:
    assert client.post("/api/v1/session", json={"token": make_token("engineer")}).is_success
    body = {"vendor": "Own", "name": "Drive 9001", "source": "x"}
    try:
        answer = client.post("/api/v1/drives", json=body, headers={"Sec-Fetch-Site": "cross-site"})
        assert (answer.status_code, answer.json()["code"]) == (403, "origin-foreign")
    finally:
        client.cookies.clear()


@pytest.mark.parametrize(
    ("path", "most"),
    [("/drives?limit=1000", 2), ("/catalogue/drive", 3), ("/publications/kioxia-cd8p-ycsb-2025", 4)],
)
def test_an_answer_takes_as_many_queries_however_long_it_is(
    client: TestClient, reader: Callable[..., Any], path: str, most: int
) -> None:
    database: Database = client.app.state.resources.database  # type: ignore[attr-defined]
    statements: list[str] = []

    def count(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        statements.append(statement)

    event.listen(database.engine, "before_cursor_execute", count)
    try:
        reader(path)
    finally:
        event.remove(database.engine, "before_cursor_execute", count)
    asked = [one for one in statements if "catalogue_" in one or "publication" in one or "claim" in one]
    assert 0 < len(asked) <= most, asked
