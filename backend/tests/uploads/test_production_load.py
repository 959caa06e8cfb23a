"""The load that an uploaded histogram of production counted, asked about beside tested drives."""

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


def test_a_page_without_times_says_what_to_send(uploader: Uploader) -> None:
    (run,) = uploader.send_paths(SAMPLES / "prometheus/page.txt")["runs"]
    uploader.judged(run["run_id"])
    assert "send two scrapes" in uploader.post("/sla/carry", _asked(run), 422)["detail"]
