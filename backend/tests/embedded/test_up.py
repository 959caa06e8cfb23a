"""`tailroom up`, for real: start, measure, verdicts, second start, and every way of ending it.

Needs the built agent (`make setup`); the device engine is `null`, so that the test asks nothing of the disk.
"""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from backend.tests.ports import reserve_port
from backend.tests.waiting import is_gone, until

from tailroom.embedded.console import Console
from tailroom.embedded.process import ProcessError
from tailroom.embedded.up import AGENT_BUILD_VARIABLE, await_agent, stop_on_signals
from tailroom.embedded.words import STRENGTHS
from tailroom.kit.settings import Settings

ROOT = Path(__file__).resolve().parents[3]
UP = [sys.executable, "-m", "tailroom.cli.main", "up"]
SHORT = ["--seconds", "3", "--engine", "null", "--keys", "500"]
STARTED = re.compile(r"Tailroom runs at (http://\S+)")


class RunningProduct:
    """A product started in the background, its terminal kept in a file."""

    def __init__(self, home: Path, *options: str) -> None:
        self.home = home
        self.port = reserve_port()
        self._terminal = home.parent / f"terminal-{self.port}"
        with self._terminal.open("wb") as terminal:
            self.process = subprocess.Popen(
                [*UP, *options],
                cwd=ROOT,
                env=environment(home, self.port),
                stdin=subprocess.DEVNULL,
                stdout=terminal,
                stderr=subprocess.STDOUT,
            )

    @property
    def terminal(self) -> str:
        """What it has printed so far."""
        return self._terminal.read_text()

    def await_started(self) -> None:
        """Wait until it says where it runs."""
        until(lambda: bool(STARTED.search(self.terminal)) or self.process.poll() is not None, 300)
        assert STARTED.search(self.terminal), self.terminal

    def descendants(self) -> list[int]:
        """Every process below it."""
        return [child.pid for child in psutil.Process(self.process.pid).children(recursive=True)]

    def end(self) -> None:
        """End it if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def environment(home: Path, port: int) -> dict[str, str]:
    """The environment of a product of our own."""
    return {**os.environ, "TAILROOM_HOME": str(home), "TAILROOM_PORT": str(port)}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder with a space in its path."""
    return tmp_path / "a home"


@pytest.fixture
def product(home: Path) -> Iterator[RunningProduct]:
    """A product that runs without measuring."""
    running = RunningProduct(home, "--measure", "no")
    try:
        running.await_started()
        yield running
    finally:
        running.end()


def run_up(home: Path, port: int, *options: str) -> "subprocess.CompletedProcess[str]":
    """Run `tailroom up` to its end."""
    return subprocess.run(
        [*UP, *options],
        cwd=ROOT,
        env=environment(home, port),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


BESIDE_A_BUILD = f"""import os, sys
build = os.posix_spawn("/bin/true", ["true"], {{}})
os.environ["{AGENT_BUILD_VARIABLE}"] = str(build)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""A program, as a shell may take the end of a short build before it starts the product."""


def run_up_beside_a_build(home: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """Run `tailroom up` to its end beside a build of the agent, as `make up` begins it on a new machine."""
    return subprocess.run(
        [sys.executable, "-c", BESIDE_A_BUILD, *UP, *SHORT, *options],
        cwd=ROOT,
        env=environment(home, reserve_port()),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def assert_ends(product: RunningProduct, number: signal.Signals) -> None:
    """The signal ends the product and every process below it, without an error."""
    children = product.descendants()
    assert len(children) > 6
    commands = [psutil.Process(pid).cmdline() for pid in children]
    processes = Settings().api_process_count
    serving = sum(command[1:] == ["-m", "tailroom.cli.main", "serve"] for command in commands)
    assert serving == (1 if processes == 1 else 1 + processes), "the API and its parent"
    product.process.send_signal(number)
    assert product.process.wait(60) == 0
    assert all(is_gone(pid) for pid in children)
    assert "stopped in" in product.terminal
    assert not (product.home / "services.json").exists()


def test_the_first_start_measures_and_prints_the_verdicts_and_the_second_only_starts(home: Path) -> None:
    first = run_up_beside_a_build(home, "--exit-after-measure")
    assert first.returncode == 0, first.stdout + first.stderr
    parts = ["Tailroom runs at", "A simulated day", "agent (release build)", "watch it live", STRENGTHS]
    places = [first.stdout.index(part) for part in parts]
    assert places == sorted(places), "the page and the example are there before the agent is built"
    assert first.stdout.count("A simulated day, as an example") == 1
    assert len(re.findall(r"http://127\.0\.0\.1:\d+/runs/\S+  watch it live", first.stdout)) == 2
    assert "Do 99.9 % of transactions finish 250 reads" in first.stdout
    answers = re.findall(
        r"^ +(?:(?:PASS|FAIL)(?:, proven| in this run)|Undecided: [a-z ]+)\. \S", first.stdout, re.M
    )
    assert len(answers) == 2, first.stdout
    second = RunningProduct(home, *SHORT)
    try:
        second.await_started()
        until(lambda: "This machine was measured before" in second.terminal)
        assert_ends(second, signal.SIGINT)
    finally:
        second.end()
    assert "watch it live" not in second.terminal
    assert {path.name for path in home.iterdir()} >= {"postgres", "valkey", "log", "agent-token", "spool"}
    assert not list((home / "measure").glob("*.dat"))
    assert home.stat().st_mode & 0o777 == 0o700


def test_an_agent_that_cannot_be_built_is_named_with_the_end_of_its_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build = os.posix_spawn("/bin/false", ["false"], {})
    monkeypatch.setenv(AGENT_BUILD_VARIABLE, str(build))
    with pytest.raises(ProcessError, match="the agent could not be built; "):
        await_agent(Console())


def test_beside_it_a_token_is_made_a_worker_dies_and_a_second_start_is_refused_until_it_is_killed(
    product: RunningProduct,
) -> None:
    """One start for all of it: a start costs more than what is looked at."""
    until(lambda: "A simulated day, as an example" in product.terminal)
    _a_token_is_made_without_naming_the_database(product)
    _a_dead_worker_is_named_and_started_again_while_the_rest_runs(product)
    second = run_up(product.home, reserve_port())
    assert second.returncode == 70
    assert f"(process {product.process.pid}, http://127.0.0.1:{product.port}): use that one" in second.stdout
    assert "Traceback" not in second.stdout + second.stderr

    children = product.descendants()
    product.process.kill()
    product.process.wait()
    until(lambda: all(is_gone(pid) for pid in children))
    again = RunningProduct(product.home, "--measure", "no")
    try:
        again.await_started()
        until(lambda: "stays up until Ctrl-C" in again.terminal)
        assert "A simulated day" not in again.terminal
        assert_ends(again, signal.SIGTERM)
    finally:
        again.end()


def _a_token_is_made_without_naming_the_database(product: RunningProduct) -> None:
    told = {name: value for name, value in os.environ.items() if name != "TAILROOM_DATABASE_URL"}
    command = [sys.executable, "-m", "tailroom.cli.main", "token", "create", "--name", "beside it"]
    made = subprocess.run(
        command,
        cwd=ROOT,
        env={**told, "TAILROOM_HOME": str(product.home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    asked = urllib.request.Request(
        f"http://127.0.0.1:{product.port}/api/v1/session",
        headers={"Authorization": f"Bearer {made.stdout.strip()}"},
    )
    with urllib.request.urlopen(asked, timeout=10) as answer:  # noqa: S310 - our own address
        assert answer.status == 200
    assert (product.home / "services.json").stat().st_mode & 0o777 == 0o600


def _a_dead_worker_is_named_and_started_again_while_the_rest_runs(product: RunningProduct) -> None:
    worker = next(
        process
        for process in psutil.Process(product.process.pid).children(recursive=True)
        if {"worker", "judging"} <= set(process.cmdline()) and "keeper.py" not in " ".join(process.cmdline())
    )
    worker.kill()
    until(lambda: "! worker was ended by signal 9; the end of its log" in product.terminal)
    with urllib.request.urlopen(f"http://127.0.0.1:{product.port}/healthz", timeout=5) as answer:
        assert answer.status == 200
    until(lambda: "worker runs again" in product.terminal)


def test_every_signal_that_asks_for_an_end_is_heard_alike() -> None:
    asking = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = [signal.getsignal(number) for number in asking]
    try:
        stop_on_signals(None)  # type: ignore[arg-type]
        heard = {signal.getsignal(number) for number in asking}
    finally:
        for number, handler in zip(asking, before, strict=True):
            signal.signal(number, handler)
    assert len(heard) == 1
    assert heard.isdisjoint(before)


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("TAILROOM_PORT", "eighty", "TAILROOM_PORT='eighty' will not do"),
        ("TAILROOM_HOST", "0.0.0.0", "listens on loopback only and not on 0.0.0.0"),  # noqa: S104
        ("TAILROOM_HOME", "/proc/nowhere", "/proc/nowhere cannot be used"),
    ],
)
def test_settings_that_will_not_do_are_named(home: Path, variable: str, value: str, sentence: str) -> None:
    result = subprocess.run(
        UP,
        cwd=ROOT,
        env={**environment(home, reserve_port()), variable: value},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 2
    assert sentence in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


def test_a_busy_port_is_named(home: Path) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        result = run_up(home, port)
    assert result.returncode == 70
    assert f"port {port} is used by" in result.stdout
