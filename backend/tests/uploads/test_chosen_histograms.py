"""Files with many production histograms, sent with the metric and the labels that are meant."""

import pytest
from backend.tests.uploads.conftest import SAMPLES, Json, Uploader

PAGE = SAMPLES / "prometheus/page.txt"
METRIC = "http_server_duration"
PAYMENTS, ALL = 3_000, 6_000


def _samples(uploader: Uploader, run_id: str) -> int:
    question = {"subject": {"run_id": run_id}, "budget": {"objective": "50% < 1s"}}
    answer = uploader.client.post("/api/v1/sla/evaluate", json=question, headers=uploader.headers)
    assert answer.status_code == 200, answer.text
    samples: int = answer.json()["subject"]["samples"]
    return samples


def _scrape(at_s: int, count: int) -> bytes:
    """Return a page of two routes, of which each has answered so many requests within 0.1 s."""
    at_ms = 1_795_871_000_000 + at_s * 1_000
    lines = ["# TYPE latency_seconds histogram"]
    for route in ("/pay", "/cart"):
        for edge in ("0.1", "+Inf"):
            lines.append(f'latency_seconds_bucket{{route="{route}",le="{edge}"}} {count} {at_ms}')
    return ("\n".join(lines) + "\n").encode()


def _run(upload: Json) -> Json:
    runs: list[Json] = upload["runs"]
    (run,) = runs
    return run


def test_the_histograms_that_are_meant_become_a_run_of_their_own(uploader: Uploader) -> None:
    page = [(PAGE.name, PAGE.read_bytes())]
    whole = _run(uploader.send(page))
    chosen = _run(uploader.send(page, metric=METRIC, match='route="/pay"'))
    others = _run(uploader.send(page, metric=METRIC, match='route!="/pay"'))
    assert len({run["run_id"] for run in (whole, chosen, others)}) == 3
    for run, count in ((whole, ALL), (chosen, PAYMENTS), (others, ALL - PAYMENTS)):
        uploader.judged(run["run_id"])
        assert _samples(uploader, run["run_id"]) == count
    again = uploader.send(page, 200, metric=METRIC, match='{ route = "/pay" }')
    assert _run(again)["run_id"] == chosen["run_id"]


def test_a_page_that_comes_again_with_a_later_scrape_continues_the_run_of_its_choice(
    uploader: Uploader,
) -> None:
    scrapes = b"".join(_scrape(at_s, count) for at_s, count in ((0, 10), (15, 30)))
    payments = 'route="/pay"'
    first = _run(uploader.send([("page.txt", scrapes)], match=payments))
    whole = _run(uploader.send([("page.txt", scrapes)]))
    longer = _run(uploader.send([("page.txt", scrapes + _scrape(30, 70))], match=payments))
    assert longer["run_id"] == first["run_id"] != whole["run_id"]
    uploader.judged(first["run_id"])
    assert _samples(uploader, first["run_id"]) == 60


def test_a_unit_that_is_answered_later_is_read_with_the_same_choice(uploader: Uploader) -> None:
    text = PAGE.read_bytes().replace(b"_seconds", b"")
    run = _run(uploader.send([("page.txt", text)], match='route="/pay"'))
    upload_id = uploader.get("/uploads")["uploads"][0]["upload_id"]
    answer = uploader.client.patch(
        f"/api/v1/uploads/{upload_id}/answers",
        json={"answers": {"tool.latency_unit": "ms"}},
        headers=uploader.headers,
    )
    assert answer.status_code == 200, answer.text
    assert _run(answer.json())["run_id"] == run["run_id"]
    uploader.judged(run["run_id"])
    assert _samples(uploader, run["run_id"]) == PAYMENTS


def test_a_choice_says_nothing_of_other_tools(uploader: Uploader) -> None:
    file = [("a.txt", (SAMPLES / "ycsb/y1.stdout.txt").read_bytes())]
    run = _run(uploader.send(file))
    assert _run(uploader.send(file, 200, metric=METRIC))["run_id"] == run["run_id"]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"match": "route"}, "names no label"),
        ({"match": 'route=~"/p.*"'}, "is a pattern"),
        ({"metric": "http_client_duration"}, "http_server_duration_seconds"),
    ],
)
def test_a_choice_that_cannot_be_met_is_refused_with_the_reason(
    uploader: Uploader, fields: dict[str, str], reason: str
) -> None:
    refused = uploader.send([(PAGE.name, PAGE.read_bytes())], 422, **fields)
    assert reason in str(refused)
