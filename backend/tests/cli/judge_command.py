"""`tailroom judge` in tests: called in this process."""

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from tailroom.cli.main import build_app

APP = build_app(["judge"])
IMPORTER_SAMPLES = Path(__file__).parents[1] / "importers" / "samples"


def write(folder: Path, document: object, name: str = "latencies.json") -> Path:
    path = folder / name
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return path


def run(*words: object, check: int, given: str | None = None) -> str:
    """Standard output, or the refusal; nothing but an exit is raised."""
    done = CliRunner().invoke(APP, ["judge", *(str(word) for word in words)], input=given)
    assert isinstance(done.exception, SystemExit | None), done.exception
    assert done.exit_code == check, done.output
    return done.stderr if check == 2 else done.stdout


def summary(*words: object, check: int, given: str | None = None) -> dict[str, Any]:
    """The one object that scripts read."""
    found: dict[str, Any] = json.loads(run(*words, "--json", check=check, given=given))
    return found
