"""An upgrade as in docs/operations.md, from an earlier release, while agents send.

The release comes out of the repository (`--release COMMIT`), and its own programs run on a database of their
own: they judge agents' runs and an uploaded file. Then this release migrates, and replaces two API processes
and the workers one by one. Verdicts stay the same, every acknowledged interval is stored once, and the
earlier release starts again on the later schema.

`python -m backend.deploy.try_upgrade --release COMMIT [--citus postgresql://…]`: with a coordinator, the
database is one of a Citus cluster, distributed by the earlier release. Exits with 1 if something differs.
"""

import argparse
import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from backend.bench.another_node import INTERVALS_EACH, Senders
from backend.bench.ingest import SERIES, free_port, make_bodies, make_samples
from backend.chaos.agents import PLAN
from backend.chaos.product import AGENT, await_answer
from backend.deploy.steps import ROOT, TrialFailed, step
from backend.tests.citus import CitusCluster
from numpy.random import default_rng
from sqlalchemy import text

from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.db import Database

_NAME, _BATCHES = "upgraded", 60
_RUNS_BEFORE = 3
_READY_S, _JUDGED_S = 300.0, 1200.0
_FILE = ROOT / "backend" / "tests" / "importers" / "samples" / "fio" / "psync.json"
_LEFT = "SELECT kind, count(*) FROM work WHERE given_up_at IS NULL GROUP BY kind"
_GIVEN_UP = "SELECT kind, error FROM work WHERE given_up_at IS NOT NULL"
_GAPS = "SELECT run_id FROM series WHERE source_name IS NULL AND received <> contiguous_seq + 1"
_TWICE = "SELECT run_id FROM interval GROUP BY run_id, series_no, seq HAVING count(*) > 1"
_STORED = "SELECT run_id, count(*) FROM interval GROUP BY run_id"


class Release:
    """A version of Tailroom: its folder, and how its programs are started."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        source = os.pathsep.join(str(folder / place) for place in ("backend/src", "workers/src"))
        self._folder = folder
        self._environment = dict(environment) | {"PYTHONPATH": source}

    def run(self, *words: str) -> str:
        """What its command prints."""
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "tailroom.cli.main", *words],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise TrialFailed(f"tailroom {' '.join(words)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout.strip()

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Start a Python module as a process."""
        with Path(self._environment["TAILROOM_HOME"], f"{words[0]}.log").open("ab") as log:
            return subprocess.Popen(  # noqa: S603 - our own program
                [sys.executable, "-m", *words],
                cwd=self._folder,
                env=self._environment,
                stdout=log,
                stderr=log,
            )


class Api:
    """One API process behind a port that stays when another release takes it."""

    def __init__(self) -> None:
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None

    def serve(self, release: Release) -> None:
        """Replaces the process: SIGTERM, the other one, ready."""
        self.end()
        self._process = release.start("tailroom.cli.main", "serve", "--port", str(self.port))
        await_answer(lambda: self.get("/readyz")["status"] == "ready", _READY_S, f"port {self.port} is ready")

    def get(self, path: str, token: str | None = None) -> Any:
        """What it answers."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers)
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - loopback
            return json.load(answer)

    def end(self) -> None:
        _end(self._process)


class Upgrade:
    """An installation, its two releases, and what was there before."""

    def __init__(self, folder: Path, database: Database) -> None:
        self._folder, self._database = folder, database
        self.apis = Api(), Api()
        self._worker: subprocess.Popen[bytes] | None = None
        self._agents: list[subprocess.Popen[bytes]] = []
        self._agent_token = self._folder / "agent-token"

    def begin(self, release: Release, cluster: CitusCluster | None) -> None:
        """The earlier release at work."""
        release.run("db", "migrate")
        if cluster is not None:
            cluster.join_nodes(_NAME)
            release.run("db", "distribute", "--shards", "4")
        self._agent_token.write_text(release.run("token", "create", "--name", "a", "--scope", "agent"))
        for api in self.apis:
            api.serve(release)
        self.work_as(release)

    def work_as(self, release: Release) -> None:
        """Replaces workers and beat."""
        _end(self._worker)
        celery = ("celery", "--app", "tailroom_workers.app:app", "--quiet", "worker", "-B")
        schedule = str(self._folder / "beat")
        self._worker = release.start(*celery, "--concurrency", "2", "--schedule", schedule)

    def measure(self, count: int, duration_s: int) -> None:
        """Agents begin; they end by themselves."""
        for number in range(count):
            plan = self._folder / f"plan-{len(self._agents)}.toml"
            plan.write_text(
                PLAN.format(title=f"run {len(self._agents)}", duration_s=duration_s, seed=41 + number)
            )
            spool = self._folder / f"spool-{len(self._agents)}"
            command = [
                str(AGENT),
                "run",
                "--plan",
                str(plan),
                "--spool",
                str(spool),
                "--deliver-wait-s",
                "300",
            ]
            environment = os.environ | {
                "TAILROOM_BACKEND_URL": f"http://127.0.0.1:{self.apis[number % 2].port}",
                "TAILROOM_TOKEN_FILE": str(self._agent_token),
            }
            with (self._folder / "agents.log").open("ab") as log:
                self._agents.append(
                    subprocess.Popen(command, env=environment, stdout=log, stderr=log)  # noqa: S603
                )

    def await_agents(self) -> None:
        """Returns when every run is delivered."""
        codes = [agent.wait(_JUDGED_S) for agent in self._agents]
        if any(codes):
            log = (self._folder / "agents.log").read_text()[-800:]
            raise TrialFailed(f"agents ended with {codes}: {log}")

    def upload(self, release: Release) -> None:
        """A result file is sent."""
        token = release.run("token", "create", "--name", "e", "--scope", "engineer")
        address = f"http://127.0.0.1:{self.apis[0].port}"
        release.run("upload", str(_FILE), "--server", address, "--token", token)

    def await_done(self, *kinds: str) -> None:
        """Returns when no work of these kinds is left."""

        def none_left() -> bool:
            return not any(row["kind"] in kinds for row in self.rows(_LEFT))

        await_answer(none_left, _JUDGED_S, f"work is done: {', '.join(kinds)}")

    def rows(self, statement: str) -> list[dict[str, Any]]:
        """Of the whole installation."""
        with self._database.transaction() as session:
            return [dict(row) for row in session.execute(text(statement)).mappings()]

    def verdicts(self) -> dict[tuple[Any, ...], dict[str, Any]]:
        """Everything about final verdicts."""
        key = ("run_id", "budget_name", "budget_version", "method_version")
        rows = self.rows("SELECT * FROM verdict WHERE NOT provisional")
        return {tuple(row[name] for name in key): row for row in rows}

    @contextlib.contextmanager
    def sending(self) -> Iterator[list[Senders]]:
        """Send to each API process without a pause, each request until it is accepted."""
        rng = default_rng(20261128)
        bodies = make_bodies(make_samples(50, rng), _BATCHES, rng, intervals_each=INTERVALS_EACH)
        token = self._agent_token.read_text()
        senders = [Senders(api, token, bodies, connections=1) for api in self.apis]
        try:
            yield senders
        finally:
            for sender in senders:
                sender.end()

    def end(self) -> None:
        """End the processes that are still running."""
        for process in (self._worker, *self._agents):
            _end(process)
        for api in self.apis:
            api.end()
        self._database.dispose()


def _end(process: subprocess.Popen[bytes] | None) -> None:
    if process is not None and process.poll() is None:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def drill(upgrade: Upgrade, before: Release, after: Release, cluster: CitusCluster | None) -> list[str]:
    """What went wrong."""
    step("the release before is at work", lambda: upgrade.begin(before, cluster))
    upgrade.measure(_RUNS_BEFORE, 10)
    step("an uploaded file", lambda: upgrade.upload(before))
    step("runs are delivered", upgrade.await_agents)
    step("all of it is judged", lambda: upgrade.await_done("judge", "read_upload"))
    old = upgrade.verdicts()
    if len({row["run_id"] for row in old.values()}) < _RUNS_BEFORE + 1:
        raise TrialFailed(f"too few runs have verdicts to compare: {[*old]}")
    with upgrade.sending() as senders:
        upgrade.measure(2, 90)
        _until_taken(senders, "before")
        step("tailroom db migrate", lambda: after.run("db", "migrate"))
        _until_taken(senders, "with the later schema, processes of the release before")
        for number, api in enumerate(upgrade.apis, 1):
            step(f"API process {number} is replaced", lambda api=api: api.serve(after))  # type: ignore[misc]
        step("workers are replaced", lambda: upgrade.work_as(after))
        _until_taken(senders, "processes of this release")
    step("every run is delivered", upgrade.await_agents)
    step("an uploaded file", lambda: upgrade.upload(after))
    step("all of it is judged and rated", lambda: upgrade.await_done("judge", "read_upload", "rate"))
    problems = _differences(upgrade, old, senders)
    step("back: an API process of the release before", lambda: upgrade.apis[0].serve(before))
    with upgrade.sending() as senders:
        _until_taken(senders, "one of each release")
    return problems + _differences(upgrade, old, senders)


def _until_taken(senders: list[Senders], when: str) -> None:
    """Each sender is answered ten times more."""
    for sender in senders:
        enough = sender.counted["taken"] + 10
        await_answer(lambda sender=sender, enough=enough: sender.counted["taken"] >= enough, _READY_S, when)  # type: ignore[misc]
    counted: Counter[str] = sum((sender.counted for sender in senders), Counter())
    print(f"    {when}: requests so far {dict(counted)}", flush=True)


def _differences(upgrade: Upgrade, old: dict[Any, dict[str, Any]], senders: list[Senders]) -> list[str]:
    now = upgrade.verdicts()
    stored = {str(row["run_id"]): row["count"] for row in upgrade.rows(_STORED)}
    sent: dict[str, int] = {}
    for run_id, number in (key for sender in senders for key in sender.acknowledged):
        sent[run_id] = max(sent.get(run_id, 0), number * INTERVALS_EACH * SERIES)
    differences = {
        "other verdicts": [key for key, row in old.items() if {**now.get(key, {}), **row} != now.get(key)],
        "given up": upgrade.rows(_GIVEN_UP),
        "gaps": upgrade.rows(_GAPS),
        "stored twice": upgrade.rows(_TWICE),
        "acknowledged, not stored": [key for key, count in sent.items() if stored.get(key, 0) < count],
    }
    states = Counter(row["state"] for row in upgrade.rows("SELECT state FROM run"))
    print(
        f"    {len(old)} verdicts of before, {len(now)} now; runs {dict(states)};"
        f" {sum(stored.values()):,} intervals stored",
        flush=True,
    )
    return [f"{what}: {some[:3]}" for what, some in differences.items() if some]


@contextlib.contextmanager
def services(folder: Path, cluster: CitusCluster | None) -> Iterator[tuple[str, str]]:
    """Addresses of a database without tables and of a Valkey; both gone at the end."""
    with contextlib.ExitStack() as stack:
        valkey = stack.enter_context(EmbeddedValkey.start(folder / "valkey", folder / "valkey.log"))
        if cluster is not None:
            stack.callback(cluster.stop)
            cluster.create_database(_NAME)
            yield cluster.url(_NAME), valkey.url
        else:
            postgres = stack.enter_context(
                EmbeddedPostgres.start(folder / "postgres", folder / "postgres.log")
            )
            postgres.create_database(_NAME)
            yield postgres.url(_NAME), valkey.url


def main() -> int:
    """The exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--release", required=True, help="commit or tag of the release before")
    parser.add_argument("--citus", help="URL of the coordinator of a cluster, as a superuser")
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    cluster = CitusCluster(chosen.citus) if chosen.citus else None
    with tempfile.TemporaryDirectory(prefix="tailroom-upgrade-") as name:
        folder = Path(name)
        folder.chmod(0o711)
        packed = subprocess.run(  # noqa: S603
            ["git", "archive", chosen.release],  # noqa: S607
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
        )
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as files:
            files.extractall(folder / "before", filter="data")
        with services(folder, cluster) as (database_url, redis_url):
            environment = os.environ | {
                "TAILROOM_DATABASE_URL": database_url,
                "TAILROOM_REDIS_URL": redis_url,
                "TAILROOM_HOME": str(folder),
            }
            before, after = Release(folder / "before", environment), Release(ROOT, environment)
            upgrade = Upgrade(folder, Database(database_url, pool_size=1))
            try:
                problems = drill(upgrade, before, after, cluster)
            finally:
                upgrade.end()
    print("\n".join(problems) or "  nothing is missing, doubled or judged otherwise")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
