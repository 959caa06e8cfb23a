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
from typing import Any

import psutil
import pytest
from backend.tests.ports import reserve_port
from backend.tests.waiting import is_gone, until
from typer.testing import CliRunner, Result

from tailroom.cli.main import build_app
from tailroom.embedded.console import Console
from tailroom.embedded.local_api import LocalApi
from tailroom.embedded.lock import HomeLock
from tailroom.embedded.process import ProcessError
from tailroom.embedded.product import Product
from tailroom.embedded.up import AGENT_BUILD_VARIABLE, await_agent, stop_on_signals
from tailroom.embedded.words import STRENGTHS
from tailroom.kit.local_services import services_file
from tailroom.kit.settings import Settings, get_settings

ROOT = Path(__file__).resolve().parents[3]
UP = [sys.executable, "-m", "tailroom.cli.main", "up"]
SHORT = ["--seconds", "2", "--engine", "null", "--keys", "500"]
STARTED = re.compile(r"Tailroom runs at (http://\S+)")
STAYS = "stays up until Ctrl-C"
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
BESIDE_A_BUILD = f"""import os, sys
build = os.posix_spawn("/bin/true", ["true"], {{}})
os.environ["{AGENT_BUILD_VARIABLE}"] = str(build)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""A program, as a shell may take the end of a short build before it starts the product."""


class RunningProduct:
    """A product started in the background, its terminal kept in a file."""

    def __init__(self, home: Path, *before: str) -> None:
        """Start it with short measurements; `before` is a command that starts it."""
        self.home = home
        self.port = reserve_port()
        self._terminal = home.parent / f"terminal-{self.port}"
        with self._terminal.open("wb") as terminal:
            self.process = subprocess.Popen(
                [*before, *UP, *SHORT],
                cwd=ROOT,
                env={**os.environ, "TAILROOM_HOME": str(home), "TAILROOM_PORT": str(self.port)},
                stdin=subprocess.DEVNULL,
                stdout=terminal,
                stderr=subprocess.STDOUT,
            )

    def __enter__(self) -> "RunningProduct":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def terminal(self) -> str:
        """What it has printed so far."""
        return self._terminal.read_text()

    def await_words(self, words: str) -> None:
        """Wait until it says this."""
        until(lambda: words in self.terminal or self.process.poll() is not None)
        assert words in self.terminal, self.terminal

    def descendants(self) -> list[int]:
        """Every process below it."""
        return [child.pid for child in psutil.Process(self.process.pid).children(recursive=True)]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder with a space in its path, which commands of this process use with a port of their own."""
    folder = tmp_path / "a home"
    monkeypatch.setenv("TAILROOM_HOME", str(folder))
    monkeypatch.setenv("TAILROOM_PORT", str(reserve_port()))
    monkeypatch.delenv("TAILROOM_DATABASE_URL", raising=False)
    before = [signal.getsignal(number) for number in ENDING]
    get_settings.cache_clear()
    yield folder
    get_settings.cache_clear()
    for number, handler in zip(ENDING, before, strict=True):
        signal.signal(number, handler)


def run(*arguments: str) -> Result:
    """Run a command of `tailroom` to its end, in this process."""
    return CliRunner().invoke(build_app(arguments[:1]), arguments)


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
    """Two starts for all of it: a start costs more than what is looked at."""
    with RunningProduct(home, sys.executable, "-c", BESIDE_A_BUILD) as first:
        first.await_words(STAYS)
        _the_page_comes_before_the_agent_and_the_verdicts_last(first.terminal)
        assert not list((home / "measure").glob("*.dat"))
        assert home.stat().st_mode & 0o777 == 0o700
        assert {path.name for path in home.iterdir()} >= {"postgres", "valkey", "log", "agent-token", "spool"}
        _a_token_is_made_without_naming_the_database(first)
        _a_dead_worker_is_named_and_started_again_while_the_rest_runs(first)
        refused = run("up")
        assert refused.exit_code == 70
        assert f"(process {first.process.pid}, http://127.0.0.1:{first.port}): use that one" in refused.output
        children = first.descendants()
        first.process.kill()
        first.process.wait()
        until(lambda: all(is_gone(pid) for pid in children))
    with RunningProduct(home) as second:
        second.await_words(STAYS)
        assert STARTED.search(second.terminal)
        assert "This machine was measured before" in second.terminal
        assert "watch it live" not in second.terminal
        assert "A simulated day" not in second.terminal
        assert_ends(second, signal.SIGTERM)


def _the_page_comes_before_the_agent_and_the_verdicts_last(terminal: str) -> None:
    parts = ["Tailroom runs at", "A simulated day", "agent (release build)", "watch it live", STRENGTHS]
    places = [terminal.index(part) for part in parts]
    assert places == sorted(places), "the page and the example are there before the agent is built"
    assert terminal.count("A simulated day, as an example") == 1
    assert len(re.findall(r"http://127\.0\.0\.1:\d+/runs/\S+  watch it live", terminal)) == 2
    assert "Do 99.9 % of transactions finish 250 reads" in terminal
    answers = re.findall(
        r"^ +(?:(?:PASS|FAIL)(?:, proven| in this run)|Undecided: [a-z ]+)\. \S", terminal, re.M
    )
    assert len(answers) == 2, terminal


def _a_token_is_made_without_naming_the_database(product: RunningProduct) -> None:
    made = run("token", "create", "--name", "beside it")
    assert made.exit_code == 0, made.output
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
    product.await_words("! worker was ended by signal 9; the end of its log")
    with urllib.request.urlopen(f"http://127.0.0.1:{product.port}/healthz", timeout=5) as answer:
        assert answer.status == 200
    product.await_words("worker runs again")


class ApiWithoutRuns(LocalApi):
    """Answers that there is no run, and takes the example."""

    def get(self, path: str) -> Any:
        assert path.startswith("/api/v1/runs?")
        return {"runs": []}

    def upload(self, file_name: str, content: bytes) -> Any:
        assert file_name
        assert content
        return {"runs": [{"run_id": "example"}]}


class ProductOfFolders(Product):
    """A product without processes: what is tried is what the command does with it."""

    def start(self) -> None:
        self.folders.make()
        self.api = ApiWithoutRuns(self.settings.host, self.settings.port)

    def owner_link(self) -> str:
        return f"{self.api.origin}/enter#once"


@pytest.mark.usefixtures("home")
def test_without_a_measurement_the_example_is_uploaded_and_it_ends_where_that_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tailroom.embedded.product.Product", ProductOfFolders)
    done = run("up", "--measure", "no", "--exit-after-measure")
    assert done.exit_code == 0, done.output
    parts = ["Tailroom runs at", "/enter#once", "A simulated day, as an example", "stopped in"]
    places = [done.output.index(part) for part in parts]
    assert places == sorted(places)
    assert (
        "A simulated day" not in run("up", "--measure", "no", "--exit-after-measure", "--no-example").output
    )


def test_an_agent_that_cannot_be_built_is_named_with_the_end_of_its_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build = os.posix_spawn("/bin/false", ["false"], {})
    monkeypatch.setenv(AGENT_BUILD_VARIABLE, str(build))
    with pytest.raises(ProcessError, match="the agent could not be built; "):
        await_agent(Console())


@pytest.mark.usefixtures("home")
def test_every_signal_that_asks_for_an_end_is_heard_alike() -> None:
    before = {signal.getsignal(number) for number in ENDING}
    stop_on_signals(None)  # type: ignore[arg-type]
    heard = {signal.getsignal(number) for number in ENDING}
    assert len(heard) == 1
    assert heard.isdisjoint(before)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("TAILROOM_PORT", "eighty", "TAILROOM_PORT cannot be used: "),
        (
            "TAILROOM_ALLOWED_HOSTS",
            "*",
            "Tailroom cannot start: TAILROOM_ALLOWED_HOSTS=* needs TAILROOM_PUBLIC",
        ),
        ("TAILROOM_HOST", "0.0.0.0", "listens on loopback only and not on 0.0.0.0"),  # noqa: S104
        ("TAILROOM_PORT", "0", "TAILROOM_PORT=0 names no port"),
        ("TAILROOM_HOME", "/proc/nowhere", "/proc/nowhere cannot be used"),
    ],
)
def test_settings_that_will_not_do_are_named(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, sentence: str
) -> None:
    monkeypatch.setenv(variable, value)
    result = run("up")
    assert result.exit_code == 2
    assert sentence in result.output


@pytest.mark.usefixtures("home")
def test_a_busy_port_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        monkeypatch.setenv("TAILROOM_PORT", str(port))
        result = run("up")
    assert result.exit_code == 70
    assert f"port {port} is used by" in result.output


def test_a_refused_start_leaves_the_record_of_the_running_product(home: Path) -> None:
    running = Product(get_settings(), Console(), "", "")
    running.folders.make()
    lock = HomeLock(home, running.api.origin)
    services_file(home).write_text("{}")
    refused = run("up")
    assert "Tailroom already runs" in refused.output
    assert services_file(home).exists(), "commands beside the running product find its database by it"
    lock.release()


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_port_that_was_taken_after_the_check_is_named(processes: str) -> None:
    """The API of a product finds it: `up` prints the end of its log."""
    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        port = busy.getsockname()[1]
        result = run("serve", "--port", str(port), "--processes", processes)
    assert result.exit_code == 70
    assert f"Port {port} of 127.0.0.1 cannot be used (Address already in use): stop" in result.output


def test_a_port_beyond_the_last_is_refused() -> None:
    assert run("serve", "--port", "80000").exit_code == 2
