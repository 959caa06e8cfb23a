"""`tailroom compare` as a person and as a pipeline meet it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tailroom.cli.main import build_app

APP = build_app(["compare"])
SAMPLES = Path(__file__).parents[1] / "importers" / "samples"
ACT = SAMPLES / "act"
KIOXIA = "publication:kioxia-cd8p-ycsb-2025"


def run(*words: object, check: int) -> str:
    """Standard output, or the refusal."""
    done = CliRunner().invoke(APP, ["compare", *(str(word) for word in words)])
    assert isinstance(done.exception, SystemExit | None), done.exception
    assert done.exit_code == check, done.output
    return done.stderr if check == 2 else done.stdout


def document(*words: object, check: int) -> dict[str, Any]:
    """The one object that scripts read."""
    found: dict[str, Any] = json.loads(run(*words, "--json", check=check))
    return found


def distribution(folder: Path, name: str, slower: int, shift: int = 0) -> Path:
    """About a million reads around a millisecond, in fine buckets."""
    edges = [0, *(slower * edge for edge in (900_000, 950_000, 1_000_000, 1_050_000, 1_100_000)), None]
    counts = [10_000, 300_000 + shift, 400_000, 280_000, 9_000, 0]
    path = folder / name
    path.write_text(
        json.dumps(
            {"op": "read", "clock": "total", "layout": {"t": "explicit", "edges_ns": edges}, "counts": counts}
        )
    )
    return path


def test_two_single_runs_prove_no_regression_however_far_apart(tmp_path: Path) -> None:
    base, new = distribution(tmp_path, "base.json", 1), distribution(tmp_path, "new.json", 3)
    found = document(base, new, "--fail-on", "regression", check=0)
    assert found["verdict"] == "unrepeated"
    assert found["comparable"] is True
    gain = next(one for one in found["gains"] if one["quantity"] == "latency_p99_ns")
    assert gain["significant"] is False
    assert gain["record_ratio_lower"] < 3.0 < gain["record_ratio_upper"]
    assert gain["base_lower"] <= gain["base"] <= gain["base_upper"]
    assert document(base, new, "--strict", check=3)["verdict"] == "unrepeated"
    said = run(base, new, "--quiet", check=0)
    assert "; repeat each 5 times to show a change" in said


def test_repeated_runs_show_it_both_ways(tmp_path: Path) -> None:
    bases = [distribution(tmp_path, f"base-{at}.json", 1, shift=at) for at in range(3)]
    news = [distribution(tmp_path, f"new-{at}.json", 3, shift=at) for at in range(3)]
    found = document("--a", *bases, "--b", *news, check=1)
    assert found["verdict"] == "regression"
    gain = next(one for one in found["gains"] if one["quantity"] == "latency_p99_ns")
    assert gain["significant"] is True
    assert 1.0 < gain["ratio_lower"] < 3.0 < gain["ratio_upper"]
    assert document("--a", *news, "--b", *bases, check=0)["verdict"] == "improvement"
    lines = run("--a", *bases, "--b", *news, check=1).splitlines()
    assert lines[0].startswith("Regression: p99 is ")
    assert any(re.match(r"p99 .* worse$", line) for line in lines)
    assert lines[-1].startswith("3 runs against 3")


def test_a_record_against_itself_is_no_change(tmp_path: Path) -> None:
    base = distribution(tmp_path, "base.json", 1)
    assert run(base, base, check=0).startswith("No change: both records are the same.")
    assert "named twice" in run("--a", base, base, "--b", distribution(tmp_path, "new.json", 2), check=2)


def test_other_loads_are_not_compared() -> None:
    log = ACT / "act66_storage_10x_1dev_us_40s.log"
    found = document(ACT / "act60_storage_1x_1dev_us_30s.log", log, check=3)
    assert found["verdict"] == "not-comparable"
    assert any("read-reqs-per-sec" in one for one in found["reasons"])
    assert not any(one["significant"] for one in found["gains"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.log", "nowhere.log"], "there is no file"),
        ([f"{KIOXIA}#none", f"{KIOXIA}#none"], "there is:"),
        (["publication:nobody#1", "publication:nobody#1"], "there is no publication"),
        (["-", "-"], "Only one of them"),
        ([ACT / "act60_storage_1x_1dev_us_30s.log", SAMPLES / "ycsb" / "y1.stdout.txt"], "no series of"),
    ],
)
def test_bad_input_says_what_to_do(words: list[object], said: str) -> None:
    extra = ["--operation", "large-block-write"] if said == "no series of" else []
    assert said in run(*words, *extra, check=2)


def test_a_latency_is_not_compared_with_a_rate(tmp_path: Path) -> None:
    """fio counts operations and bytes, and times none where it is told so."""
    document = json.loads((SAMPLES / "fio" / "enospc.json").read_text())
    nothing = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}
    for job in document["jobs"]:
        for direction in ("read", "write", "trim"):
            job[direction] |= dict.fromkeys(("slat_ns", "clat_ns", "lat_ns"), nothing)
    rates = tmp_path / "rates.json"
    rates.write_text(json.dumps(document))
    log = ACT / "act60_storage_1x_1dev_us_30s.log"
    for words in ([log, rates], [rates, log], [log, rates, "--operation", "read"]):
        said = run(*words, check=2)
        assert f"{rates} has no latencies: a latency is not compared with a rate" in said
        assert "Measure again" in said


def test_published_figures_have_ratios_and_no_significance() -> None:
    """The vendor prints 79 % more throughput for its workload A."""
    names = [f"{KIOXIA}#test1-r1/{drive}" for drive in ("CD6-R", "CD8P-R")]
    found = document(*names, "--operation", "read", check=0)
    gains = {one["quantity"]: one for one in found["gains"]}
    assert gains["throughput_ops_per_s"]["new"] / gains["throughput_ops_per_s"]["base"] == pytest.approx(
        1.792, abs=0.001
    )
    assert not any(one["significant"] for one in found["gains"])
