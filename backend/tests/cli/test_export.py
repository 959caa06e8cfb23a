"""`tailroom export`: figures in the formats of other tools, equal to those of a comparison."""

import json
import re
from pathlib import Path

import pytest
from arro3.io import read_parquet
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.cli.result_files import runs_of

LOG = Path(__file__).parents[1] / "importers" / "samples" / "ycsb" / "y1.stdout.txt"
ACT = Path(__file__).parents[1] / "importers" / "samples" / "act" / "act66_storage_3x_1dev_us_90s.log"
APP = build_app(["export", "compare"])


def export(file: Path, to: str) -> str:
    done = CliRunner().invoke(APP, ["export", str(file), "--to", to])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("file", [LOG, ACT], ids=["ycsb", "act"])
def test_bencher_has_the_figures_of_a_comparison(file: Path) -> None:
    document = json.loads(export(file, "bencher"))
    compared = json.loads(CliRunner().invoke(APP, ["compare", str(file), str(file), "--json"]).stdout)
    exported = document[compared["operation"]]
    known = [gain for gain in compared["gains"] if gain["base_upper"] is not None]
    assert exported == {
        gain["quantity"]: {
            "value": gain["base"],
            "lower_value": gain["base_lower"],
            "upper_value": gain["base_upper"],
        }
        for gain in known
    }
    assert len(known) > 3


def test_github_has_smaller_is_better_and_no_rate() -> None:
    rows = json.loads(export(ACT, "github"))
    assert {"name", "unit", "value", "range"} == set(rows[0])
    assert not any("throughput" in row["name"] for row in rows)
    assert any(row["name"] == "read over 8 ms" and row["unit"] == "share" for row in rows)
    bounds = [tuple(map(float, row["range"].split("–"))) for row in rows if row["name"].startswith("read ")]
    exact = json.loads(export(ACT, "bencher"))["read"]
    assert bounds == [
        (figure["lower_value"], figure["upper_value"])
        for quantity, figure in exact.items()
        if quantity != "throughput_ops_per_s"
    ]


def test_prometheus_has_both_ends_in_base_units() -> None:
    lines = export(LOG, "prometheus").splitlines()
    assert lines[0] == "# TYPE tailroom_run gauge"
    form = re.compile(r'tailroom_run\{operation="[^"]+",quantity="[^"]+",end="(lower|upper)"\} [0-9.e+-]+')
    assert all(form.fullmatch(line) for line in lines[1:])
    assert any('quantity="latency_p99_seconds"' in line for line in lines)


def test_a_budget_is_written_for_openslo_and_judged_by_again(tmp_path: Path) -> None:
    written = CliRunner().invoke(build_app(["export"]), ["export", "act-limits", "--to", "openslo"])
    assert written.exit_code == 0, written.output
    slo = tmp_path / "slo.yaml"
    slo.write_text(written.stdout)
    sample = Path(__file__).parents[1] / "importers/samples/act/act66_storage_3x_1dev_us_90s.log"
    answers = [
        CliRunner().invoke(build_app(["judge"]), ["judge", str(sample), "--budget", budget, "--json"])
        for budget in (str(slo), "act-limits")
    ]
    by_slo, by_name = (json.loads(answer.stdout)["verdict"] for answer in answers)
    assert by_slo == by_name == "FAIL"
    slo.write_text("a: [")
    broken = CliRunner().invoke(build_app(["judge"]), ["judge", str(sample), "--budget", str(slo)])
    assert (broken.exit_code, "no YAML" in broken.stderr) == (2, True)
    refused = CliRunner().invoke(build_app(["export"]), ["export", "fraud-250-sequential", "--to", "openslo"])
    assert (refused.exit_code, "more than a share" in refused.stderr) == (2, True)


def test_parquet_has_every_interval_with_its_buckets(tmp_path: Path) -> None:
    path = tmp_path / "intervals.parquet"
    done = CliRunner().invoke(APP, ["export", str(ACT), "--to", "parquet", "--output", str(path)])
    assert done.exit_code == 0, done.output
    rows = read_parquet(path).read_all().to_struct_array().to_pylist()
    (run,) = runs_of(str(ACT), None)
    of_series = {series.operation: series for series in run.series if series.device is None}
    reads = [row for row in rows if row["operation"] == "read" and row["device"] is None]
    intervals = of_series["read"].intervals
    assert intervals is not None
    assert [row["start_ns"] for row in reads] == intervals.start_ns.tolist()
    assert [row["operations"] for row in reads] == intervals.count.tolist()
    for row in reads:
        assert sum(row["bucket_operations"]) == row["operations"]
        ends = list(zip(row["bucket_lower_ns"], row["bucket_upper_ns"], strict=True))
        assert all(upper is None or lower < upper for lower, upper in ends)
    assert sum(sum(row["bucket_operations"]) for row in reads) == of_series["read"].record.total
    assert f"{len(rows):,} intervals" in done.stderr


def test_parquet_needs_a_file_to_write_and_intervals(tmp_path: Path) -> None:
    for words, why in (
        ([str(ACT)], "--output FILE"),
        ([str(LOG), "--output", str(tmp_path / "x.parquet")], "no intervals"),
        ([str(ACT), "--output", str(tmp_path / "no" / "x.parquet")], "cannot be written"),
    ):
        done = CliRunner().invoke(APP, ["export", *words, "--to", "parquet"])
        assert (done.exit_code, why in done.stderr) == (2, True), done.output
