"""Plans that pages and documents offer: each is explained by the real agent, for one host and for several."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from backend.tests.programs import AGENT

ROOT = Path(__file__).parents[3]
TEMPLATES = ROOT / "frontend" / "src" / "features" / "campaigns" / "templates.ts"
_PRINTED = "import('{}').then(({{ TEMPLATES }}) => console.log(JSON.stringify(TEMPLATES)))"


def of_pages(folder: Path) -> dict[str, str]:
    """The templates of the campaigns page, as it shows them."""
    # What it has beside JavaScript is what a type checker alone reads.
    text = re.sub(r"^export type .*$", "", TEMPLATES.read_text(), flags=re.MULTILINE)
    text = text.replace("(letter: string, mix: string): string", "(letter, mix)").replace("} as const", "}")
    module = folder / "templates.mjs"
    module.write_text(text)
    printed = subprocess.run(
        ["node", "-e", _PRINTED.format(module)], capture_output=True, text=True, check=True, timeout=60
    )
    return {name: one["plan"] for name, one in json.loads(printed.stdout).items()}


def of_documents() -> dict[str, str]:
    """Every whole plan for a database or for drives in the documents."""
    found = {}
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for number, block in enumerate(re.findall(r"```\w*\n(.*?)```", path.read_text(), re.DOTALL)):
            is_plan = re.search(
                r'^workload = "(fraud|keyvalue|drive-ladder|sync-write)"$', block, re.MULTILINE
            )
            if is_plan or re.search(r"^recordcount=", block, re.MULTILINE):
                found[f"{path.relative_to(ROOT)} {number}"] = block
    return found


def explained(path: Path, plan: str, agents: int) -> subprocess.CompletedProcess[str]:
    path.write_text(plan)
    command = [str(AGENT), "explain", str(path), "--agents", str(agents)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("agents", [1, 3])
def test_every_plan_that_is_offered_is_explained(tmp_path: Path, agents: int) -> None:
    pages, documents = of_pages(tmp_path), of_documents()
    assert {"fraud", "ycsbSuite", "keyvalue", "drives", "syncWrites"} <= set(pages)
    assert len(documents) >= 3, documents
    for name, plan in (pages | documents).items():
        answer = explained(tmp_path / "plan", plan, agents)
        assert answer.returncode == 0, f"{name}: {answer.stderr}"
        said = json.loads(answer.stdout)
        assert said["phases"], name
        assert not [one for one in said["notices"] if "Cannot be run" in one], name


def test_a_setting_of_a_newer_agent_is_refused_by_name_and_line(tmp_path: Path) -> None:
    plan = "recordcount=10\noperationcount=10\ntailroom.newest=1\n"
    answer = explained(tmp_path / "plan", plan, 1)
    assert answer.returncode == 2
    assert "line 3: tailroom.newest: is not known to this version of the agent" in answer.stderr
