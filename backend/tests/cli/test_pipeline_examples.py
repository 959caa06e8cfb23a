"""The examples for pipelines do what they say: their commands are run, on a real result."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "docs" / "examples"
RESULT = ROOT / "backend" / "tests" / "importers" / "samples" / "agent" / "fraud-null-4s.ndjson"
USABLE = {0, 1, 3}
"""What a gate may end with; 2 is a command that was not understood."""


def github() -> list[str]:
    steps = yaml.safe_load((EXAMPLES / "github-actions.yml").read_text())["jobs"]["latency"]["steps"]
    return [one["run"] for one in steps if "run" in one]


def gitlab() -> list[str]:
    script: Any = yaml.safe_load((EXAMPLES / "gitlab-ci.yml").read_text())["latency"]["script"]
    return list(script)


@pytest.mark.parametrize("commands", [github(), gitlab()], ids=["github", "gitlab"])
def test_the_commands_of_a_pipeline_run(commands: list[str], tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, content in {
        "pip": "exit 0",
        "tailroom": f'exec "{sys.executable}" -m tailroom.cli.main "$@"',
    }.items():
        (tools / name).write_text(f"#!/bin/sh\n{content}\n")
        (tools / name).chmod(0o755)
    place = tmp_path / "checkout"
    place.mkdir()
    (place / "bench.sh").write_text(f'#!/bin/sh\ncat "{RESULT}"\n')
    (place / "bench.sh").chmod(0o755)
    environment = {
        "PATH": f"{tools}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(place / "summary.md"),
        "CI_COMMIT_BRANCH": "main",
        "CI_DEFAULT_BRANCH": "main",
    }
    ended: list[int] = []
    # Twice: the first time there is no baseline, the second time that of the first.
    for round_no in range(2):
        for command in commands:
            if "compare" in command and "if [ -f" not in command and round_no == 0:
                continue
            done = subprocess.run(
                ["bash", "-c", command], cwd=place, env=environment, capture_output=True, check=False
            )
            assert done.returncode in USABLE, (command, done.stderr)
            ended.append(done.returncode)
    assert (place / "evidence.zip").exists()
    assert (place / "compared.xml").read_text().count("<testcase") > 3
    assert 1 not in ended, "the same result is no regression"
