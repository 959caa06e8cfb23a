"""Watched configurations: runs that are judged, changes that somebody hears of, and nobody else's."""

import json
import socket
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
    steady,
)
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from tailroom.access.sending import MAIL
from tailroom.kit import limits
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.mail import Mailer
from tailroom.kit.outside_types import parse_networks
from tailroom.kit.transactions import transactions_of
from tailroom.storage.run import Run
from tailroom.storage.watch import Alert, Watch, WatchResult
from tailroom.storage.work import WorkRow
from tailroom.watches import service
from tailroom.watches.delivery import deliver
from tailroom.watches.results import note_run
from tailroom.watches.webhooks import NotDelivered
from tailroom.work.kinds import ALERT, WATCH

Header = dict[str, str]
SLOW_NS, FAST_NS = 5_000_000, 300_000
BUDGET = "act-limits"
NIGHTLY = {
    "document": {
        "kind": "exceedance",
        "name": "nightly-limits",
        "version": 1,
        "title": "Limits of nightly reads",
        "question": "Are few reads late?",
        "operation": "read",
        "limits": [{"threshold_ns": 1_000_000, "ratio": 0.05}],
    },
    "applies_to": ["nightly"],
}
"""A budget for runs of a workload of its own: other than `act-limits`, it brings no model of a transaction,
which takes most of the time of judging."""


class Runs:
    """Judged runs of one organisation, one minute after the other."""

    def __init__(self, database: Database, organisation: str) -> None:
        self.database, self.organisation, self.made = database, organisation, list[UUID]()
        self.owner: UUID | None = None

    def add(
        self,
        latency_ns: int,
        title: str = "nightly",
        minute: int | None = None,
        per_second: int = 500,
        workload: str = "act-storage",
        **host: Any,
    ) -> UUID:
        specs = [SeriesSpec("read", steady(per_second, 60, latency_ns, len(self.made) + 1))]
        with self.database.transaction() as session:
            run_id = add_run(session, specs, workload=workload, organisation=self.organisation)
            add_intervals(session, run_id, specs)
            finish(session, run_id, specs)
            at = MOMENT + timedelta(minutes=len(self.made) if minute is None else minute)
            values = {"title": title, "started_at": at, "host": {"hostname": "bench-01", **host}}
            session.execute(update(Run).where(Run.run_id == run_id).values(**values))
            look_at_run(session, run_id, MOMENT)
            self.owner = session.get_one(Run, run_id).organisation_id
        self.made.append(run_id)
        return run_id

    def note(self, run_id: UUID) -> int:
        transactions = transactions_of(self.database, self.owner)
        return note_run(transactions, run_id, "https://tailroom.example", utc_now())

    def alerts(self) -> list[Alert]:
        with self.database.transaction() as session:
            query = select(Alert).where(Alert.organisation_id == self.owner).order_by(Alert.alert_id)
            found = list(session.scalars(query))
            session.expunge_all()
        return found


def watched(client: TestClient, engineer: Header, **body: Any) -> dict[str, Any]:
    asked = {"name": "nightly drive", "run_title": "Nightly", "budget_name": BUDGET, **body}
    answer = client.post("/api/v1/watches", headers=engineer, json=asked)
    assert answer.status_code == 201, answer.text
    document: dict[str, Any] = answer.json()
    return document


def listed(client: TestClient, engineer: Header) -> dict[str, Any]:
    document: dict[str, Any] = client.get("/api/v1/watches", headers=engineer).json()["watches"][0]
    return document


def test_a_change_of_the_latest_verdict_is_an_alert_and_nothing_else_is(
    client: TestClient, engineer: Header, runs: Runs
) -> None:
    runs.add(FAST_NS)
    made = watched(client, engineer, email="somebody@example.com")
    assert made["verdict"] == "PASS", "history begins with the runs that are there"
    assert made["webhook_secret"] is None
    same, slow = runs.add(FAST_NS), runs.add(SLOW_NS)
    assert runs.note(same) == 0
    assert runs.note(slow) == 1
    assert runs.note(slow) == 0, "harmless when repeated"
    other = runs.add(SLOW_NS, title="another")
    assert runs.note(other) == 0
    late = runs.add(FAST_NS, minute=-5)
    assert runs.note(late) == 0, "an older run that comes late changes nothing"
    found = listed(client, engineer)
    assert found["verdict"] == "FAIL"
    assert [one["verdict"] for one in found["results"]] == ["PASS", "PASS", "PASS", "FAIL"]
    [alert] = found["alerts"]
    assert alert["text"].startswith("nightly drive: PASS → FAIL, proven. ")
    assert [one["words"] for one in found["results"]][2:] == ["PASS, proven", "FAIL, proven"]
    assert (found["words"], found["strength"]) == ("FAIL, proven", "proven")
    assert f"https://tailroom.example/runs/{slow}" in alert["text"]


def test_another_strength_of_the_same_word_is_noted_in_the_trend_and_is_no_alert(
    client: TestClient, engineer: Header, runs: Runs
) -> None:
    runs.add(FAST_NS)
    watch_id = watched(client, engineer, email="somebody@example.com")["watch_id"]
    # Too few reads to prove it for the next run, enough to pass in this one.
    assert runs.note(runs.add(FAST_NS, per_second=25)) == 0
    assert runs.note(runs.add(FAST_NS)) == 0
    trend = client.get(f"/api/v1/watches/{watch_id}/trend", headers=engineer).json()
    assert [(one["words"], one["strength_changed"]) for one in trend["points"]] == [
        ("PASS, proven", False),
        ("PASS in this run", True),
        ("PASS, proven", True),
    ]
    assert runs.alerts() == []


def test_another_word_by_another_method_is_no_alert(
    client: TestClient, engineer: Header, runs: Runs, database: Database
) -> None:
    run_id = runs.add(FAST_NS)
    watched(client, engineer, email="somebody@example.com")
    with database.transaction() as session:
        of_run = WatchResult.run_id == run_id
        earlier = {"verdict": "INDETERMINATE", "strength": None, "words": None, "method_version": None}
        session.execute(update(WatchResult).where(of_run).values(earlier))
        session.execute(
            update(Watch).where(Watch.organisation_id == runs.owner).values(known_verdict="INDETERMINATE")
        )
    assert listed(client, engineer)["words"] == "Undecided"
    assert runs.note(run_id) == 0
    assert listed(client, engineer)["words"] == "PASS, proven"
    assert runs.note(runs.add(SLOW_NS)) == 1, "the next change is heard of"


def test_a_run_that_is_judged_is_noted_where_somebody_watches(
    client: TestClient, engineer: Header, runs: Runs, database: Database
) -> None:
    def due(run_id: UUID) -> bool:
        with database.transaction() as session:
            return session.get(WorkRow, (run_id, WATCH.name)) is not None

    assert not due(runs.add(FAST_NS))
    watched(client, engineer)
    assert due(runs.add(FAST_NS))


def test_an_alert_is_mailed_or_tried_again(
    client: TestClient, engineer: Header, runs: Runs, database: Database, tmp_path: Path
) -> None:
    runs.add(FAST_NS)
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    body = {"email": "somebody@example.com", "webhook_url": f"http://127.0.0.1:{port}/"}
    refused = client.post(
        "/api/v1/watches",
        headers=engineer,
        json={"name": "x", "run_title": "nightly", "budget_name": BUDGET, **body},
    )
    assert refused.status_code == 422
    assert "internal address" in refused.json()["detail"]
    made = watched(client, engineer, email=body["email"], webhook_url="https://93.184.215.14/hook")
    assert len(made["webhook_secret"]) > 40
    assert "webhook_secret" not in listed(client, engineer), "it is not given again"
    with database.transaction() as session:
        session.execute(
            update(Watch).where(Watch.organisation_id == runs.owner).values(webhook_url=body["webhook_url"])
        )
    assert runs.note(runs.add(SLOW_NS)) == 2
    mailer, transactions = (
        Mailer(None, "tailroom@example.com", tmp_path),
        transactions_of(database, runs.owner),
    )
    internal = parse_networks([])
    for alert in runs.alerts():
        with database.transaction() as session:
            assert session.get(WorkRow, (alert.alert_id, ALERT.name)) is not None
        if alert.channel == "webhook":
            with pytest.raises(NotDelivered, match="internal address"):
                deliver(transactions, mailer, internal, alert.alert_id, utc_now())
        else:
            assert deliver(transactions, mailer, internal, alert.alert_id, utc_now())
            assert not deliver(transactions, mailer, internal, alert.alert_id, utc_now()), "only once"
    [mail] = mailer.stored()
    assert mail.subject == "nightly drive: PASS → FAIL, proven"
    assert "/runs/" in mail.text
    states = {one["channel"]: one for one in listed(client, engineer)["alerts"]}
    assert states["email"]["delivered_at"] is not None
    assert states["webhook"]["delivered_at"] is None
    assert "internal address" in states["webhook"]["error"]
    assert states["webhook"]["attempts"] == 1


def test_a_webhook_that_comes_back_gets_the_alert(
    client: TestClient, engineer: Header, runs: Runs, database: Database, tmp_path: Path
) -> None:
    runs.add(FAST_NS)
    watched(client, engineer, webhook_url="https://93.184.215.14/hook")
    runs.note(runs.add(SLOW_NS))
    [alert] = runs.alerts()
    mailer, transactions = Mailer(None, "a@example.com", tmp_path), transactions_of(database, runs.owner)
    networks = parse_networks(["127.0.0.0/8"])
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        with database.transaction() as session:
            session.execute(update(Watch).where(Watch.organisation_id == runs.owner).values(webhook_url=url))
        for answer, delivered in ((b"HTTP/1.1 503 Away\r\n\r\n", False), (b"HTTP/1.1 200 OK\r\n\r\n", True)):
            thread = threading.Thread(target=_answer, args=(server, answer), daemon=True)
            thread.start()
            if delivered:
                assert deliver(transactions, mailer, networks, alert.alert_id, utc_now())
            else:
                with pytest.raises(NotDelivered, match="503"):
                    deliver(transactions, mailer, networks, alert.alert_id, utc_now())
            thread.join()
    [stored] = runs.alerts()
    assert (stored.attempts, stored.error) == (2, None)
    assert stored.delivered_at is not None
    assert ALERT.most_attempts * ALERT.pause_after(ALERT.most_attempts) > timedelta(hours=1)


def _answer(server: socket.socket, answer: bytes) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(65_536)
        connection.sendall(answer)


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"run_title": None}, 422),
        ({"budget_name": "no-such-budget"}, 404),
        ({"webhook_url": "https://localhost/"}, 422),
        ({"webhook_url": "gopher://example.com"}, 422),
        ({"email": "nobody"}, 422),
        ({"name": " "}, 422),
    ],
)
def test_what_cannot_be_watched_is_refused(
    client: TestClient, engineer: Header, changes: dict[str, Any], status: int
) -> None:
    body = {"name": "x", "run_title": "nightly", "budget_name": BUDGET, **changes}
    answer = client.post("/api/v1/watches", headers=engineer, json=body)
    assert answer.status_code == status, answer.text
    assert client.get("/api/v1/watches", headers=engineer).json() == {"watches": []}


def test_an_organisation_watches_so_many_configurations(
    client: TestClient, engineer: Header, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs.add(FAST_NS)
    assert limits.WATCHES >= 10
    monkeypatch.setattr(service, "WATCHES", 1)
    watched(client, engineer)
    body = {"name": "x", "run_title": "nightly", "budget_name": BUDGET}
    answer = client.post("/api/v1/watches", headers=engineer, json=body)
    assert (answer.status_code, answer.json()["code"]) == (409, "watches-too-many")


def test_others_see_nothing_and_end_nothing(
    client: TestClient, engineer: Header, runs: Runs, make_token: Callable[..., str], organisation: str
) -> None:
    runs.add(FAST_NS)
    watch_id = watched(client, engineer)["watch_id"]
    other = {"Authorization": f"Bearer {make_token('engineer', f'not {organisation}')}"}
    assert client.get("/api/v1/watches", headers=other).json() == {"watches": []}
    place = f"/api/v1/watches/{watch_id}"
    assert client.get(f"{place}/trend", headers=other).status_code == 404
    assert client.post(f"{place}/trial", headers=other).status_code == 404
    assert client.delete(place, headers=other).status_code == 404
    viewer = {"Authorization": f"Bearer {make_token('viewer')}"}
    assert client.delete(place, headers=viewer).status_code == 403
    assert client.delete(place, headers=engineer).status_code == 204
    assert client.get("/api/v1/watches", headers=engineer).json() == {"watches": []}


def test_a_trend_shows_the_step_and_what_changed_with_it(
    client: TestClient, engineer: Header, runs: Runs
) -> None:
    assert client.post("/api/v1/budgets", json=NIGHTLY, headers=engineer).status_code == 201
    for number in range(20):
        is_new = number >= 10
        drive = {"name": "nvme0", "firmware": "2.0" if is_new else "1.0"}
        latency_ns = 400_000 if is_new else FAST_NS
        runs.add(latency_ns, workload="nightly", block_devices=[drive], os={"kernel": "6.1"})
    watch_id = watched(client, engineer, host_name="bench-01", budget_name="nightly-limits")["watch_id"]
    trend = client.get(f"/api/v1/watches/{watch_id}/trend", headers=engineer).json()
    assert [one["run_id"] for one in trend["points"]] == [str(one) for one in runs.made]
    p99 = [one for one in trend["steps"] if one["quantity"] == "latency_p99_ns"]
    assert [one["run_id"] for one in p99] == [str(runs.made[10])]
    assert p99[0]["after"] > 1.2 * p99[0]["before"]
    changed = [point["facts_changed"] for point in trend["points"]]
    assert changed[10] == [{"name": "host.block_devices.1.firmware", "before": "1.0", "after": "2.0"}]
    assert not any(changed[:10] + changed[11:])
    figures = client.get(f"/api/v1/runs/{runs.made[3]}/figures", headers=engineer).json()
    reads = next(one for one in figures["operations"] if one["is_read"])
    shown = {one["quantity"]: one for one in trend["points"][3]["figures"]}
    assert shown
    for one in reads["figures"]:
        if one["quantity"] in shown:
            assert shown[one["quantity"]] == one


def test_trials_are_counted_like_other_mails(
    client: TestClient, engineer: Header, runs: Runs, make_token: Callable[..., str], organisation: str
) -> None:
    """By whom they go to in one organisation: another watch to the same place gets no more of them."""
    runs.add(FAST_NS)
    to = {"email": "somebody@example.com", "webhook_url": "https://93.184.215.14/hook"}

    def trial(headers: Header, watch_id: str) -> httpx.Response:
        answer: httpx.Response = client.post(f"/api/v1/watches/{watch_id}/trial", headers=headers)
        return answer

    first = watched(client, engineer, **to)["watch_id"]
    assert [trial(engineer, first).status_code for _ in range(MAIL.burst)] == [202] * MAIL.burst
    refused = trial(engineer, first)
    assert (refused.status_code, refused.json()["code"]) == (429, "mails-too-many")
    assert client.delete(f"/api/v1/watches/{first}", headers=engineer).status_code == 204
    again = watched(client, engineer, **to | {"webhook_url": "https://93.184.215.14/another-hook"})
    assert trial(engineer, again["watch_id"]).status_code == 429
    other = {"Authorization": f"Bearer {make_token('engineer', f'not {organisation}')}"}
    elsewhere = watched(client, other, **to)["watch_id"]
    assert trial(other, elsewhere).status_code == 202
    assert client.delete(f"/api/v1/watches/{elsewhere}", headers=other).status_code == 204


def test_of_a_webhook_the_host_alone_is_shown(
    client: TestClient, engineer: Header, runs: Runs, make_token: Callable[..., str]
) -> None:
    """Whoever has the rest of its address can post there."""
    runs.add(FAST_NS)
    made = watched(client, engineer, webhook_url="https://93.184.215.14:8443/hook/secret?token=secret")
    viewer = {"Authorization": f"Bearer {make_token('viewer')}"}
    trail = client.get("/api/v1/runs", headers=viewer).text
    for answer in (made, listed(client, viewer), listed(client, engineer)):
        assert answer["webhook_host"] == "93.184.215.14"
        assert "secret?" not in json.dumps(answer)
        assert "/hook" not in json.dumps(answer)
    assert "hook" not in trail


@pytest.mark.parametrize("email", ["a@[x", "=?utf-8?q?a=0ABcc=3Ab?=@example.com"])
def test_an_address_that_no_mail_goes_to_is_refused_and_silences_nothing(  # noqa: PLR0917 - fixtures
    client: TestClient, engineer: Header, runs: Runs, database: Database, tmp_path: Path, email: str
) -> None:
    """Neither a new one, nor one that was stored before addresses had a type."""
    runs.add(FAST_NS)
    body = {"name": "x", "run_title": "nightly", "budget_name": BUDGET, "email": email}
    assert client.post("/api/v1/watches", headers=engineer, json=body).status_code == 422
    watched(client, engineer, email="somebody@example.com")
    with database.transaction() as session:
        session.execute(update(Watch).where(Watch.organisation_id == runs.owner).values(email=email))
    assert runs.note(runs.add(SLOW_NS)) == 1
    [alert] = runs.alerts()
    transactions = transactions_of(database, runs.owner)
    assert deliver(transactions, Mailer(None, "a@example.com", tmp_path), [], alert.alert_id, utc_now())
    assert runs.note(runs.add(FAST_NS)) == 1, "the next change is heard of as well"
    assert client.get("/api/v1/watches", headers=engineer).status_code == 200


def test_an_alert_is_mailed_to_members_alone(
    client: TestClient, engineer: Header, runs: Runs, database: Database, tmp_path: Path
) -> None:
    """Whoever has left since the watch was made hears nothing more; it stands beside the alert."""
    runs.add(FAST_NS)
    watched(client, engineer, email="somebody@example.com")
    runs.note(runs.add(SLOW_NS))
    [alert] = runs.alerts()
    sending = Mailer("smtp+plain://127.0.0.1:1", "a@example.com", tmp_path)
    with pytest.raises(NotDelivered, match="no member"):
        deliver(transactions_of(database, runs.owner), sending, [], alert.alert_id, utc_now())
    [stored] = runs.alerts()
    assert stored.error is not None
    assert "no member" in stored.error
