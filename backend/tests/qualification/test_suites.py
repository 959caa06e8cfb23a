"""Suites from stored runs: each result of the steady state, tests, plots, report, and who may read."""

import contextlib
import html
import re
import zlib
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID, uuid4

import numpy as np
import pytest
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
)
from fastapi.testclient import TestClient
from sqlalchemy.orm import Session

from tailroom.kit.db import Database
from tailroom.qualification.suite import _device
from tailroom.reports.printing import PangoMissing, pdf_of
from tailroom.runs import publication
from tailroom.storage.run import Run

DEVICE = "/dev/nvme0n1"
ROUND_S = 10
SIZE_BYTES = 12 << 20
KIB = 1024
HOST = {
    "hostname": "here",
    "os": {"name": "Debian", "kernel": "6.1"},
    "block_devices": [{"name": "nvme0n1", "model": "Fast One", "firmware": "1.0", "size_bytes": 10**12}],
}
PREPARATION = {"purged": "trim", "fill": {"order": "one_pass", "spare_ratio": 0.07}, "is_filled": True}
MEDIA_OF_HOST = 3


def counters(host_bytes: int, throttled_s: int) -> dict[str, Any]:
    """The counters of a round in which hosts wrote so much."""

    def reading(moment: str, part: int) -> dict[str, Any]:
        values = {
            "smart.host_written_bytes": 10**12 + part * host_bytes,
            "smart.percentage_used": 3,
            "smart.thermal_management_1_s": part * throttled_s,
            "smart.thermal_management_2_s": 0,
            "extended.media_written_bytes": 10**12 + part * MEDIA_OF_HOST * host_bytes,
        }
        return {"moment": moment, "at_ns": part * ROUND_S * 10**9, "took_ns": 1_000, "values": values}

    readings = [reading("armed", 0), reading("start", 0), reading("drained", 1)]
    return {"version": 1, "drives": [{"devices": [DEVICE], "disk": "nvme0n1", "readings": readings}]}


class Suite:
    """Stores the loads of one suite."""

    def __init__(self, session: Session, steps: Sequence[str], organisation: str = "local") -> None:
        self.session, self.steps, self.organisation = session, steps, organisation
        self.suite_id = uuid4()

    def load(  # noqa: PLR0917 - the parts of a load
        self,
        step: str,
        number: int,
        rate: int,
        load: tuple[int, int, int],
        of: int | None,
        throttled_s: int = 0,
        idle_before_s: int = 0,
    ) -> UUID:
        """A run of ten seconds with so many operations a second of 200 µs, three in a thousand of 2 ms."""
        block_bytes, read_pct, depth = load
        operation = "read" if read_pct else "write"
        latencies = np.full(rate * ROUND_S, 200_000, np.int64)
        latencies[: latencies.size * 3 // 1_000] = 2_000_000
        spec = SeriesSpec(operation, [latencies], clock="service", device=DEVICE)
        is_sequential = step == "throughput" or (step == "cross-stimulus" and block_bytes > 8 * KIB)
        access = "sequential" if is_sequential else "random"
        plan = {
            "qualify": {
                "id": str(self.suite_id),
                "step": step,
                "number": number,
                "of": of,
                "steps": list(self.steps),
                "device": DEVICE,
                "preparation": PREPARATION,
                "size_bytes": SIZE_BYTES,
                "load": {
                    "block_bytes": block_bytes,
                    "read_pct": read_pct,
                    "depth": depth,
                    "access": access,
                    **({"idle_before_s": idle_before_s} if idle_before_s else {}),
                },
            }
        }
        run_id = add_run(self.session, [spec], workload="qualify", plan=plan, organisation=self.organisation)
        run = self.session.get_one(Run, run_id)
        run.host, run.closed_loop, run.measured_duration_ns = HOST, True, ROUND_S * 10**9
        run.drive_counters = counters(rate * ROUND_S * block_bytes, throttled_s)
        add_intervals(self.session, run_id, [spec])
        finish(self.session, run_id, [spec])
        look_at_run(self.session, run_id, MOMENT)
        return run_id

    def rounds(self, rates: Sequence[int], throttled_s: int = 0) -> None:
        for number, rate in enumerate(rates, 1):
            self.load("settle", number, rate, (4 * KIB, 0, 32), None, throttled_s)


def bookmarks(pdf: bytes) -> set[str]:
    """The bookmarks of a PDF: its headings, with plain spaces before units."""
    assert pdf.startswith(b"%PDF-")
    parts = [pdf]
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        with contextlib.suppress(zlib.error):
            parts.append(zlib.decompress(stream))
    ascii_titles = [title for part in parts for title in re.findall(rb"/Title \((.*?)\)/", part)]
    others = [title for part in parts for title in re.findall(rb"/Title <feff([0-9a-f]+)>", part)]
    titles = [title.decode("ascii") for title in ascii_titles]
    titles += [bytes.fromhex(title.decode()).decode("utf-16-be") for title in others]
    return {title.replace("\N{NO-BREAK SPACE}", " ") for title in titles}


@pytest.fixture
def get(client: TestClient, make_token: Callable[..., str]) -> Callable[..., Any]:
    def asked(path: str, owner: str, status: int = 200) -> Any:
        headers = {"Authorization": f"Bearer {make_token('engineer', owner)}"}
        place = f"/{path}" if path and not path.startswith("?") else path
        answer = client.get(f"/api/v1/qualifications{place}", headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.headers["content-type"].endswith("json") else answer

    return asked


def test_a_steady_drive_has_its_proof_tests_plots_and_a_report(
    database: Database, organisation: str, get: Callable[..., Any]
) -> None:
    steps = ("purge", "prepare", "settle", "iops", "throughput", "latency", "outstanding")
    with database.transaction() as session:
        suite = Suite(session, steps, organisation)
        suite.rounds([900, 600, 310, 300, 305, 300, 295])
        for number, (block, share, rate) in enumerate(
            [(8 * KIB, 100, 800), (8 * KIB, 0, 200), (4 * KIB, 100, 1_000), (4 * KIB, 0, 300)], 1
        ):
            suite.load("iops", number, rate, (block, share, 32), 4)
        suite.load("throughput", 1, 100, (1024 * KIB, 100, 32), 2)
        suite.load("throughput", 2, 50, (1024 * KIB, 0, 32), 2)
        suite.load("latency", 1, 100, (4 * KIB, 100, 1), 2)
        suite.load("latency", 2, 100, (4 * KIB, 0, 1), 2)
        for number, (depth, rate) in enumerate([(1, 100), (16, 950), (256, 1_000)], 1):
            suite.load("outstanding", number, rate, (4 * KIB, 100, depth), 3)
    shown = get(str(suite.suite_id), organisation)
    assert shown["title"] == "Qualification of Fast One"
    assert (shown["answer"], shown["is_complete"]) == ("11 loads were measured in steady state", True)
    window = shown["steady_state"]["window"]
    assert shown["steady_state"]["answer"] == "steady"
    assert (window["first_round"], window["last_round"]) == (3, 7)
    assert window["mean_per_s"] == pytest.approx(302)
    assert window["range_ratio"] == pytest.approx(15 / 302)
    # Rates of −2 … 2: 310, 300, 305, 300, 295 have the slope −3.
    assert window["line_from_per_s"] == pytest.approx(308)
    assert window["line_to_per_s"] == pytest.approx(296)
    host = 1510 * ROUND_S * 4 * KIB
    amplification = window["write_amplification"]
    assert amplification["lower"] == pytest.approx(MEDIA_OF_HOST * host / (host + 5 * 512_000))
    assert amplification["upper"] == pytest.approx(MEDIA_OF_HOST * host / (host - 5 * 512_000))
    titles = {step["step"]: [plot["title"] for plot in step["plots"]] for step in shown["steps"]}
    assert titles["settle"] == ["The rate is steady from round 3 on, at 302/s"]
    assert titles["iops"] == ["At 4 KiB: 1,000/s reads and 300/s writes"]
    assert titles["throughput"] == ["105 MB/s read and 52.4 MB/s written, block after block"]
    assert titles["outstanding"][0] == "16 under way reach 950/s; more add less than a tenth"
    latency = next(step for step in shown["steps"] if step["step"] == "latency")["loads"][0]["latencies"][0]
    assert latency["p50_lower_ns"] <= 200_000 <= latency["p50_upper_ns"]
    facts = {fact["label"]: fact["text"] for fact in shown["preparation"] + shown["host"] + shown["device"]}
    assert (facts["Kernel"], facts["Firmware"], facts["Write cache"]) == ("6.1", "1.0", "not stated")
    assert facts["Purge"] == "TRIM of the whole drive"
    assert "1.07 full writes" in facts["Workload-independent preconditioning"]

    page = get(f"{suite.suite_id}/report.html", organisation).text
    for text in ("Device under test", "Preconditioning", "Steady state", "IOPS test", "Latency test"):
        assert f"<h2>{text}</h2>" in page
    for title in (title for of_step in titles.values() for title in of_step):
        assert f"<h3>{title}</h3><svg" in page
    assert page.count('<data class="per-s"') == 7 + 11

    try:
        pdf_of("<p>")
    except PangoMissing:
        pytest.skip("the report as PDF was not tried: this machine has no Pango")
    printed = get(f"{suite.suite_id}/report.pdf", organisation)
    assert printed.headers["content-type"] == "application/pdf"
    assert bookmarks(printed.content) >= {
        html.unescape(heading) for heading in re.findall(r"<h[23]>(.*?)</h[23]>", page)
    }


@pytest.mark.parametrize(
    ("rates", "throttled_s", "answer", "words"),
    [
        ([100, 500] * 12 + [100], 0, "not_steady", "not steady after 25 rounds"),
        ([300] * 25, 4, "throttled", "throttled: in the last 5 rounds"),
        ([300] * 4, 0, "unsettled", "not settled after 4 of at most 25 rounds"),
    ],
)
def test_a_drive_that_does_not_settle_has_that_as_its_result(  # noqa: PLR0917 - parameters and fixtures
    database: Database,
    organisation: str,
    get: Callable[..., Any],
    rates: Sequence[int],
    throttled_s: int,
    answer: str,
    words: str,
) -> None:
    with database.transaction() as session:
        suite = Suite(session, ("settle", "iops"), organisation)
        suite.rounds(rates, throttled_s)
    shown = get(str(suite.suite_id), organisation)
    assert shown["steady_state"]["answer"] == answer
    assert shown["steady_state"]["text"].startswith(words)
    assert len(shown["steady_state"]["throttled_rounds"]) == (len(rates) if throttled_s else 0)
    assert shown["is_complete"] is (answer != "unsettled")
    assert (
        words.split(":", maxsplit=1)[0].lower()
        in get(f"{suite.suite_id}/report.html", organisation).text.lower()
    )


def test_write_saturation_shows_where_the_rate_fell_for_good(
    database: Database, organisation: str, get: Callable[..., Any]
) -> None:
    with database.transaction() as session:
        suite = Suite(session, ("purge", "saturation"), organisation)
        for number, rate in enumerate([300, 300, 300, 60, 60, 60], 1):
            suite.load("saturation", number, rate, (4 * KIB, 0, 32), None)
    shown = get(str(suite.suite_id), organisation)
    end = shown["cache_end"]
    assert (end["lower_bytes"], end["upper_bytes"]) == (2 * 3_000 * 4 * KIB, (3 * 3_000 + 600) * 4 * KIB)
    assert end["before_bytes_per_s"] == pytest.approx(300 * 4 * KIB)
    # 10,800 writes are 0.88 of four times the capacity; the rates are no proof of a steady state.
    assert (shown["is_complete"], shown["answer"]) == (
        False,
        "6 rounds of write saturation were measured",
    )
    [rates, tails] = shown["steps"][0]["plots"]
    assert rates["title"] == "The rate fell for good after 0.0246 to 0.0393 GB, from 1.23 MB/s to 246 kB/s"
    assert rates["series"][0]["points"][-1]["x"] == pytest.approx(10_800 * 4 * KIB / SIZE_BYTES)
    assert tails["title"].startswith("In the slowest round 99 % of the writes end within")
    assert "<svg" in get(f"{suite.suite_id}/report.html", organisation).text
    with database.transaction() as session:
        suite.session = session
        suite.load("saturation", 7, 200, (4 * KIB, 0, 32), None)
    later = get(str(suite.suite_id), organisation)
    assert later["is_complete"] is True, "12,800 writes are more than four fills"


def test_recovery_is_shown_for_another_load_and_for_idle_time(
    database: Database, organisation: str, get: Callable[..., Any]
) -> None:
    with database.transaction() as session:
        suite = Suite(session, ("cross-stimulus", "host-idle"), organisation)
        for number, rate in enumerate([100] * 5 + [500] * 5 + [50, 80, 95, 95, 95], 1):
            load = (8 * KIB, 0, 32) if 5 < number <= 10 else (1024 * KIB, 0, 32)
            suite.load("cross-stimulus", number, rate, load, 15)
        for number, (rate, idle_s) in enumerate([(100, 0), (100, 5), (100, 0), (150, 10)], 1):
            suite.load("host-idle", number, rate, (4 * KIB, 0, 32), 4, idle_before_s=idle_s)
    shown = get(str(suite.suite_id), organisation)
    assert shown["recovery"] == {"before_per_s": 100.0, "first_ratio": 0.5, "back_from_round": 3}
    assert shown["idle_gains"] == [{"idle_s": 5, "ratio": 1.0}, {"idle_s": 10, "ratio": 1.5}]
    cross, idle = (step["plots"][0] for step in shown["steps"])
    assert (
        cross["title"]
        == "After random writes sequential ones begin with 50 % of their rate and are back from round 3 on"
    )
    assert [len(series["points"]) for series in cross["series"]] == [5, 5, 5]
    assert idle["title"] == "From 10 s of idle time on the drive is faster, 1.50 times"
    assert (
        shown["steps"][1]["loads"][1]["text"] == "4 KiB, random writes, 32 under way, after 5 s without any"
    )
    assert shown["is_complete"] is True


def test_runs_that_were_cut_off_are_counted_and_not_shown(
    database: Database, organisation: str, get: Callable[..., Any]
) -> None:
    with database.transaction() as session:
        suite = Suite(session, ("throughput",), organisation)
        cut_off = suite.load("throughput", 1, 10, (128 * KIB, 100, 32), 2)
        session.get_one(Run, cut_off).outcome = "interrupted"
        again = suite.load("throughput", 1, 20, (128 * KIB, 100, 32), 2)
    shown = get(str(suite.suite_id), organisation)
    assert (shown["unfinished"], shown["is_complete"], shown["steady_state"]) == (1, False, None)
    assert shown["preparation"][-1]["text"] == "none by this suite"
    assert [load["run_id"] for load in shown["steps"][0]["loads"]] == [str(again)]
    assert shown["answer"] == "1 load was measured without proof of a steady state"


def test_others_read_what_is_published_alone(
    database: Database, organisation: str, get: Callable[..., Any]
) -> None:
    stranger = f"{organisation} and a stranger"
    with database.transaction() as session:
        suite = Suite(session, ("throughput",), organisation)
        published = suite.load("throughput", 1, 10, (128 * KIB, 100, 32), 2)
        suite.load("throughput", 2, 20, (128 * KIB, 0, 32), 2)
    get(str(suite.suite_id), stranger, status=404)
    get(str(uuid4()), organisation, status=404)
    with database.transaction() as session:
        owner = session.get_one(Run, published).organisation_id
        publication.publish(session, owner, published, (), MOMENT)
    shown = get(str(suite.suite_id), stranger)
    assert [load["run_id"] for load in shown["steps"][0]["loads"]] == [str(published)]
    assert "nvme0n1" not in str(shown)


def test_suites_are_listed_page_by_page_for_their_owner(
    database: Database, organisation: str, get: Callable[..., Any]
) -> None:
    with database.transaction() as session:
        suites = [Suite(session, ("throughput",), organisation) for _ in range(3)]
        for suite in suites:
            suite.load("throughput", 1, 10, (128 * KIB, 100, 32), 2)
            suite.load("throughput", 2, 20, (128 * KIB, 0, 32), 2)
        forged = suites[0].load("throughput", 3, 20, (128 * KIB, 0, 32), 2)
        run = session.get_one(Run, forged)
        run.plan = {"qualify": {"id": "no id", "step": "throughput"}}
    listed, cursor = [], ""
    while True:
        page = get(f"?limit=1{cursor}", organisation)
        listed += page["suites"]
        assert len(page["suites"]) == 1
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert sorted(suite["suite_id"] for suite in listed) == sorted(str(suite.suite_id) for suite in suites)
    assert [suite["began_at"] for suite in listed] == sorted(
        (suite["began_at"] for suite in listed), reverse=True
    )
    for suite in listed:
        assert (suite["title"], suite["runs"], suite["device"]) == ("Qualification of Fast One", 2, DEVICE)
        assert (suite["steps"], suite["last_step"]) == (["throughput"], "throughput")
    assert get("", f"{organisation} and a stranger") == {"suites": [], "next_cursor": None}
    get("?cursor=nowhere", organisation, status=422)


def test_settings_of_a_model_without_a_value_are_left_out() -> None:
    stated = {"device": "a model", "engine": "null", "simulated_drive": {"pages": 4096, "hot_c": None}}
    facts = [(fact.label, fact.text) for fact in _device({}, stated)]
    assert facts[1:] == [("pages", "4096")]
