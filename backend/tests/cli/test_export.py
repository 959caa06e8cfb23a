"""`tailroom export`: figures in the formats of other tools, equal to those of a comparison."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tailroom.cli.main import build_app

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
