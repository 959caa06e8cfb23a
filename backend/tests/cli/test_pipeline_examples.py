"""The examples for pipelines do what they say: their commands are run, on a real result."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "docs" / "examples"
RUNS_OF_A_PIPELINE = 5
USABLE = {0, 1, 3}
"""What a gate may end with; 2 is a command that was not understood."""


def github() -> list[str]:
    steps = yaml.safe_load((EXAMPLES / "github-actions.yml").read_text())["jobs"]["latency"]["steps"]
    return [one["run"] for one in steps if "run" in one]


def gitlab() -> list[str]:
    script: Any = yaml.safe_load((EXAMPLES / "gitlab-ci.yml").read_text())["latency"]["script"]
    return list(script)


def result(path: Path, number: int, slower: float) -> None:
    """Write a run of its own: the levels of runs differ by a tenth of a per cent."""
    edges_ns = [0, *(round(slower * edge) for edge in range(100_000, 1_000_000, 2_000)), None]
    counts = [1_000 + 7 * (number + bucket) % 13 for bucket in range(len(edges_ns) - 1)]
    layout = {"t": "explicit", "edges_ns": edges_ns}
    path.write_text(json.dumps({"op": "read", "clock": "response", "layout": layout, "counts": counts}))


PIPELINES = pytest.mark.parametrize(
    ("commands", "ends_with"), [(github(), [0, 0, 1]), (gitlab(), [0, 1])], ids=["github", "gitlab"]
)
"""Each ends with 1 where the last results are slower; one measures the same again before."""


@PIPELINES
def test_the_commands_of_a_pipeline_run_and_find_a_regression(
    commands: list[str], ends_with: list[int], tmp_path: Path
) -> None:
    """Run with the command line of this environment in the place of the one that would be installed."""
    for name, content in {
        "bin/python3": "mkdir -p .tailroom-cli/bin; cp "
        + str(tmp_path / "bin" / "*")
        + " .tailroom-cli/bin/",
        "bin/pip": f'test -f "$2/pyproject.toml" && test "$2" = "{ROOT}/backend"',
        "bin/tailroom": f'exec "{sys.executable}" -m tailroom.cli.main "$@"',
    }.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"#!/bin/sh\n{content}\n")
        file.chmod(0o755)
    environment = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    assert_last_pipeline_finds_a_regression(commands, ends_with, tmp_path, environment)


@pytest.mark.skipif(
    os.environ.get("TAILROOM_TEST_EXAMPLES") != "yes",
    reason="installs from a package index: make test-examples",
)
@PIPELINES
def test_a_pipeline_in_a_clean_environment_installs_and_finds_a_regression(
    commands: list[str], ends_with: list[int], tmp_path: Path
) -> None:
    """Run every command as written: a new virtual environment, and pip, which builds and installs a wheel."""
    index = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "HTTP", "http"))}
    outside = [folder for folder in os.environ["PATH"].split(":") if not folder.startswith(str(ROOT))]
    environment = {**index, "PATH": ":".join(outside)}
    assert_last_pipeline_finds_a_regression(commands, ends_with, tmp_path, environment)
    installed = tmp_path / "checkout" / ".tailroom-cli" / "bin" / "tailroom"
    place = subprocess.run(
        [installed.with_name("python"), "-c", "import tailroom; print(tailroom.__path__[0])"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env=environment,
    )
    assert place.stdout.startswith(str(tmp_path))


def assert_last_pipeline_finds_a_regression(
    commands: list[str], ends_with: list[int], tmp_path: Path, environment: dict[str, str]
) -> None:
    """Run pipelines: the first without a baseline, the last slower by a third, others equal."""
    place = tmp_path / "checkout"
    (place / "runs").mkdir(parents=True)
    bench = place / "bench.sh"
    bench.write_text('#!/bin/sh\nn=$(cat number); cat "runs/$n.json"; echo $((n + 1)) > number\n')
    bench.chmod(0o755)
    (place / "number").write_text("0")
    first_slower = RUNS_OF_A_PIPELINE * (len(ends_with) - 1)
    for number in range(first_slower + RUNS_OF_A_PIPELINE):
        result(place / "runs" / f"{number}.json", number, 1.33 if number >= first_slower else 1.0)
    environment = {
        **environment,
        "HOME": str(tmp_path),
        "TAILROOM_SOURCE": str(ROOT),
        "GITHUB_STEP_SUMMARY": str(place / "summary.md"),
        "CI_COMMIT_BRANCH": "main",
        "CI_DEFAULT_BRANCH": "main",
    }
    ended = []
    for _ in ends_with:
        codes = []
        for command in commands:
            if "--a baseline" in command and not (place / "baseline").is_dir():
                continue
            done = subprocess.run(
                ["bash", "-c", command], cwd=place, env=environment, capture_output=True, check=False
            )
            assert done.returncode in USABLE, (command, done.stderr)
            codes.append(done.returncode)
            if done.returncode:
                break
        ended.append(max(codes))
    assert ended == ends_with
    assert (place / "evidence.zip").exists()
    assert (place / "compared.xml").read_text().count("<testcase") > 3
