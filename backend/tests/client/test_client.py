"""The Python client against a real server: pages, figures, refusals, files, data frames."""

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from backend.tests.reports.storing import stored

from tailroom.kit.db import Database
from tailroom.reports.verification import verify
from tailroom_client import Client, MissingFromRun, Refused
from tailroom_client.frames import (
    figures_frame,
    leaderboard_frame,
    percentiles_frame,
    runs_frame,
    trend_frame,
)


@pytest.fixture
def store(database: Database, organisation: str) -> Iterator[Callable[..., UUID]]:
    with stored(database, organisation) as add:
        yield add


@pytest.fixture
def tailroom(server_address: str, make_token: Callable[..., str]) -> Iterator[Client]:
    with Client(server_address, make_token("viewer")) as found:
        yield found


def test_lists_are_read_page_by_page(tailroom: Client, store: Callable[..., UUID]) -> None:
    made = [store(title=f"run {number}") for number in range(3)]
    found = list(tailroom.runs(scope="mine", page=2))
    assert {one.run_id for one in found} == set(made)
    assert all(one.verdicts for one in found)
    assert [one.title for one in tailroom.runs(scope="mine", sort="title", page=1)] == [
        "run 0",
        "run 1",
        "run 2",
    ]
    assert [one.run_id for one in tailroom.runs(scope="mine", q="run 1")] == [made[1]]
    frame = runs_frame(found)
    assert list(frame["run_id"]) == [str(one.run_id) for one in found]
    assert frame[found[0].verdicts[0].budget_name][0] == found[0].verdicts[0].verdict


def test_figures_percentiles_and_comparisons(tailroom: Client, store: Callable[..., UUID]) -> None:
    first, second = store(), store()
    figures = tailroom.figures(first)
    p99 = figures.of_operation("read").figure("latency_p99_ns")
    assert p99.upper is not None
    assert 0 < p99.lower <= p99.upper
    with pytest.raises(MissingFromRun, match="there is read"):
        figures.of_operation("fsync")
    with pytest.raises(MissingFromRun, match="latency_p99_ns"):
        figures.of_operation("read").figure("latency_p12_ns")
    frame = figures_frame(figures)
    row = frame[(frame["operation"] == "read") & (frame["quantity"] == "latency_p99_ns")].iloc[0]
    assert (row["lower"], row["upper"]) == (p99.lower, p99.upper)
    curves = tailroom.percentiles(first)
    assert len(percentiles_frame(curves)) == sum(len(one.points) for one in curves)
    compared = tailroom.compare(first, second, operation="read")
    assert compared.pairs[0].verdict in {"no-change", "not-shown", "not-comparable"}
    assert any(one.quantity == "latency_p99_ns" for one in compared.pairs[0].gains)


def test_reports_and_packs(tailroom: Client, store: Callable[..., UUID], tmp_path: Path) -> None:
    run_id = store()
    assert tailroom.report(run_id).startswith(b"<!doctype html>")
    assert tailroom.report(run_id, "csv").startswith(b"kind,subject,")
    pack = tailroom.save_pack(run_id, tmp_path / "pack.zip")
    assert verify(pack.read_bytes()).ok


def test_the_leaderboard_and_what_is_withdrawn_from_it(tailroom: Client) -> None:
    rows = list(tailroom.leaderboard(equal=False, vendor="Intel", page=2))
    assert len({one.raw["row_id"] for one in rows}) == len(rows) > 2
    assert all(one.drive.startswith("Intel ") for one in rows)
    shown = leaderboard_frame(rows)
    assert list(shown["passed_load"].dropna()) == [one.passed_load for one in rows if one.passed_load]
    assert all(one.reason is None or one.reason for one in tailroom.withdrawn(vendor="Intel"))


def test_refusals_say_what_the_server_says(
    tailroom: Client, server_address: str, store: Callable[..., UUID]
) -> None:
    with pytest.raises(Refused, match="There is no run") as found:
        tailroom.run(uuid4())
    assert (found.value.status, found.value.code) == (404, "run-unknown")
    run_id = store()
    with Client(server_address, "tlr_nonsense") as stranger, pytest.raises(Refused) as refused:
        stranger.run(run_id)
    assert refused.value.status == 401


def test_watches_and_trends(
    tailroom: Client, server_address: str, store: Callable[..., UUID], make_token: Callable[..., str]
) -> None:
    run_id = store(title="nightly")
    with Client(server_address, make_token("engineer")) as engineer:
        body = {"name": "n", "run_title": "nightly", "budget_name": "act-limits"}
        assert engineer._http.post("/api/v1/watches", json=body).status_code == 201
    [watch] = tailroom.watches()
    trend = tailroom.trend(watch.watch_id)
    assert [one.run_id for one in trend.points] == [run_id]
    assert trend.points[0].verdict == watch.verdict
    later = store(title="branch")
    found = tailroom.compare_with_baseline("N", later)
    assert (found.branch, found.basis) == ("n", "latest_run")
    assert found.comparison.pairs[0].verdict == found.verdict
    frame = trend_frame(trend)
    shown = {one.quantity: one.lower for one in tailroom.figures(run_id).of_operation("read").figures}
    assert dict(zip(frame["quantity"], frame["lower"], strict=True)).items() <= shown.items()
    assert not frame["is_step"].any()
