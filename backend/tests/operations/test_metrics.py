"""Figures for Prometheus: who may read them, whether they count what happened, and whether dashboard and
alerts name only what there is.
"""

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import yaml
from backend.tests.agent import Agent, interval
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families

from tailroom.api.app import create_app
from tailroom.kit.settings import Settings

MONITORING = Path(__file__).parents[2] / "deploy" / "monitoring"
OPERATOR = "an-operators-token-of-some-length"
HEADERS = {"Authorization": f"Bearer {OPERATOR}"}
_OF_OTHERS = {"up", "process_resident_memory_bytes"}
"""`up` is the scraper's own."""

Samples = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def samples(client: TestClient) -> Samples:
    answer = client.get("/metrics", headers=HEADERS)
    assert answer.status_code == 200, answer.text
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in text_string_to_metric_families(answer.text)
        for one in family.samples
    }


def test_nobody_else_reads_them(
    settings: Settings, client: TestClient, make_token: Callable[..., str]
) -> None:
    assert client.get("/metrics").status_code == 401
    engineer = {"Authorization": f"Bearer {make_token('engineer')}"}
    assert client.get("/metrics", headers=engineer).json()["code"] == "token-scope"
    with TestClient(create_app(_with_operator(settings))) as operated:
        assert operated.get("/metrics", headers=engineer).json()["code"] == "token-scope"
        wrong = {"Authorization": f"Bearer {OPERATOR[:-1]}"}
        assert operated.get("/metrics", headers=wrong).json()["code"] == "token-unknown"
        assert operated.get("/metrics").status_code == 401
        assert OPERATOR not in operated.get("/metrics", headers=HEADERS).text


def test_local_access_needs_no_token_but_not_through_a_proxy(settings: Settings, client: TestClient) -> None:
    del client  # has migrated the database
    with TestClient(create_app(settings.model_copy(update={"local_access": True}))) as local:
        assert local.get("/metrics").status_code == 200
        assert local.get("/metrics", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 401


def test_what_happens_is_counted(
    settings: Settings, client: TestClient, make_token: Callable[..., str]
) -> None:
    del client  # has migrated the database
    with TestClient(create_app(_with_operator(settings))) as operated:
        before = samples(operated)
        agent = Agent(operated, make_token())
        agent.announce()
        agent.send([interval(0, 0), interval(0, 1)])
        agent.send([interval(0, 0), interval(0, 1)])
        assert operated.get("/api/v1/runs/none-such").status_code == 401
        after = samples(operated)

    def grew(name: str, **labels: str) -> float:
        key = (name, tuple(sorted(labels.items())))
        return after.get(key, 0.0) - before.get(key, 0.0)

    route = "/api/v1/runs/{run_id}/intervals"
    assert grew("tailroom_ingest_intervals_stored_total") == 2
    assert grew("tailroom_ingest_intervals_repeated_total") == 2
    assert grew("tailroom_http_requests_total", method="POST", route=route, status="200") == 2
    assert grew("tailroom_http_request_duration_seconds_count", method="POST", route=route) == 2
    assert (
        grew("tailroom_http_requests_total", method="GET", route="/api/v1/runs/{run_id}", status="401") == 1
    )
    assert after["tailroom_work", (("lane", "judging"), ("state", "due"))] >= 1
    assert after["tailroom_database_size_bytes", ()] > 0
    assert after["tailroom_table_size_bytes", (("table", "interval"),)] > 0
    assert after["tailroom_threads", (("kind", "ingest"), ("state", "places"))] == settings.ingest_threads
    # Whatever anybody asks for, the labels are the program's own.
    assert not any("none-such" in value for _, labels in after for _, value in labels)


def test_dashboard_and_alerts_name_what_there_is(settings: Settings, client: TestClient) -> None:
    del client  # has migrated the database
    with TestClient(create_app(_with_operator(settings))) as operated:
        operated.get("/healthz")
        labels: dict[str, set[str]] = {}
        for name, pairs in samples(operated):
            labels.setdefault(name, set()).update(label for label, _ in pairs)
    there = labels.keys()
    dashboard = msgspec.json.decode((MONITORING / "dashboard.json").read_bytes())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    rules = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"][0]["rules"]
    asked += [rule["expr"] for rule in rules]
    named = set(re.findall(r"\b(?:tailroom|process)_[a-z_]+|\bup\b", " ".join(asked)))
    assert len(asked) > 20
    assert named - there - _OF_OTHERS == set()
    chosen = re.findall(r"\b(tailroom_[a-z_]+)\{([^}]+)\}", " ".join(asked))
    assert len(chosen) > 5
    for name, selector in chosen:
        assert set(re.findall(r"(\w+)(?:=|!)", selector)) <= labels[name], (name, selector)
    assert all(rule["annotations"]["summary"] and rule["labels"]["severity"] for rule in rules)


def _with_operator(settings: Settings) -> Settings:
    return Settings.model_validate({**settings.model_dump(), "operator_token": OPERATOR})
