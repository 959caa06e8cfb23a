"""The same figures by every door, digit by digit: page, API, CSV, report, pack, client, `judge`.

The page shows what `/runs/{id}` and `/sla/evaluate` answer, with the text that they bring along.
"""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from backend.tests.reports.reading import Page
from backend.tests.reports.storing import stored
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.kit.db import Database
from tailroom.reports.packing import REPORT, VERDICTS
from tailroom_client import Client

Said = dict[str, tuple[Any, ...]]
"""By budget: verdict, strength, lower and upper bound of the headline, what is asked, and proven bounds."""


@pytest.fixture
def run_id(database: Database, organisation: str) -> Iterator[UUID]:
    with stored(database, organisation) as add:
        yield add()


def _said(verdicts: list[dict[str, Any]]) -> Said:
    found: Said = {}
    for one in verdicts:
        head = one["headline"] or {}
        bounds = (head.get("lower"), head.get("upper"), head.get("asked"))
        proven = (one["proven"]["lower"], one["proven"]["upper"])
        found[one["budget"]["name"]] = (one["verdict"], one["strength"], *bounds, *proven)
    return found


def _number(text: str) -> float | None:
    return float(text) if text else None


def _of_report(page: Page) -> Said:
    return {
        name: (
            one["verdict"],
            one["strength"],
            *(one.get(f"headline-{end}") for end in ("lower", "upper", "asked")),
            *(one.get(f"proven-{end}") for end in ("lower", "upper")),
        )
        for name, one in page.verdicts.items()
    }


def test_one_calculation_for_each_number(  # noqa: PLR0915 - seven doors
    client: TestClient,
    server_address: str,
    run_id: UUID,
    make_token: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    token = make_token("viewer")
    headers = {"Authorization": f"Bearer {token}"}

    def get(path: str) -> Any:
        answer = client.get(f"/api/v1/runs/{run_id}{path}", headers=headers)
        assert answer.status_code == 200, answer.text
        return answer

    # Door 1, the page: what it is sent, headlines as the text that it shows.
    run = get("").json()
    page = _said(run["verdicts"])
    texts = {one["budget"]["name"]: (one["words"], one["headline"]["text"]) for one in run["verdicts"]}
    names = sorted(page)
    assert len(names) >= 2, "a run without verdicts would prove nothing"
    # Door 2, the API that judges anew.
    for one in run["verdicts"]:
        budget = {key: one["budget"][key] for key in ("name", "version")}
        body = {"subject": {"run_id": str(run_id)}, "budget": budget, "detail": "full"}
        answer = client.post("/api/v1/sla/evaluate", json=body, headers=headers).json()
        for name in ("verdict", "strength", "words", "observed", "proven", "headline"):
            assert answer[name] == one[name], name
    # Door 3, CSV.
    rows = list(csv.DictReader(io.StringIO(get("/report.csv").text)))
    table: Said = {}
    for row in rows:
        if row["kind"] == "verdict":
            columns = ("lower", "upper", "asked", "lower_limit", "upper_limit")
            bounds = (_number(row[name]) for name in columns)
            table[row["quantity"]] = (row["verdict"], row["strength"] or None, *bounds)
            assert row["words"] == texts[row["quantity"]][0]
    # Door 4, the report; door 5, the pack with the report inside.
    report = Page(get("/report.html").text)
    with zipfile.ZipFile(io.BytesIO(get("/pack.zip").content)) as archive:
        packed = json.loads(archive.read(VERDICTS))
        in_pack = Page(archive.read(REPORT).decode())
    verdicts = [one["verdict"] | {"budget": {"name": one["budget"]["name"]}} for one in packed]
    # Door 6, the client.
    with Client(server_address, token) as tailroom:
        found, figures = tailroom.run(run_id), tailroom.figures(run_id)
        compared = tailroom.compare(
            run_id, "publication:kioxia-cd8p-ycsb-2025#test1-r1/CD6-R", operation="read"
        )
    of_client: Said = {}
    for one in found.verdicts:
        head = one.headline
        assert head is not None
        proven = one.raw["proven"]
        of_client[one.budget_name] = (
            *(one.verdict, one.strength),
            *(head.lower, head.upper, head.asked, proven["lower"], proven["upper"]),
        )
        assert one.words == texts[one.budget_name][0]
    # Door 7, `judge`, which reads the intervals and judges them on its own.
    monkeypatch.setenv("TAILROOM_SERVER", server_address)
    monkeypatch.setenv("TAILROOM_TOKEN", token)
    judged: Said = {}
    for name in names:
        words = ["judge", f"{server_address}/runs/{run_id}", "--budget", name, "--json"]
        printed = json.loads(CliRunner().invoke(build_app(["judge"]), words).stdout)
        judged |= _said([printed | {"budget": {"name": name}}])
        assert (printed["words"], printed["headline"]["text"]) == texts[name]
    assert table == page
    assert _of_report(report) == page
    for words, text in texts.values():
        assert words in report.text
        assert text in report.text
    assert of_client == page
    assert judged == page
    in_verdicts = _said(verdicts)
    both = in_verdicts.keys() & page.keys()
    assert both
    for name in both:
        assert in_verdicts[name] == page[name] == _of_report(in_pack)[name]

    # A figure: the same two ends as API, CSV, report, client, and as base of a comparison.
    api = get("/figures").json()
    (read,) = [one for one in api["operations"] if one["operation"] == "read"]
    gains = {one["quantity"]: one for one in compared.raw["pairs"][0]["gains"]}
    for figure in read["figures"]:
        both_ends = (figure["lower"], figure["upper"])
        (row,) = [
            one
            for one in rows
            if one["kind"] == "figure" and (one["operation"], one["quantity"]) == ("read", figure["quantity"])
        ]
        assert (_number(row["lower"]), _number(row["upper"])) == both_ends
        of_one = figures.of_operation("read").figure(figure["quantity"])
        assert (of_one.lower, of_one.upper) == both_ends
        # Ends stand before limits, which bear the same names.
        shown = dict(reversed(report.figures["read", read["clock"], figure["quantity"]]))
        assert (shown.get("lower"), shown.get("upper")) == both_ends
        if figure["quantity"] in gains:
            assert (
                gains[figure["quantity"]]["base_lower"],
                gains[figure["quantity"]]["base_upper"],
            ) == both_ends
