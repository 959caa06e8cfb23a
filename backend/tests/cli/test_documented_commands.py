"""Every command that the README and the documentation show is run as it is written.

Shell blocks are taken out of the documents and run command by command in a folder that holds the files which
they name. Only addresses, tokens and the length of measurements are put in place of those written. Commands
that need hardware, other machines or minutes are named with the reason, and each of these names must fit a
command of some document.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import pytest
from backend.tests.listening import listening
from backend.tests.programs import AGENT
from scipy.special import ndtr
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.settings import Settings

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "backend" / "tests" / "importers" / "samples"
DOCUMENTS = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "backend" / "client" / "README.md",
]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
TIMEOUT_S = 240.0

NOT_RUN = {
    "make up": "starts the whole product: backend/tests/embedded/test_up.py",
    "make test": "is what runs this test",
    "cargo build": "make setup has built the agent",
    "pip install": "backend/tests/client runs the client from its folder",
    "docker-compose": "needs Docker: make test-compose",
    "kubectl": "needs a cluster: backend/tests/tooling/test_kubernetes.py checks the manifests",
    "openssl": "makes the key of such a cluster",
    "pg_basebackup": "needs a server that archives",
    "psql": "needs a Citus cluster",
    "tailroom backup": "needs an installation of its own: backend/tests/operations",
    "tailroom db migrate": "needs an installation of its own: backend/tests/cli/test_db.py",
    "tailroom organisation": "needs two installations: backend/tests/people",
    "tailroom siblings": "needs a campaign of many machines: backend/tests/comparison/test_siblings.py",
    "tailroom watch-prometheus": "needs Prometheus: backend/tests/cli/test_watch_prometheus.py",
    "curl": "needs the servers that it names",
    "sudo": "needs a machine of its own: backend/tests/tooling/test_agent_package.py",
    "tailroom-agent observe": "needs a second machine, and does not end",
    "tailroom-agent prepare": "needs a drive: make test-nvme",
    "tailroom-agent qualify": "needs a drive: make test-nvme",
    "tailroom-agent act --load 30x": "needs two drives: make test-nvme",
    "tailroom-agent act --ladder": "needs a drive and hours: make test-nvme",
    "tailroom-agent act --config": "needs the drive of its configuration: make test-nvme",
    "tailroom-agent seek": "takes minutes: agent/crates/agent/tests/program/seek.rs",
    "tailroom load-search": "needs a search of minutes: backend/tests/runs",
    "tailroom-agent run --plan plan.toml": "needs a token file of the system: agent/crates/agent/tests",
    "tailroom-agent run plan.toml": "needs the database of its address: make bench-databases",
    "tailroom-agent run workloada --target postgresql": "needs that database: make bench-databases",
}
FINE = frozenset({0})
DEPENDS_ON_MACHINE = frozenset({0, 1, 3})
ENDS_WITH = {
    "tailroom judge run.ndjson": DEPENDS_ON_MACHINE,
    "tailroom compare --baseline main": frozenset({4}),
    "tailroom-agent sync-write": frozenset({1, 3}),
    "echo '{": frozenset({3}),
}
"""What a command ends with, where that is not 0. A busy machine has no reliable load generator, and may miss
a limit. 4: nothing has judged the runs that the gate has stored. 3 of the agent: it was given neither a
backend nor a file, so it has delivered nothing."""
SHORTER = {
    "--size 4G": "--size 64M",
    "--duration-s 60": "--duration-s 2",
    "'duration_s = 60'": "'duration_s = 2'",
    "/data/act.dat": "act.dat",
    "--folder /var/lib/etcd-test": "--folder . --duration-s 2",
}


class DocumentedCommand(NamedTuple):
    """A command of a block, with the settings that stand before it in that block."""

    document: str
    line: int
    settings: tuple[str, ...]
    text: str

    @property
    def name(self) -> str:
        """Return the command without the folder of its program."""
        return self.text.removeprefix(".venv/bin/")


def commands_of(document: Path) -> list[DocumentedCommand]:
    """Return the commands of a document, comments left out, in order."""
    text, commands = document.read_text(encoding="utf-8"), []
    for block in BLOCK.finditer(text):
        if block[1] != "sh":
            continue
        line, settings = text.count("\n", 0, block.start()) + 2, list[str]()
        for command in re.sub(r"(\\|\|)\n\s*", r"\1\n", block[2]).split("\n"):
            commands += _parts(document.name, line, settings, command)
            line += 1
    return _joined(commands)


def _parts(document: str, line: int, settings: list[str], text: str) -> list[DocumentedCommand]:
    bare = re.sub(r"(^|\s+)#\s.*$", "", text).strip()
    if re.fullmatch(r"(export )?[A-Z]\w*=.*", bare):
        settings.append(bare)
        return []
    return [DocumentedCommand(document, line, tuple(settings), bare)] if bare else []


def _joined(commands: list[DocumentedCommand]) -> list[DocumentedCommand]:
    """Return commands whose lines go on in the next line as one."""
    joined: list[DocumentedCommand] = []
    open_quote = False
    for command in commands:
        before = joined[-1] if joined else None
        if before is not None and (before.text.endswith(("\\", "|")) or open_quote):
            joined[-1] = before._replace(text=f"{before.text.removesuffix(chr(92))} {command.text}")
        else:
            joined.append(command)
        open_quote = joined[-1].text.count("'") % 2 == 1
    return joined


COMMANDS = [command for document in DOCUMENTS for command in commands_of(document)]


def sessions_of(document: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the commands of a document whose output stands below them, with its lines."""
    for block in BLOCK.finditer(document.read_text(encoding="utf-8")):
        if block[2].startswith("$ ") and "verify" not in block[2]:
            command, *lines = block[2].splitlines()
            yield command.removeprefix("$ "), lines


def named(document: Path) -> str:
    return str(document.relative_to(ROOT))


def reason_not_to_run(command: DocumentedCommand) -> str | None:
    """Return why a command is not run."""
    return next((why for start, why in NOT_RUN.items() if command.name.startswith(start)), None)


@pytest.fixture(scope="module")
def server(settings: Settings) -> Iterator[str]:
    with listening(settings) as url:
        yield url


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the programs and every file that the documents name."""
    place = tmp_path
    (place / ".venv" / "bin").mkdir(parents=True)
    (place / "target").mkdir()
    (place / "bin").mkdir()
    (place / "target" / "release").symlink_to(AGENT.parent)
    (place / "backend").symlink_to(ROOT / "backend")
    (place / "bin" / "tailroom-agent").symlink_to(AGENT)
    for program in (place / ".venv" / "bin" / "tailroom", place / "bin" / "tailroom"):
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tailroom.cli.main "$@"\n')
        program.chmod(0o755)
    act = SAMPLES / "act" / "act66_storage_3x_1dev_us_90s"
    for name in ("act.log", act.with_suffix(".log").name):
        shutil.copy(act.with_suffix(".log"), place / name)
    for name in ("base.log", "new.log"):
        shutil.copy(SAMPLES / "act" / "act40_1x_1dev_ms_60s.log", place / name)
    shutil.copy(act.with_suffix(".conf"), place / "act.conf")
    shutil.copy(SAMPLES / "memtier" / "given1.json", place / "memtier.json")
    write_runs(place)
    write_metrics(place)
    write_plan_of_ycsb(place)
    return place


def write_runs(place: Path) -> None:
    """Write runs of the same thing, each a little different."""
    rng = np.random.default_rng(4)
    days = [f"{day}{number}.json" for day in ("monday", "tuesday") for number in ("", "-1", "-2", "-3")]
    edges_ns = [0, *(int(each) for each in 1e5 * 1.01 ** np.arange(500)), None]
    for name in [*days, "before.json", "after.json", "new.json", *(f"result-{at}.json" for at in (1, 2, 3))]:
        level = np.exp(0.001 * rng.standard_normal())
        below = ndtr(np.log(np.array(edges_ns[1:-1]) / (level * 4e5)) / 0.4)
        counts = np.diff(np.rint(50_000 * below), prepend=0.0, append=50_000).astype(np.int64)
        layout = {"t": "explicit", "edges_ns": edges_ns}
        run = {"op": "read", "clock": "response", "layout": layout, "counts": counts.tolist()}
        (place / name).write_text(json.dumps(run))
    limit = {"t": "explicit", "edges_ns": [0, 1_000_000, 8_000_000, 64_000_000, None]}
    (place / "act-limit.json").write_text(
        json.dumps({"layout": limit, "counts": [9_500_000, 400_000, 90_000, 10_000]})
    )


def write_metrics(place: Path) -> None:
    """Write the answers of an application and of Prometheus that the importers' page asks for."""
    lines = ["# TYPE http_server_duration_seconds histogram"]
    for edge_s, count in (("0.1", 900_000), ("0.3", 999_500), ("+Inf", 1_000_000)):
        lines.append(f'http_server_duration_seconds_bucket{{route="/pay",le="{edge_s}"}} {count}')
    lines += [
        'http_server_duration_seconds_sum{route="/pay"} 50000',
        'http_server_duration_seconds_count{route="/pay"} 1000000',
    ]
    (place / "metrics.txt").write_text("\n".join([*lines, ""]))
    series = [
        {
            "metric": {"__name__": "http_server_duration_seconds_bucket", "le": edge_s},
            "values": [[1_700_000_000, "0"], [1_702_000_000, count]],
        }
        for edge_s, count in (("0.1", "900000"), ("0.3", "999500"), ("+Inf", "1000000"))
    ]
    answer = {"status": "success", "data": {"resultType": "matrix", "result": series}}
    (place / "month.json").write_text(json.dumps(answer))


def write_plan_of_ycsb(place: Path) -> None:
    (place / "workloada").write_text(
        "workload=site.ycsb.workloads.CoreWorkload\nrecordcount=1000\noperationcount=2000\n"
        "readproportion=0.5\nupdateproportion=0.5\nscanproportion=0\ninsertproportion=0\n"
        "requestdistribution=zipfian\n"
    )


class Place:
    """Runs documented commands in a folder, against a server."""

    def __init__(
        self, folder: Path, server: str, settings: Settings, tokens: dict[str, str], valkey: EmbeddedValkey
    ) -> None:
        self.folder, self.server, self.settings = folder, server, settings
        self.tokens, self.valkey = tokens, valkey
        address = urlsplit(valkey.url)
        self.target = f"redis://{address.hostname}:{address.port}/0"

    @cached_property
    def runs(self) -> list[str]:
        """Return runs of the server, stored when a command first asks for them."""
        return [self._upload(name) for name in ("monday.json", "tuesday.json")]

    def _upload(self, name: str) -> str:
        done = self.shell(f"tailroom upload {name} --json")
        assert done.returncode == 0, done.stderr
        return str(json.loads(done.stdout)["runs"][0]["run_id"])

    def filled(self, text: str) -> str:
        """Return a command with the addresses and tokens of this place, and shorter measurements."""
        if "/runs/" in text:
            for number, name in enumerate(("ID", "ANOTHER")):
                text = text.replace(f"/runs/{name}", f"/runs/{self.runs[number]}")
        for written, here in {
            **SHORTER,
            "https://tailroom.example": self.server,
            "TAILROOM_TOKEN=…": f"TAILROOM_TOKEN={self.tokens['engineer']}",
            "redis://127.0.0.1:6379/0": self.target,
        }.items():
            text = text.replace(written, here)
        return text

    def run(self, command: DocumentedCommand) -> "subprocess.CompletedProcess[str]":
        """Run a command with the settings that its block makes; in this process where it needs no shell."""
        text = self.filled(command.text)
        program, *words = shlex.split(text)
        if command.settings or Path(program).name != "tailroom" or {"|", ">", "<"} & {*words}:
            return self.shell("\n".join([*map(self.filled, command.settings), text]))
        with chdir(self.folder):
            ended = CliRunner().invoke(build_app(words[:1]), words, env=self.environment)
        if ended.exception is not None and not isinstance(ended.exception, SystemExit):
            raise ended.exception
        return subprocess.CompletedProcess(text, ended.exit_code, ended.stdout, ended.stderr)

    @property
    def environment(self) -> dict[str, str]:
        """Return where the server is, and what lets commands in."""
        return {
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "TAILROOM_HOME": str(self.settings.home),
            "TAILROOM_DATABASE_URL": self.settings.database_url,
            "TAILROOM_REDIS_URL": str(self.settings.redis_url),
            "TAILROOM_SERVER": self.server,
            "TAILROOM_TOKEN": self.tokens["engineer"],
            "TAILROOM_TARGET_PASSWORD": str(urlsplit(self.valkey.url).password),
        }

    def shell(self, script: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["bash", "-c", script],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT_S,
        )


@pytest.fixture
def place(
    folder: Path,
    server: str,
    settings: Settings,
    make_token: Callable[..., str],
    throw_away_valkey: EmbeddedValkey,
) -> Place:
    return Place(folder, server, settings, {"engineer": make_token("engineer")}, throw_away_valkey)


def commands_to_run(document: Path) -> list[DocumentedCommand]:
    return [command for command in commands_of(document) if reason_not_to_run(command) is None]


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if commands_to_run(one)], ids=named)
def test_the_commands_of_a_document_run_as_written(document: Path, place: Place) -> None:
    for command in commands_to_run(document):
        ends_with = next(
            (codes for start, codes in ENDS_WITH.items() if command.name.startswith(start)), FINE
        )
        done = place.run(command)
        at = f"{command.document}:{command.line}: {command.text}\n{done.stdout}\n{done.stderr}"
        assert done.returncode in ends_with, at
        assert "Traceback" not in done.stderr, at


@pytest.mark.parametrize("document", [one for one in DOCUMENTS if [*sessions_of(one)]], ids=named)
def test_what_a_document_says_that_a_command_prints_is_printed(document: Path, place: Place) -> None:
    for command, lines in sessions_of(document):
        done = place.shell(command)
        printed = done.stdout.splitlines()
        assert [line for line in lines if line and line not in printed] == [], done.stdout + done.stderr


def test_every_reason_not_to_run_a_command_belongs_to_a_command() -> None:
    unused = [start for start in NOT_RUN if not any(command.name.startswith(start) for command in COMMANDS)]
    assert unused == []
    assert len([command for command in COMMANDS if reason_not_to_run(command) is None]) >= 25


def plans() -> Iterator[tuple[str, str]]:
    """Yield the plans of database workloads that documents show."""
    for document in DOCUMENTS:
        for block in BLOCK.finditer(document.read_text(encoding="utf-8")):
            if block[1] == "toml":
                yield document.name, block[2]


@pytest.mark.parametrize(("document", "text"), list(plans()), ids=lambda word: word.split("\n")[0])
def test_documented_plans_and_policies_are_read(document: str, text: str, tmp_path: Path) -> None:
    parsed: dict[str, Any] = tomllib.loads(text)
    if parsed.get("workload") not in {"fraud", "keyvalue"}:
        assert parsed, document
        return
    plan = tmp_path / "documented.toml"
    plan.write_text(text)
    done = subprocess.run([AGENT, "explain", plan], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (document, done.stderr)
    assert json.loads(done.stdout)["phases"]
