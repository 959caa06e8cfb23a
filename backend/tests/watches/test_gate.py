"""`tailroom gate`: a pipeline of ten commits, of which one is slower, against what the branch has."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID
from xml.etree import ElementTree

import numpy as np
import pytest
from backend.tests.analysis.recording import MOMENT, look_at_run
from backend.tests.listening import listening
from backend.tests.sla.probe_files import write_search
from backend.tests.watches.test_watches import BUDGET
from sqlalchemy import delete, select
from typer.testing import CliRunner, Result

from tailroom.cli.main import build_app
from tailroom.cli.run_addresses import document_at
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import transactions_of
from tailroom.storage.run import Run
from tailroom.storage.watch import Watch
from tailroom.storage.work import WorkRow
from tailroom.watches.results import note_run
from tailroom.work.kinds import WATCH

RUNS_A_COMMIT = 5
DOCS = Path(__file__).parents[3] / "docs"


class Pipeline:
    """Measures five times for each commit, and gates it."""

    def __init__(self, folder: Path, database: Database) -> None:
        self.folder, self.database = folder, database
        self.rng = np.random.default_rng(12)
        self.owner: UUID | None = None
        self.judged: set[UUID] = set()

    def result(self, name: str, slower: float = 1.0) -> Path:
        """Write one run: a million reads whose latency differs by 1 % from run to run."""
        level = slower * np.exp(0.01 * self.rng.standard_normal())
        edges_ns = [0, *(int(each) for each in 1e5 * 1.01 ** np.arange(500)), None]
        at_ns = level * 4e5 * np.exp(0.4 * self.rng.standard_normal(100_000))
        counts = np.bincount(
            np.searchsorted(np.array(edges_ns[1:-1], np.int64), at_ns, side="right"), minlength=501
        )
        path = self.folder / name
        layout = {"t": "explicit", "edges_ns": edges_ns}
        path.write_text(
            json.dumps({"op": "read", "clock": "response", "layout": layout, "counts": counts.tolist()})
        )
        return path

    def gate(self, commit: int, *more: str, slower: float = 1.0, branch: str = "main") -> Result:
        """Measure a commit and gate it; workers then judge what was stored."""
        files = [self.result(f"c{commit}-{run}.json", slower) for run in range(RUNS_A_COMMIT)]
        words = ["gate", *map(str, files), "--baseline", "main", "--branch", branch, *more]
        done = CliRunner().invoke(build_app(["gate"]), words, env={"GITHUB_SHA": f"{commit:040}"})
        assert isinstance(done.exception, SystemExit | None), done.exception
        self.judge()
        return done

    def judge(self) -> None:
        """Do what workers do with new runs."""
        with self.database.transaction() as session:
            listed = document_at(os.environ["TAILROOM_SERVER"], "/api/v1/runs?scope=mine&limit=1")["runs"]
            own = [session.get_one(Run, UUID(run["run_id"])) for run in listed]
            self.owner = own[0].organisation_id if own else None
            query = select(Run.run_id).where(Run.organisation_id == self.owner).order_by(Run.run_id)
            new = [run_id for run_id in session.scalars(query) if run_id not in self.judged]
            for run_id in new:
                look_at_run(session, run_id, MOMENT)
        for run_id in new:
            note_run(transactions_of(self.database, self.owner), run_id, "https://t.example", utc_now())
        self.judged.update(new)


@pytest.fixture
def pipeline(
    settings: Settings,
    database: Database,
    make_token: Callable[..., str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Pipeline]:
    with listening(settings) as server:
        monkeypatch.setenv("TAILROOM_SERVER", server)
        monkeypatch.setenv("TAILROOM_TOKEN", make_token("engineer"))
        pipeline = Pipeline(tmp_path, database)
        yield pipeline
    with database.transaction() as session:
        session.execute(delete(WorkRow).where(WorkRow.organisation_id == pipeline.owner))
        session.execute(delete(Watch).where(Watch.organisation_id == pipeline.owner))


def test_ten_commits_of_which_one_is_slower(pipeline: Pipeline) -> None:
    """Eight equal commits, one slower and one mended answer as the documentation prints it."""
    printed = []
    for commit in range(1, 11):
        done = pipeline.gate(commit, slower=1.2 if commit == 9 else 1.0)
        printed.append(f"| {commit} | {done.exit_code} | {done.stdout.splitlines()[0]} |")
    assert [row for row in printed if row.split(" | ")[1] != "0"] == [printed[8]]
    assert " | 1 | Regression: p99 is 1." in printed[8]
    documented = (DOCS / "comparison.md").read_text(encoding="utf-8").splitlines()
    assert printed == [row for row in documented if row in printed]
    with pipeline.database.transaction() as session:
        runs = session.scalars(select(Run).where(Run.organisation_id == pipeline.owner)).all()
        titles = {run.plan["labels"]["commit"].lstrip("0"): run.title for run in runs}
    assert (titles["8"], titles["9"], titles["10"]) == ("main", "main: worse", "main")


def test_runs_that_got_worse_move_the_baseline_once_they_are_sent_under_its_title(pipeline: Pipeline) -> None:
    pipeline.gate(1)
    assert pipeline.gate(2, slower=1.5).exit_code == 1
    files = sorted(map(str, pipeline.folder.glob("c2-*.json")))
    with pipeline.database.transaction() as session:
        session.execute(delete(WorkRow).where(WorkRow.organisation_id == pipeline.owner))
    sent = CliRunner().invoke(build_app(["upload"]), ["upload", *files, "--title", "main"])
    assert sent.exit_code == 0, sent.output
    due = select(WorkRow.subject).where(WorkRow.organisation_id == pipeline.owner, WorkRow.kind == WATCH.name)
    with pipeline.database.transaction() as session:
        run_ids = session.scalars(due).all()
    for run_id in run_ids:
        note_run(transactions_of(pipeline.database, pipeline.owner), run_id, None, utc_now())
    [watch] = document_at(os.environ["TAILROOM_SERVER"], "/api/v1/watches")["watches"]
    assert len(watch["results"]) == 2 * RUNS_A_COMMIT


def test_a_regression_that_a_second_measurement_does_not_show_is_none(
    pipeline: Pipeline, tmp_path: Path
) -> None:
    pipeline.gate(1)
    script = tmp_path / "measure.py"
    script.write_text("import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2])")
    faster = pipeline.result("again.json")
    again = f"{sys.executable} {script} {faster} {{result}}"
    once = pipeline.gate(2, "--confirm", "1", "--command", again, slower=1.2, branch="feature")
    assert once.exit_code in {1, 3}
    assert "measured 1 times more" in once.stderr
    assert "against 6" in once.stdout
    refused = pipeline.gate(3, "--confirm", "2")
    assert (refused.exit_code, "--command" in refused.stderr) == (2, True)


def test_a_budget_is_judged_in_the_same_command(pipeline: Pipeline, tmp_path: Path) -> None:
    files = ("--junit", str(tmp_path / "gate.xml"), "--markdown", str(tmp_path / "gate.md"))
    done = pipeline.gate(1, "--budget", BUDGET, *files)
    assert done.exit_code in {0, 3}, done.output
    assert "ACT limits, " in done.stdout
    cases = [case.get("name", "") for case in ElementTree.parse(tmp_path / "gate.xml").iter("testcase")]  # noqa: S314
    assert len(cases) == len(set(cases)) >= RUNS_A_COMMIT
    assert all(case.startswith("ACT limits, ") and case.endswith(".json") for case in cases[:RUNS_A_COMMIT])


def test_a_branch_whose_baseline_has_no_run_ends_with_4(pipeline: Pipeline) -> None:
    done = pipeline.gate(1, branch="feature")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (4, "There is no baseline yet: main has no run.")


def test_a_record_that_is_named_twice_is_no_baseline(pipeline: Pipeline) -> None:
    first = pipeline.result("a.json")
    copy = pipeline.folder / "copy.json"
    copy.write_text(first.read_text() + "\n")
    words = ["gate", str(first), str(copy), "--baseline", "main", "--branch", "main"]
    done = CliRunner().invoke(build_app(["gate"]), words)
    assert (done.exit_code, "name a run of its own for each" in done.stderr) == (2, True)
    assert document_at(os.environ["TAILROOM_SERVER"], "/api/v1/runs?scope=mine&limit=1")["runs"] == []


def gate_of_search(pipeline: Pipeline, files: list[str], *more: str, branch: str = "main") -> Result:
    """Gate the probes of a search; workers then look at what was stored."""
    words = ["gate", *files, "--baseline", "main", "--branch", branch, *more]
    done = CliRunner().invoke(build_app(["gate"]), words)
    assert isinstance(done.exception, SystemExit | None), done.exception
    pipeline.judge()
    return done


def test_a_search_is_gated_by_its_bracket(pipeline: Pipeline, tmp_path: Path) -> None:
    loads: list[float] = [1_000, 2_000, 4_000, 2_828, 3_364]
    first = gate_of_search(pipeline, write_search(tmp_path, "first", 3_000, loads))
    assert (first.exit_code, first.stdout.splitlines()[0]) == (
        0,
        "First search of main: it is the baseline.",
    ), first.output
    assert "p99 get < 1ms: holds at 2,828/s, fails at 3,364/s" in first.stdout
    files = ["--junit", str(tmp_path / "gate.xml")]
    again = gate_of_search(pipeline, write_search(tmp_path, "again", 3_200, loads), *files, branch="feature")
    assert again.exit_code == 0, again.output
    assert again.stdout.startswith("No difference is shown: ")
    assert 'failures="0"' in (tmp_path / "gate.xml").read_text()
    lower: list[float] = [1_000, 2_000, 1_414, 1_189]
    worse = gate_of_search(pipeline, write_search(tmp_path, "worse", 1_200, lower), *files, branch="feature")
    assert worse.exit_code == 1, worse.output
    assert worse.stdout.startswith("The bracket lies wholly below the baseline's: less load holds")
    assert 'failures="1"' in (tmp_path / "gate.xml").read_text()
    better = gate_of_search(pipeline, write_search(tmp_path, "better", 9_000, [4_000, 8_000, 16_000]))
    assert (better.exit_code, better.stdout[:30]) == (0, "The bracket lies wholly above ")
    listed = document_at(os.environ["TAILROOM_SERVER"], "/api/v1/runs?scope=mine")["runs"]
    titles = {run["title"] for run in listed if run["source"] == "upload" and run["probe"] is not None}
    assert titles == {"main", "feature", "feature: worse"}
    other = write_search(tmp_path, "other", 9_000, [4_000], objective="p90 get < 1ms")
    assert gate_of_search(pipeline, other, branch="feature").exit_code == 4
    refused = gate_of_search(
        pipeline, write_search(tmp_path, "x", 1, [1]), "--confirm", "1", "--command", "true"
    )
    assert (refused.exit_code, "measured its ends again" in refused.stderr) == (2, True)
