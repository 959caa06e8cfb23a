"""What a tool prints of its latencies is stored and shown beside what the stored data support."""

from pathlib import Path

import pytest
from backend.tests.uploads.conftest import SAMPLES, Uploader

from tailroom.domain.tools import TOOLS
from tailroom.importers.inspection import inspect_paths


@pytest.mark.parametrize("name", ["ycsb/y1.stdout.txt", "fio/normal_mix.txt", "db_bench/two.txt"])
def test_printed_latencies_are_those_of_inspect_with_the_supported_interval(
    uploader: Uploader, name: str
) -> None:
    path = SAMPLES / name
    run_id = uploader.send_paths(path)["runs"][0]["run_id"]
    uploader.judged(run_id)
    curves = uploader.get(f"/runs/{run_id}/percentiles")["curves"]
    shown = {
        (curve["operation"], curve["clock"], one["statistic"], one["quantile"], one["printed"])
        for curve in curves
        for one in curve["printed"]
    }
    (found,) = inspect_paths([path], [str(path)], 3600, (1_000_000,))
    expected = {
        (
            series["operation"],
            series["clock"],
            claim["quantity"].removeprefix("latency_").removesuffix("_ns"),
            claim["quantile"],
            claim["printed"],
        )
        for series in found.document["series"]
        for claim in series["printed"]
    }
    assert expected
    assert shown == expected
    quantiles = [one for curve in curves for one in curve["printed"] if one["statistic"] == "quantile"]
    assert quantiles
    for curve in curves:
        points = {point["quantile"]: (point["lower_ns"], point["upper_ns"]) for point in curve["points"]}
        for one in curve["printed"]:
            if one["quantile"] in points and one["part"] is None:
                assert (one["lower_ns"], one["upper_ns"]) == points[one["quantile"]]


def test_what_no_tool_printed_is_not_shown(uploader: Uploader) -> None:
    run_id = uploader.send_paths(SAMPLES / "act" / "act40_1x_1dev_ms_60s.log")["runs"][0]["run_id"]
    uploader.judged(run_id)
    assert all(one["printed"] == [] for one in uploader.get(f"/runs/{run_id}/percentiles")["curves"])


def test_formats_are_the_table_of_tools(uploader: Uploader) -> None:
    tools = uploader.get("/formats")["tools"]
    assert [one["tool"] for one in tools] == [one.name for one in TOOLS]
    assert all(form["reads"] for one in tools for form in one["forms"])
    table = Path(__file__).parents[3] / "docs" / "importers.md"
    text = table.read_text("utf-8")
    assert all(form["kind"] in text for one in tools for form in one["forms"])
