"""Runners run side by side where cores are free, all of them, and unchanged ones are left out when asked."""

import io
import sys
import time
from pathlib import Path

import pytest
from backend.tooling.build import Checkout
from backend.tooling.runners import CHECKS, FIXES, TESTS, Runner
from backend.tooling.side_by_side import SideBySide

from tailroom.embedded.console import Console


class Bench:
    """A checkout in which scripts run, and its terminal."""

    def __init__(self, root: Path) -> None:
        self.checkout = Checkout(root)
        self.checkout.prepare()
        (self.checkout.state / "stamps").mkdir()
        self.root = root
        self.terminal = io.StringIO()

    def run(self, *runners: Runner, cores: int = 2, only_changed: bool = False) -> int:
        """Run them, as one `make` does."""
        console = Console(self.terminal, live=False)
        return SideBySide(self.checkout, console, cores=cores).run(runners, only_changed=only_changed)

    def lines(self, name: str) -> list[str]:
        """The lines of a file that scripts wrote."""
        path = self.root / name
        return path.read_text().splitlines() if path.exists() else []


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """An empty checkout."""
    return Bench(tmp_path)


def script(name: str, text: str, **options: object) -> Runner:
    """A runner of a shell script."""
    return Runner(name, name, ["/bin/sh", "-c", text], **options)  # type: ignore[arg-type]


def test_what_fits_beside_each_other_runs_at_the_same_time(bench: Bench) -> None:
    # Each waits for the other one's file: one after the other they would never end.
    wait = "touch {0}; for _ in $(seq 300); do [ -e {1} ] && exit 0; sleep 0.05; done; exit 1"
    assert bench.run(script("a", wait.format("a", "b")), script("b", wait.format("b", "a"))) == 0


def test_what_needs_all_cores_runs_alone_and_what_comes_after_waits(bench: Bench) -> None:
    note = "echo begin >> log; sleep 0.2; echo end >> log"
    runners = [script("a", note, cores=2), script("b", note, cores=9), script("c", note, after=["a"])]
    assert bench.run(*runners) == 0
    assert bench.lines("log") == ["begin", "end"] * 3


def test_every_runner_runs_and_the_failed_ones_are_named_with_their_output(bench: Bench) -> None:
    bad = script("bad", "echo what is wrong; echo it ended; exit 3", closing="wrong")
    good = script("good", "echo 7 passed", closing="passed")
    assert bench.run(bad, good, script("none", "true")) == 1
    said = bench.terminal.getvalue()
    assert "it ended" in said
    # What is last is seen where long output is cut.
    *_, label, cause, summary = said.strip().splitlines()
    assert (label, cause.strip()) == ("bad:", "what is wrong")
    assert summary.startswith("1 of 3 failed: bad")
    assert "7 passed" in said
    assert "of processor time on 2 cores" in said


def test_the_cost_of_a_suite_is_shown(bench: Bench) -> None:
    program = "import time\nwhile time.process_time() < 0.5: pass"
    busy = f"{sys.executable} -c '{program}'"
    began = time.monotonic()
    assert bench.run(script("busy", busy)) == 0
    assert time.monotonic() - began > 0.4
    assert "busy (" in bench.terminal.getvalue()
    assert " cores)" in bench.terminal.getvalue()


def test_an_unchanged_check_is_left_out_until_what_it_reads_changes(bench: Bench) -> None:
    (bench.root / "input").mkdir()
    (bench.root / "input" / "a.txt").write_text("one")
    check = script("check", "echo ran >> log", reads=["input"])
    for _ in range(2):
        assert bench.run(check, only_changed=True) == 0
    assert bench.lines("log") == ["ran"]
    assert "unchanged" in bench.terminal.getvalue()
    (bench.root / "input" / "b.txt").write_text("new")
    assert bench.run(check, only_changed=True) == 0
    assert bench.run(check) == 0
    assert bench.lines("log") == ["ran"] * 3


def test_a_failed_check_is_never_left_out(bench: Bench) -> None:
    (bench.root / "input").write_text("one")
    check = script("check", "echo ran >> log; exit 1", reads=["input"])
    for _ in range(2):
        assert bench.run(check, only_changed=True) == 1
    assert bench.lines("log") == ["ran"] * 2


def test_a_program_that_is_not_there_is_a_failure(bench: Bench) -> None:
    assert bench.run(Runner("gone", "gone", ["/nonexistent/tool"])) == 1
    assert "could not be started" in bench.terminal.getvalue()


def test_names_are_unique_and_what_is_waited_for_exists() -> None:
    for runners in ([*CHECKS, *TESTS], FIXES):
        names = [runner.name for runner in runners]
        assert len(names) == len(set(names))
        assert {name for runner in runners for name in runner.after} <= set(names)
