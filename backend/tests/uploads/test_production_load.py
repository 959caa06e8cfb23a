"""The load that an uploaded histogram of production counted, asked about beside tested drives."""

import json
from html import unescape
from html.parser import HTMLParser

import pytest
from backend.tests.uploads.conftest import SAMPLES, Json, Uploader

TESTED = "drive:samsung-sm1715"


def _scrapes(counts: list[int]) -> bytes:
    """Return pages 15 s apart, whose requests took at most 0.1 s."""
    lines = ["# TYPE latency_seconds histogram"]
    for scrape, count in enumerate(counts):
        at_ms = 1_795_871_000_000 + scrape * 15_000
        lines += [f'latency_seconds_bucket{{le="{edge}"}} {count} {at_ms}' for edge in ("0.1", "+Inf")]
    return ("\n".join(lines) + "\n").encode()


def _asked(run: Json) -> Json:
    return {
        "production": {"run_id": run["run_id"]},
        "subjects": [TESTED],
        "budget": {"objective": "95% read < 1ms"},
    }


def test_the_busiest_scrape_of_a_page_is_what_drives_are_held_against(uploader: Uploader) -> None:
    (run,) = uploader.send([("page.txt", _scrapes([0, 1_500, 31_500, 33_000]))])["runs"]
    uploader.judged(run["run_id"])
    answer = uploader.post("/sla/carry", _asked(run))
    assert answer["load"]["busiest_per_s"] == 2_000.0
    assert answer["load"]["busiest_duration_ns"] == 15 * 10**9
    assert answer["load"]["mean_per_s"] == pytest.approx(33_000 / 45)
    assert answer["load"]["text"] == "733.3/s on average, 2 thousand/s in the busiest 15 s"
    assert answer["production"]["kind"] == "upload"


def test_a_tested_run_is_named_with_or_without_its_prefix(uploader: Uploader) -> None:
    (run,) = uploader.send([("page.txt", _scrapes([0, 1_500, 31_500, 33_000]))])["runs"]
    uploader.judged(run["run_id"])
    question = _asked(run) | {"subjects": [f"run:{run['run_id']}", run["run_id"]]}
    prefixed, bare = uploader.post("/sla/carry", question)["subjects"]
    assert bare == prefixed | {"subject": run["run_id"]}
    refusal = uploader.post("/sla/carry", _asked(run) | {"subjects": ["nonsense"]}, 422)
    assert "“nonsense” is no subject: write run:ID" in refusal["detail"]


def test_a_page_without_times_says_what_to_send(uploader: Uploader) -> None:
    (run,) = uploader.send_paths(SAMPLES / "prometheus/page.txt")["runs"]
    uploader.judged(run["run_id"])
    assert (
        "send two scrapes or more with their times" in uploader.post("/sla/carry", _asked(run), 422)["detail"]
    )


class _Figures(HTMLParser):
    """The first `<data>` element of each row that names its quantity."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.by_quantity: dict[str, float] = {}
        self._quantity = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "tr":
            self._quantity = named.get("data-quantity") or ""
        if tag == "data" and self._quantity:
            self.by_quantity.setdefault(self._quantity, float(named["value"] or "nan"))


def test_the_report_has_the_figures_of_the_answer(uploader: Uploader) -> None:
    (run,) = uploader.send([("<b>page</b>.txt", _scrapes([0, 1_500, 31_500, 33_000]))])["runs"]
    uploader.judged(run["run_id"])
    question = _asked(run) | {"operations_per_request": 25}
    answer = uploader.post("/sla/carry", question)
    path = "/api/v1/sla/carry/report.html"
    page = uploader.client.get(path, headers=uploader.headers, params={"question": json.dumps(question)})
    assert page.status_code == 200, page.text
    assert _Figures(page.text).by_quantity == {
        "mean_per_s": answer["load"]["mean_per_s"],
        "busiest_per_s": 2_000.0,
        "stretches": answer["load"]["stretches"],
        "operations_per_request": 25.0,
        "needed_per_s": 50_000.0,
    }
    text = unescape(page.text)
    for sentence in [
        answer["answer"],
        *answer["assumptions"],
        *(each["text"] for each in answer["subjects"]),
    ]:
        assert sentence in text
    for test in answer["subjects"][0]["tests"]:
        assert test["text"] in text
        assert f'value="{test["measured_per_s"]}"' in text
    assert "<b>page" not in page.text


def test_a_report_of_no_question_says_what_is_wrong(uploader: Uploader) -> None:
    path = "/api/v1/sla/carry/report.html"
    for question in ("", "{}", '{"production": 3}'):
        page = uploader.client.get(path, headers=uploader.headers, params={"question": question})
        assert page.status_code == 422
        assert "question" in page.json()["detail"]
