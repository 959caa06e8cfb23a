"""Commands of the Makefile: set up, start the product, check, test, clean. Standard library only."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from backend.tooling.build import Builder, Checkout, StepFailed
from backend.tooling.runners import CHECKS, FIXES, TESTS, Runner
from backend.tooling.side_by_side import SideBySide

from tailroom.embedded.console import Console

ROOT = Path(__file__).resolve().parents[2]
STARTED_VARIABLE = "TAILROOM_UP_STARTED"
"""Variable with the start time (CLOCK_MONOTONIC seconds), for the product's report of its duration."""
AGENT_BUILD_VARIABLE = "TAILROOM_AGENT_BUILD"
"""Variable with the ID of the process that builds the agent while the product starts."""


def main(arguments: Sequence[str]) -> int:
    """Run a command and return its exit code: 1 for a failed step, 130 after Ctrl-C or another signal.

    A failure is printed as a sentence, without a traceback.
    """
    parser = argparse.ArgumentParser(prog="bootstrap", description=__doc__)
    parser.add_argument("command", choices=list(_COMMANDS))
    options, rest = parser.parse_known_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    console = Console()
    checkout = Checkout(ROOT)
    try:
        return _COMMANDS[options.command](checkout, console, rest)
    except StepFailed as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130


def _up(checkout: Checkout, console: Console, rest: list[str]) -> int:
    """Set up, then replace this process by the product: never return.

    The agent may still be built then, by another process. Raise StepFailed if the set-up fails.
    """
    started = time.monotonic()
    console.heading("Tailroom: setting up")
    checkout.prepare()
    chains = [checkout.agent_steps(), checkout.node_steps(), checkout.python_steps(development=False)]
    builder = Builder(checkout, console)
    builder.check_prerequisites(*chains)
    agent = None if all(builder.is_current(step) for step in chains[0]) else _begin_agent(checkout)
    try:
        builder.build(*chains[1:])
    except BaseException:
        if agent is not None:
            agent.terminate()
        raise
    os.chdir(checkout.root)
    environment = {**checkout.environment(), STARTED_VARIABLE: str(started)}
    if agent is not None:
        environment[AGENT_BUILD_VARIABLE] = str(agent.pid)
    sys.stdout.flush()
    # Run the module instead of the script, whose first line cannot hold a long path or a path with spaces.
    command = [str(checkout.python), "-m", "tailroom.cli.main", "up", *rest]
    os.execve(command[0], command, environment)  # noqa: S606


def _begin_agent(checkout: Checkout) -> "subprocess.Popen[bytes]":
    """Start and return a process that builds the agent; its output goes to a log.

    The page opens long before the agent is needed.
    """
    command = [sys.executable, str(Path(__file__).with_name("bootstrap.py")), "agent"]
    with (checkout.logs / "agent-build.log").open("wb") as log:
        return subprocess.Popen(  # noqa: S603 - our own command
            command, cwd=checkout.root, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
        )


def _agent(checkout: Checkout, console: Console, _rest: list[str]) -> int:
    """Build the agent at low priority, so that the steps needed to open the page get the cores. Return 0."""
    os.nice(10)
    Builder(checkout, console, lock="agent.lock").build(checkout.agent_steps())
    return 0


def _setup(checkout: Checkout, console: Console, rest: list[str]) -> int:
    """Set up the checkout, with `--dev` also for development. Return 0."""
    _build(checkout, console, development="--dev" in rest)
    return 0


def _check(checkout: Checkout, console: Console, rest: list[str]) -> int:
    """Run the named checks, or without names those whose inputs have changed; return the exit code."""
    chosen = _select_runners(CHECKS, rest)
    Builder(checkout, console).build(checkout.node_steps()[:1], checkout.python_steps(development=True))
    # A check is skipped while its inputs equal those of its last success, unless it is named.
    return SideBySide(checkout, console).run(chosen, only_changed=not rest)


def _fix(checkout: Checkout, console: Console, rest: list[str]) -> int:
    """Run the named fixes, or all without names; return the exit code."""
    chosen = _select_runners(FIXES, rest)
    Builder(checkout, console).build(checkout.node_steps()[:1], checkout.python_steps(development=True))
    return SideBySide(checkout, console).run(chosen)


def _test(checkout: Checkout, console: Console, rest: list[str]) -> int:
    """Run the named checks and tests, or all without names; return the exit code."""
    chosen = _select_runners([*CHECKS, *TESTS], rest)
    # Tests start the debug build, which `cargo test` needs too: a release build would take minutes.
    _build(checkout, console, release_agent=False)
    return SideBySide(checkout, console).run(chosen)


def _select_runners(runners: Sequence[Runner], names: list[str]) -> list[Runner]:
    """Return the runners with these names, or all without names. Raise StepFailed for an unknown name."""
    all_names = [runner.name for runner in runners]
    unknown = [name for name in names if name not in all_names]
    if unknown:
        raise StepFailed(f"there is no {', '.join(unknown)} to run: choose from {' '.join(all_names)}")
    return [runner for runner in runners if not names or runner.name in names]


def _run(checkout: Checkout, console: Console, rest: list[str]) -> int:
    """Set up, then run a command with the checkout's Python, for benchmarks; return its exit code."""
    _build(checkout, console)
    return subprocess.run(  # noqa: S603 - a command of the Makefile
        [str(checkout.python), *rest], cwd=checkout.root, env=checkout.environment(), check=False
    ).returncode


def _clean(checkout: Checkout, console: Console, rest: list[str]) -> int:
    """Remove build outputs; with `--data` also the data (database, measurements). Return 0."""
    built = [".venv", "target", "node_modules", "frontend/dist", "frontend/node_modules", "e2e/node_modules"]
    built += [".tailroom/bootstrap", ".tailroom/stamps", ".mypy_cache", ".ruff_cache", ".pytest_cache"]
    if "--data" in rest:
        built.append(".tailroom")
    for name in built:
        if (checkout.root / name).exists():
            with console.step(f"remove {name}"):
                shutil.rmtree(checkout.root / name)
    return 0


def _build(
    checkout: Checkout, console: Console, *, development: bool = True, release_agent: bool = True
) -> None:
    """Bring the checkout up to date.

    `development`: including tools and programs for tests. `release_agent`: including the agent for use.
    """
    if development:
        # Tests in a clean checkout compile once: writing data for the next time takes a quarter of that time.
        os.environ.setdefault("CARGO_INCREMENTAL", "0")
    chains = [checkout.node_steps(), checkout.python_steps(development=development)]
    if release_agent:
        chains.insert(0, checkout.agent_steps())
    if development:
        chains += [checkout.test_program_steps(), checkout.tool_steps()]
    Builder(checkout, console).build(*chains)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Handle a signal as Ctrl-C."""
    raise KeyboardInterrupt


_COMMANDS = {
    "up": _up,
    "agent": _agent,
    "setup": _setup,
    "check": _check,
    "fix": _fix,
    "test": _test,
    "run": _run,
    "clean": _clean,
}
