"""Everything that the OpenAPI document allows and forbids, tried by schemathesis; the seed decides all.

For the test of the API and `make bench-hostile`: a process of its own sends the cases to a server and follows
the links between answers and questions.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
from backend.tests.agent import Agent, Answer, interval

from tailroom.access.authenticator import COOKIE_NAME
from tailroom.kit.identifiers import new_id

CONTRACT = Path(__file__).parents[2] / "docs/contracts/openapi.json"
FILE = Path(__file__).parent / "importers/samples/act/act40_1x_1dev_ms_60s.log"
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "allow_header_conformance",
    "use_after_free",
)
Known = Mapping[str, Sequence[str]]
_DELETED = "what is deleted"
_VICTIMS = 3
_ENDS_ASKING = ("delete_session", "end_session", "leave_organisation", "require_second_factor")
"""After these a person would ask everything else as nobody."""


@dataclass(frozen=True)
class Tried:
    """What came of the cases of one caller."""

    cases: int
    failures: Sequence[str]
    """Kind of each failure with the operations that it was found in."""
    output: str


def store(url: str, agent_token: str, engineer_token: str) -> Known:
    """Stores runs, an upload and a drive; names that cases shall use besides invented ones, by parameter."""
    engineer = {"Authorization": f"Bearer {engineer_token}"}
    with httpx.Client(base_url=url, timeout=60) as client:
        runs = [Agent(client, agent_token) for _ in range(1 + _VICTIMS)]
        answers: list[Answer] = [one.announce() for one in runs]
        answers.append(runs[0].send([interval(no, seq) for no in (0, 1) for seq in range(20)]))
        answers.append(runs[0].finish({0: 19, 1: 19}))
        upload = client.post(
            "/api/v1/uploads", headers=engineer, files={"files": (FILE.name, FILE.read_bytes())}
        )
        drive = {"vendor": "Maker", "name": f"D {new_id()}", "source": "a label"}
        made = client.post("/api/v1/drives", headers=engineer, json=drive)
        for answer in answers:
            assert answer.status_code < 300, answer.text
        for stored in (upload, made):
            assert stored.status_code < 300, stored.text
    file = upload.json()["files"][0]
    return {
        "path.run_id": [runs[0].run_id, *file["run_ids"]],
        "path.upload_id": [upload.json()["upload_id"]],
        "path.sha256": [file["sha256"]],
        "path.slug": [made.json()["slug"], "intel-dc-s3700", "kioxia-cd8p-ycsb-2025"],
        "body.subject.run_id": [runs[0].run_id],
        "body.budget.name": ["act-limits", "fraud-250-sequential"],
        _DELETED: [one.run_id for one in runs[1:]],
    }


def attempt(
    url: str,
    folder: Path,
    token: str | None,
    known: Known,
    *,
    examples: int,
    seed: int,
    phases: str = "coverage,fuzzing,stateful",
    cookie: str | None = None,
    only: Sequence[str] | None = None,
) -> Tried:
    """Sends up to so many cases for each operation and phase, with a token, a person's cookie, or neither; to
    these operations only, or to all.

    The coverage phase takes each limit of each parameter in turn, and has as many as there are.
    """
    config, report = folder / "schemathesis.toml", folder / "report.json"
    config.write_text(_config(known))
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run"]
    command += [str(CONTRACT), "--url", url, "--seed", str(seed), "--no-color"]
    command += ["--phases", phases, "--max-examples", str(examples), "--checks", ",".join(CHECKS)]
    command += ["--report", "json", "--report-json-path", str(report), "--request-timeout", "60"]
    command += ["--generation-database", "none", "--suppress-health-check", "all", "--continue-on-failure"]
    command += ["--no-shrink", "--warnings", "off"]
    for one in only or ():
        command += ["--include-operation-id", one]
    if token is not None:
        command += ["--header", f"Authorization: Bearer {token}"]
    if cookie is not None:
        command += ["--header", f"Cookie: {COOKIE_NAME}={cookie}"]
        for one in _ENDS_ASKING:
            command += ["--exclude-operation-id", one]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    output = ended.stdout + ended.stderr
    if not report.exists() or ended.returncode not in (0, 1):
        raise AssertionError(output)
    found = json.loads(report.read_text())
    failures = [f"{one['title']}: {', '.join(one['operations'])}" for one in found["failures"]]
    failures += [json.dumps(one) for one in found["errors"]]
    return Tried(int(found["test_cases"]["generated"]), failures, output)


def _config(known: Known) -> str:
    """Where names come from, most of the time; what is deleted is none of what is read."""
    lines = ["max-stream-events = 1"]
    for number, values in enumerate(known.values()):
        lines += [f"[dictionaries.known{number}]", f"values = {json.dumps(list(values))}"]
    numbers = {name: number for number, name in enumerate(known)}
    lines.append("[parameters]")
    lines += [_bound(name, number) for name, number in numbers.items() if name != _DELETED]
    lines += ["[[operations]]", 'include-method = "DELETE"', "[operations.parameters]"]
    lines += [_bound(name, numbers[_DELETED]) for name in ("path.run_id", "path.upload_id")]
    return "\n".join(lines) + "\n"


def _bound(name: str, number: int) -> str:
    return f'"{name}" = {{ dictionary = "known{number}", probability = 0.7 }}'
