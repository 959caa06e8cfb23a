"""Reports: the figures of page, API and command line; the same bytes but the date; nothing of others."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest
from backend.tests.reports.reading import Page
from backend.tests.reports.storing import HOSTILE
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.domain.errors import DomainError
from tailroom.kit.identifiers import new_id
from tailroom.reports import endpoints
from tailroom.reports.file_report import report_of_files
from tailroom.reports.file_verdicts import read_runs, verdicts_of
from tailroom.reports.page import NAMED_QUANTILES, page_of
from tailroom.reports.printing import PangoMissing

SAMPLES = Path(__file__).parents[1] / "importers" / "samples"
MEMTIER = SAMPLES / "memtier" / "given1.json"
MADE_AT = datetime(2026, 11, 22, tzinfo=UTC)
Header = dict[str, str]


def page_of_files(path: Path, made_at: datetime = MADE_AT) -> str:
    files = {path.name: path.read_bytes()}
    runs = read_runs(files)
    return page_of(report_of_files(files, runs, verdicts_of(runs), made_at))


def without_dates(page: str, *moments: datetime) -> str:
    for one in moments:
        for text in (one.isoformat(timespec="seconds"), f"{one:%Y-%m-%d %H:%M}", f"{one:%Y-%m-%d}"):
            page = page.replace(text, "")
    return page


def test_the_same_files_give_the_same_bytes_but_the_date() -> None:
    later = MADE_AT + timedelta(days=400)
    assert page_of_files(MEMTIER) == page_of_files(MEMTIER)
    first, second = page_of_files(MEMTIER), page_of_files(MEMTIER, later)
    assert without_dates(first, MADE_AT) == without_dates(second, later)


@pytest.mark.parametrize(
    "name",
    ["memtier/given1.json", "hdr_log", "fio", "act", "pgbench", "ycsb", "agent", "distribution"],
)
def test_every_kind_of_file_makes_a_report(name: str) -> None:
    found = SAMPLES / name
    paths = [found] if found.is_file() else sorted(one for one in found.rglob("*") if one.is_file())
    made = 0
    for path in paths[:6]:
        try:
            page = page_of_files(path)
        except DomainError:  # samples of what cannot be read are among them
            continue
        assert "<h2>Verdicts</h2>" in page
        assert "Undefined" not in page
        made += 1
    assert made


def test_a_report_of_a_run_has_the_percentiles_and_rows_of_the_api(
    client: TestClient, viewer: Header, store: Callable[..., UUID]
) -> None:
    run_id = store()
    answer = client.get(f"/api/v1/runs/{run_id}/report.html", headers=viewer)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    page = Page(answer.text)
    percentiles = client.get(f"/api/v1/runs/{run_id}/percentiles", headers=viewer).json()
    run = client.get(f"/api/v1/runs/{run_id}", headers=viewer).json()
    compared = 0
    for curve in percentiles["curves"]:
        for point in curve["points"]:
            if point["quantile"] in NAMED_QUANTILES:
                shown = page.quantiles[curve["operation"], curve["clock"], point["quantile"]]
                assert shown == {"lower": point["lower_ns"], "upper": point["upper_ns"]}
                compared += 1
    assert compared >= 8
    for verdict in run["verdicts"]:
        shown_verdict = page.verdicts[verdict["budget"]["name"]]
        ends = ("observed_lower", "observed_upper", "value_lower", "value_upper")
        rows = [row[name] for row in verdict["rows"] for name in ends if row[name] is not None]
        assert shown_verdict["rows"] == rows
        for end in ("lower", "upper"):
            assert shown_verdict.get(f"observed-{end}") == verdict["observed"][end]
        if verdict["transaction"] and "room-lower" in shown_verdict:
            assert shown_verdict["room-lower"] == verdict["transaction"]["room_lower_ns"]


def test_a_report_of_a_file_has_the_figures_of_judge(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    made = CliRunner().invoke(
        build_app(["report", "judge"]), ["report", str(MEMTIER), "--output", str(target)]
    )
    assert made.exit_code == 0, made.output
    page = Page(target.read_text())
    for name, shown in page.verdicts.items():
        command = ["judge", str(MEMTIER), "--budget", name, "--json"]
        judged = json.loads(CliRunner().invoke(build_app(["report", "judge"]), command).stdout)
        assert (shown["verdict"], shown["strength"]) == (judged["verdict"], judged["strength"])
        assert judged["words"] in page.text
        ends = ("observed_lower", "observed_upper", "value_lower", "value_upper")
        assert shown["rows"] == [row[one] for row in judged["rows"] for one in ends if row[one] is not None]
        assert shown.get("headline-lower") == judged["headline"]["lower"]
    assert page.verdicts


def test_beside_a_pass_stands_which_other_question_fails() -> None:
    page = page_of_files(MEMTIER)
    answer = page[page.index('class="answer"') : page.index("<h2>What was measured</h2>")]
    assert "PASS in this run" in answer
    assert "Fails M2G2, with 99.99 % of requests under 1 ms." in answer


def test_what_somebody_wrote_is_text(client: TestClient, viewer: Header, store: Callable[..., UUID]) -> None:
    run_id = store(title=HOSTILE, host={"hostname": HOSTILE, HOSTILE: [{"x": HOSTILE}]})
    page = client.get(f"/api/v1/runs/{run_id}/report.html", headers=viewer).text
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_a_report_comes_as_pdf_or_says_why_not(
    client: TestClient, viewer: Header, store: Callable[..., UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = store()

    def missing(page: str) -> bytes:
        raise PangoMissing("this machine has no Pango")

    monkeypatch.setattr(endpoints, "pdf_of", missing)
    answer = client.get(f"/api/v1/runs/{run_id}/report.pdf", headers=viewer)
    assert (answer.status_code, answer.json()["code"]) == (503, "pdf-unavailable")
    assert answer.json()["detail"] == "This machine has no Pango."

    def printed(page: str) -> bytes:
        assert "<h2>Verdicts</h2>" in page
        return b"%PDF-1.7"

    monkeypatch.setattr(endpoints, "pdf_of", printed)
    answer = client.get(f"/api/v1/runs/{run_id}/report.pdf", headers=viewer)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")


def test_others_see_a_report_while_the_run_is_public(
    client: TestClient, viewer: Header, make_token: Callable[..., str], store: Callable[..., UUID]
) -> None:
    run_id = store()
    own = {"Authorization": f"Bearer {make_token('engineer')}"}
    other = {"Authorization": f"Bearer {make_token('viewer', 'somebody else')}"}
    path = f"/api/v1/runs/{run_id}/report.html"
    assert client.get(path, headers=other).status_code == 404
    client.post(f"/api/v1/runs/{run_id}/publish", headers=own)
    assert client.get(path, headers=other).status_code == 200
    client.post(f"/api/v1/runs/{run_id}/retract", headers=own, json={"reason": "a cable"})
    gone = client.get(path, headers=other)
    assert (gone.status_code, gone.json()["code"]) == (410, "run-retracted")
    assert client.get(path, headers=viewer).status_code == 200


def test_other_forms_and_runs_are_refused(client: TestClient, viewer: Header) -> None:
    assert client.get(f"/api/v1/runs/{new_id()}/report.html", headers=viewer).status_code == 404
    assert client.get(f"/api/v1/runs/{new_id()}/report.docx", headers=viewer).status_code == 422


@pytest.mark.parametrize(
    ("output", "said"), [("r.docx", "neither in .html nor in .pdf"), ("r.html", "not made")]
)
def test_the_command_says_what_is_wrong(tmp_path: Path, output: str, said: str) -> None:
    (tmp_path / "junk").write_text("nothing")
    command = ["report", str(tmp_path / "junk"), "--output", str(tmp_path / output)]
    done = CliRunner().invoke(build_app(["report", "judge"]), command)
    assert done.exit_code == 2
    assert said in done.output
