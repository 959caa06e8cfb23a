"""An organisation's own prices: seen by itself alone, before those of the catalogue, and as cost per load."""

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Engine, delete, event, select

from tailroom.catalogue import prices
from tailroom.domain.claims.claim import printed_number
from tailroom.kit.db import Database
from tailroom.sla import matches
from tailroom.storage.catalogue import CatalogueFact, CatalogueItem
from tailroom.storage.drive_test import PUBLIC_SCOPE, count_change

DRIVE, CAPACITY = "samsung-pm983", 1_920_000_000_000
ENTRY = {
    "drive": DRIVE,
    "capacity_bytes": CAPACITY,
    "price": 360.0,
    "currency": "EUR",
    "power_w": 12.0,
    "dwpd": 1.5,
    "stated_on": "2026-11-02",
    "source": "offer 4711",
}
TRANSACTION = {"reads": 10, "window_ns": 10**9, "reserve_ns": 3 * 10**8, "objective_ratio": 0.999}
"""Decided by the share over 64 ms that is printed."""


@pytest.fixture
def send(client: TestClient, make_token: Callable[..., str], reference: None) -> Callable[..., Any]:
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}

    def put(body: dict[str, Any], status: int = 200) -> Any:
        answer = client.put("/api/v1/price-list", json=body, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    return put


def point(value: float) -> dict[str, float]:
    """A cost without width."""
    return {"lower": value, "upper": value}


def rows(ask: Callable[..., Any], **asked: Any) -> list[dict[str, Any]]:
    found = ask("/leaderboard", drive=DRIVE, equal="false", **asked)["rows"]
    return [row for row in found if row["capacity_bytes"] == CAPACITY]


def test_prices_give_cost_per_load_to_their_owner_alone(
    send: Callable[..., Any], ask: Callable[..., Any], client: TestClient, make_token: Callable[..., str]
) -> None:
    before = rows(ask)
    assert before
    assert {row["price"] for row in before} == {None}
    (entry,) = send({"entries": [ENTRY]})["entries"]
    assert (entry["slug"], entry["name"], entry["price"]) == (DRIVE, "PM983", 360.0)
    for row in rows(ask):
        assert row["price"] == {
            "lower": 360.0,
            "upper": 360.0,
            "currency": "EUR",
            "per": None,
            "region": None,
            "terms": None,
            "date": "2026-11-02",
            "source": "my price list: offer 4711",
            "publication": None,
        }
        assert (row["power_w"], row["dwpd"]) == (12.0, 1.5)
        held = row["rating"]["passed_load"]
        assert row["price_per_ktps"] == pytest.approx(point(360.0 / (held * 3.0)))
        assert row["price_per_thousand_transactions"] is None
    assert any(
        fact["source"]["text"] == "my price list: offer 4711" for fact in ask(f"/drives/{DRIVE}")["facts"]
    )

    stranger = {"Authorization": f"Bearer {make_token('engineer', 'somebody who has no prices')}"}
    assert client.get("/api/v1/price-list", headers=stranger).json() == {"entries": []}
    asked = {"drive": DRIVE, "equal": "false"}
    seen = client.get("/api/v1/leaderboard", params=asked, headers=stranger).json()["rows"]
    assert {row["price"] for row in seen if row["capacity_bytes"] == CAPACITY} == {None}


def test_a_transaction_costs_the_share_of_the_load_that_its_reads_take(
    send: Callable[..., Any], ask: Callable[..., Any], client: TestClient, make_token: Callable[..., str]
) -> None:
    send({"entries": [ENTRY]})
    (row,) = rows(ask, **TRANSACTION)
    assert row["rating"]["passed_load"] == 36.0
    assert row["price_per_thousand_transactions"] == pytest.approx(point(360.0 / (36 * 2_000 / 10) * 1_000))
    assert row["watts_per_thousand_transactions"] == pytest.approx(12.0 / (36 * 2_000 / 10) * 1_000)
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    asked = {"drive": DRIVE, "equal": "false", **TRANSACTION}
    table = client.get("/api/v1/leaderboard.csv", params=asked, headers=headers).text
    (line,) = [line for line in csv.DictReader(io.StringIO(table)) if line["row_id"] == row["row_id"]]
    for end in ("lower", "upper"):
        cost = row["price_per_thousand_transactions"][end]
        assert float(line[f"price_per_thousand_transactions_{end}"]) == cost
    assert float(line["watts_per_thousand_transactions"]) == row["watts_per_thousand_transactions"]
    for undecided in rows(ask, **(TRANSACTION | {"reads": 250})):
        assert undecided["price_per_thousand_transactions"] is None


def test_records_that_pass_cost_on_sla_what_the_leaderboard_says(
    send: Callable[..., Any],
    ask: Callable[..., Any],
    client: TestClient,
    make_token: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A busy machine leaves out of a match what it has no time for.
    monkeypatch.setattr(matches, "MATCH_SECONDS", 60.0)
    send({"entries": [ENTRY]})
    plan = {"stages": [{"operation": "read", "count": TRANSACTION["reads"]}]}
    limits = {name: value for name, value in TRANSACTION.items() if name != "reads"}
    document = {"kind": "transaction", "name": "ten", "version": 1, "plan": plan, **limits}
    found = matched(client, make_token, {"document": document})
    held = {(row["drive"]["slug"], row["rating"]["passed_load"]): row for row in everywhere(ask, TRANSACTION)}
    compared = set()
    for item, cost in found:
        subject = item["subject"]
        if cost is None:
            continue
        assert item["verdict"] == "PASS"
        load = float(subject["label"].split("ACT ")[1].split("x")[0])
        row = held.get((subject["drive_slug"], load))
        if row is None or row["capacity_bytes"] not in {None, CAPACITY}:
            continue
        names = ("price", "price_per_ktps", "price_per_thousand_transactions")
        assert {name: cost[name] for name in names} == {name: row[name] for name in names}
        per_million, per_s = cost["price_per_million_transactions"], cost["price_per_thousand_transactions"]
        if row["price"]["per"] is None:
            assert per_million is None
        else:
            assert per_million["upper"] == pytest.approx(per_s["upper"] / 3.6)
        compared.add(row["price"]["per"])
    assert compared == {None, "hour"}
    by_limits = matched(client, make_token, {"name": "act-limits"})
    costs = [cost for _, cost in by_limits if cost is not None]
    assert costs
    assert {cost["price_per_thousand_transactions"] for cost in costs} == {None}
    writes = document | {"plan": {"stages": [{"operation": "write", "count": 10}]}}
    assert all(cost is None for _, cost in matched(client, make_token, {"document": writes}))


def matched(
    client: TestClient, make_token: Callable[..., str], budget: dict[str, Any]
) -> list[tuple[dict[str, Any], Any]]:
    """All items of a match, each with its cost."""
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    found: list[tuple[dict[str, Any], Any]] = []
    cursor = None
    while cursor is not None or not found:
        body = {"budget": budget, "limit": 200, "cursor": cursor}
        answer = client.post("/api/v1/sla/match", json=body, headers=headers)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        for item in page["items"]:
            key = item["subject"]["run_id"] or item["subject"]["publication"]
            found.append((item, page["costs"].get(key)))
        cursor = page["next_cursor"]
    return found


def everywhere(ask: Callable[..., Any], asked: dict[str, Any]) -> list[dict[str, Any]]:
    """All rows of the leaderboard that have a price."""
    rows = ask("/leaderboard", equal="false", limit="500", **asked)["rows"]
    return [row for row in rows if row["price"] is not None]


def test_a_list_of_a_spreadsheet_is_read_and_a_later_one_takes_its_place(send: Callable[..., Any]) -> None:
    text = (
        "\ufeffDrive;Capacity;Price;Currency;Date;Source\r\n"
        "Samsung PM983;1.92 TB;349.90;eur;2026-11-01;web shop\r\n"
        "samsung-pm983;960GB;199;EUR;2026-11-01;web shop\r\n\r\n"
    )
    entries = send({"csv": text})["entries"]
    assert [(one["capacity_bytes"], one["price"], one["currency"]) for one in entries] == [
        (960_000_000_000, 199.0, "EUR"),
        (CAPACITY, 349.9, "EUR"),
    ]
    entries = send({"entries": [ENTRY]})["entries"]
    assert [one["price"] for one in entries] == [199.0, 360.0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Nobody's Drive,1 TB,1,EUR,,,2026-11-01,x", "row 2: the catalogue has no drive “Nobody's Drive”"),
        ("PM983,large,1,EUR,,,2026-11-01,x", "`capacity` is “large”"),
        ("PM983,1.92,1,EUR,,,2026-11-01,x", "`capacity` is “1.92” without a unit"),
        ("PM983,1.92 TB,'-3,EUR,,,2026-11-01,x", "`price` is “'-3”; it must be greater than 0"),
        ("PM983,1 TB,cheap,EUR,,,2026-11-01,x", "`price` is “cheap”"),
        ("PM983,1 TB,-1,EUR,,,2026-11-01,x", "`price` is “-1”; it must be greater than 0"),
        ("PM983,1 TB,1,Euro,,,2026-11-01,x", "`currency`"),
        ("PM983,1 TB,1,EUR,,,yesterday,x", "`date` is “yesterday”, which is no date"),
        ("PM983,1 TB,1,EUR,,,2026-11-01,", "`source`"),
        ("PM983,,1,EUR,,,2026-11-01,x", "`capacity` is “”"),
        ("PM983,1 TB,1,EUR,,,2026-11-01,x,month", "`per` is “month”; write hour for what is rented"),
    ],
)
def test_a_broken_row_is_named_and_nothing_is_stored(
    send: Callable[..., Any], ask: Callable[..., Any], line: str, said: str
) -> None:
    header = ",".join(prices.COLUMNS)
    problem = send({"csv": f"{header}\n{line}\nsamsung-pm983,1.92 TB,1,EUR,,,2026-11-01,x\n"}, 422)
    assert problem["code"] == "price-list-invalid"
    assert said in problem["detail"]
    assert "Nothing was stored" in problem["detail"]
    assert ask("/price-list")["entries"] == []


def test_no_header_no_rows_and_too_many_are_refused(
    send: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "missing: drive" in send({"csv": "a,b\n1,2\n"}, 422)["detail"]
    assert "no row below" in send({"csv": ",".join(prices.COLUMNS)}, 422)["detail"]
    assert "no row below" in send({"csv": ""}, 422)["detail"]
    monkeypatch.setattr(prices, "PRICE_LIST_ENTRIES", 0)
    assert send({"entries": [ENTRY]}, 409)["code"] == "price-list-full"


@pytest.fixture
def catalogue_price(database: Database, reference: None) -> Iterator[None]:
    """Prices of documents for a drive that has none by itself: an old one, and a newer one from two shops."""
    with database.transaction() as session:
        item_id = session.scalars(select(CatalogueItem.item_id).where(CatalogueItem.slug == DRIVE)).one()
        for position, (digits, date) in enumerate(
            (("640", "2019-03-01"), ("410", "2026-10-01"), ("432.5", "2026-10-01")), start=9_000
        ):
            printed = printed_number(digits, "USD", rounding=None)
            session.add(
                CatalogueFact(
                    item_id=item_id,
                    position=position,
                    capacity_bytes=CAPACITY,
                    field="price",
                    value_number=printed.value,
                    unit=printed.unit,
                    unit_as_printed=printed.unit_as_printed,
                    as_printed=printed.as_printed,
                    comparison="=",
                    lower=printed.lower,
                    upper=printed.upper,
                    conditions={"date": date, "currency": "USD"},
                    source_text="a document of this test",
                )
            )
        count_change(session, PUBLIC_SCOPE)
    yield
    with database.transaction() as session:
        session.execute(delete(CatalogueFact).where(CatalogueFact.position >= 9_000))
        count_change(session, PUBLIC_SCOPE)


def test_a_price_of_the_catalogue_is_seen_by_everybody_and_gives_way_to_an_own_one(
    catalogue_price: None, send: Callable[..., Any], ask: Callable[..., Any]
) -> None:
    for row in rows(ask):
        assert row["price"] == {
            "lower": 410.0,
            "upper": 432.5,
            "currency": "USD",
            "per": None,
            "region": None,
            "terms": None,
            "date": "2026-10-01",
            "source": "a document of this test",
            "publication": None,
        }
        thousands = row["rating"]["passed_load"] * 3.0
        cost = {"lower": 410.0 / thousands, "upper": 432.5 / thousands}
        assert row["price_per_ktps"] == pytest.approx(cost)
    send({"entries": [ENTRY]})
    assert {(row["price"]["source"], row["price"]["upper"]) for row in rows(ask)} == {
        ("my price list: offer 4711", 360.0)
    }


def test_instances_of_clouds_have_the_newest_price_of_a_document_and_are_not_ordered_among_drives(
    send: Callable[..., Any], ask: Callable[..., Any]
) -> None:
    send({"entries": [ENTRY]})
    found = ask("/leaderboard", sort="price_per_ktps", equal="false")["rows"]
    instance = next(row for row in found if row["drive"]["slug"] == "amazon-r5d-24xlarge")
    price = instance["price"]
    assert (price["lower"], price["upper"], price["currency"], price["per"]) == (6.912, 6.912, "USD", "hour")
    assert (price["date"], price["region"]) == ("2026-07-16", "us-east-1")
    assert (price["source"], price["publication"]) == (
        "Cloudspecs database of cloud instances",
        "cloudspecs-2026",
    )
    thousands = instance["rating"]["passed_load"] * 3.0
    assert instance["price_per_ktps"] == pytest.approx(point(6.912 / thousands))
    costs = [(row["price"]["per"], row["price_per_ktps"]["upper"]) for row in found if row["price_per_ktps"]]
    bought = [cost for per, cost in costs if per is None]
    rented = [cost for per, cost in costs if per == "hour"]
    assert costs == [*((None, cost) for cost in sorted(bought)), *(("hour", cost) for cost in sorted(rented))]
    assert bought
    assert len(rented) > 10
    limited = ask("/leaderboard", price_max="1000", equal="false")["rows"]
    assert {row["drive"]["slug"] for row in limited} == {DRIVE}
    pages: list[dict[str, Any]] = []
    cursor: str | None = None
    while cursor is not None or not pages:
        asked = {} if cursor is None else {"cursor": cursor}
        page = ask("/leaderboard", sort="price_per_ktps", equal="false", limit="7", **asked)
        pages += page["rows"]
        cursor = page["next_cursor"]
    assert [row["row_id"] for row in pages] == [row["row_id"] for row in found]


def test_the_public_list_has_every_price_of_a_document_and_says_which_one_counts(
    catalogue_price: None, send: Callable[..., Any], ask: Callable[..., Any]
) -> None:
    def listed(slug: str) -> list[tuple[Any, ...]]:
        return [
            (price["lower"], price["upper"], price["date"], price["is_newest"], price["own_price"])
            for price in ask("/price-list/published")["prices"]
            if price["slug"] == slug
        ]

    assert listed("amazon-r5d-24xlarge") == [
        (6.912, 6.912, "2026-07-16", True, False),
        (6.905, 6.915, "2021-07-04", False, False),
    ]
    assert listed(DRIVE) == [
        (410.0, 432.5, "2026-10-01", True, False),
        (640.0, 640.0, "2019-03-01", False, False),
    ]
    send({"entries": [ENTRY]})
    assert [price[-1] for price in listed(DRIVE)] == [True, True]
    volumes = [price for price in ask("/price-list/published")["prices"] if price["slug"] == "amazon-ebs-gp3"]
    assert [(price["lower"], price["per"]) for price in volumes] == [
        (0.08, "GB-month"),
        (0.005, "IOPS-month"),
        (0.04, "MB/s-month"),
    ]


def test_an_own_price_per_hour_comes_before_that_of_a_document(
    send: Callable[..., Any], ask: Callable[..., Any], client: TestClient, make_token: Callable[..., str]
) -> None:
    slug = "amazon-r5d-24xlarge"

    def price() -> tuple[Any, ...]:
        found = ask("/leaderboard", drive=slug, equal="false")["rows"]
        prices_shown = {(row["price"]["upper"], row["price"]["per"], row["price"]["source"]) for row in found}
        for row in found:
            cost = row["price"]["upper"] / (row["rating"]["passed_load"] * 3.0)
            assert row["price_per_ktps"]["upper"] == pytest.approx(cost)
        (shown,) = prices_shown
        return shown

    document = (6.912, "hour", "Cloudspecs database of cloud instances")
    assert price() == document
    stated = {"stated_on": "2026-11-02", "source": "reserved for a year"}
    rented = {"drive": slug, "price": 3.1, "currency": "USD", "per": "hour", **stated}
    (entry,) = send({"entries": [rented]})["entries"]
    assert (entry["slug"], entry["capacity_bytes"], entry["per"]) == (slug, None, "hour")
    assert price() == (3.1, "hour", "my price list: reserved for a year")
    facts = ask(f"/drives/{slug}")["facts"]
    assert [fact["source"]["text"] for fact in facts if fact["field"] == "price"] == [
        "my price list: reserved for a year"
    ]
    listed = [row for row in ask("/price-list/published")["prices"] if row["slug"] == slug]
    assert {row["own_price"] for row in listed} == {True}
    text = f"drive,capacity,price,currency,date,source,per\n{slug},,2.9,USD,2026-11-03,a letter,Hour\n"
    assert [(row["price"], row["per"]) for row in send({"csv": text})["entries"]] == [(2.9, "hour")]
    assert price()[0] == 2.9
    without = {name: value for name, value in rented.items() if name != "per"}
    assert "state `capacity_bytes`, or `per`" in str(send({"entries": [without]}, 422)["problems"])
    assert send({"entries": [rented | {"per": "month"}]}, 422)["code"] == "request-invalid"
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    client.delete(f"/api/v1/price-list/{slug}/0", headers=headers)
    assert price() == document


def test_a_price_is_taken_away(
    send: Callable[..., Any], client: TestClient, make_token: Callable[..., str]
) -> None:
    send({"entries": [ENTRY]})
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    for _ in range(2):
        answer = client.delete(f"/api/v1/price-list/{DRIVE}/{CAPACITY}", headers=headers)
        assert (answer.status_code, answer.json()) == (200, {"entries": []})


def test_a_list_of_any_length_asks_the_database_as_often_as_a_short_one(
    send: Callable[..., Any],
) -> None:
    """Each row by itself took two statements: a body of 256 KiB kept a thread busy for many seconds."""
    head = "drive,capacity,price,currency,power_w,dwpd,date,source\n"
    unknown = [f"nobody {number},1,1,USD,,,2026-11-02,s\n" for number in range(2_001)]
    with statements() as counted:
        refused = send({"csv": head + "".join(unknown[:2_000])}, 422)
    assert "and 1,980 more" in refused["detail"] or "and 1980 more" in refused["detail"]
    assert 2 < len(counted) < 20
    assert "2000 entries at most" in send({"csv": head + "".join(unknown)}, 409)["detail"]


@contextmanager
def statements() -> Iterator[list[str]]:
    """Every statement of the product inside the block."""
    found: list[str] = []

    def count(_connection: Any, _cursor: Any, statement: str, *_others: Any) -> None:
        found.append(statement)

    event.listen(Engine, "before_cursor_execute", count)
    try:
        yield found
    finally:
        event.remove(Engine, "before_cursor_execute", count)
