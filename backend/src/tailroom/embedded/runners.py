"""What `make check` and `make test` run, and how it is told: every runner runs, whatever happened before.

A runner's whole output goes to a log; on the terminal appear its own closing lines, or, when it fails,
the end of its output. Standard library only.
"""

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tailroom.embedded.build import Checkout
from tailroom.embedded.console import Console, duration

_FAILURE_LINES = 120
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_PYTHON_PLACES = ("backend", "workers", "migrations", "conftest.py")


@dataclass(frozen=True, slots=True)
class Runner:
    """One tool: its command (`{python}` is the checkout's interpreter) and the lines that sum it up."""

    name: str
    label: str
    command: Sequence[str]
    closing: str = r"\S"
    closing_lines: int = 1
    environment: Mapping[str, str] = field(default_factory=dict)


def _python(name: str, label: str, *command: str) -> Runner:
    return Runner(name, label, ["{python}", "-m", *command])


CHECKS: Sequence[Runner] = (
    _python("ruff-format", "Python format (ruff)", "ruff", "format", "--check", "."),
    _python("ruff", "Python lint (ruff)", "ruff", "check", "."),
    _python("mypy", "Python types (mypy --strict)", "mypy", *_PYTHON_PLACES),
    Runner(
        "lint-imports",
        "rooms of the backend (import-linter)",
        ["{python}", "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        closing=r"^Contracts:",
    ),
    Runner("rust-format", "Rust format", ["cargo", "fmt", "--all", "--check"]),
    Runner(
        "clippy",
        "Rust lint (clippy)",
        ["cargo", "clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"],
    ),
    Runner("biome", "TypeScript lint and format (Biome)", ["npx", "--no-install", "biome", "ci", "."]),
    Runner("tsc", "TypeScript types (tsc)", ["npm", "run", "typecheck", "--workspaces", "--if-present"]),
    Runner(
        "openapi",
        "openapi.json equals the API",
        ["{python}", "-m", "tailroom.cli.main", "openapi", "--check", "docs/contracts/openapi.json"],
    ),
    Runner(
        "client",
        "TypeScript client equals openapi.json",
        ["npm", "run", "generate:check", "--workspace", "frontend"],
    ),
)

TESTS: Sequence[Runner] = (
    Runner(
        "cargo-test",
        "agent (cargo test)",
        ["cargo", "test", "--workspace", "--locked"],
        closing=r"^test result: (?!ok\. 0 passed; 0 failed; 0 ignored)",
        closing_lines=40,
    ),
    Runner(
        "pytest",
        "backend and workers (pytest)",
        ["{python}", "-m", "pytest", "-q", "-n", "2"],
        closing=r" in \d",
    ),
    Runner(
        "vitest",
        "pages (vitest)",
        ["npm", "test", "--workspace", "frontend"],
        closing=r"^\s*(Test Files|Tests|Duration)\s",
        closing_lines=3,
    ),
    Runner("browser", "a browser for the journeys", ["node", "e2e/browser.mjs"]),
    Runner(
        "playwright",
        "journeys in a browser (Playwright)",
        ["npm", "test", "--workspace", "e2e"],
        closing=r"^\s*\d+ (passed|failed|flaky|skipped|did not run)",
        closing_lines=4,
    ),
)


def run_all(checkout: Checkout, console: Console, runners: Sequence[Runner]) -> int:
    """Run them one after the other; 0 when all succeeded, otherwise 1, with the failed ones named."""
    failed = []
    started = time.monotonic()
    for runner in runners:
        log_path = checkout.logs / f"{runner.name}.log"
        code = 1
        with contextlib.suppress(_RunnerFailed), console.step(runner.label):
            code = _run(checkout, runner, log_path)
            if code != 0:
                raise _RunnerFailed
        _tell(console, runner, log_path, succeeded=code == 0)
        if code != 0:
            failed.append(runner.name)
    console.line()
    took = duration(time.monotonic() - started)
    if failed:
        console.heading(f"{len(failed)} of {len(runners)} failed: {', '.join(failed)} ({took})")
        return 1
    console.heading(f"all {len(runners)} passed ({took})")
    return 0


class _RunnerFailed(Exception):
    """Marks the step on the terminal as failed."""


def _run(checkout: Checkout, runner: Runner, log_path: Path) -> int:
    command = [part.replace("{python}", str(checkout.python)) for part in runner.command]
    with log_path.open("wb") as log:
        try:
            process = subprocess.Popen(  # noqa: S603 - our own commands
                command,
                cwd=checkout.root,
                env={**checkout.environment(), **runner.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            log.write(f"{command[0]} could not be started: {error.strerror}\n".encode())
            return 127
        try:
            return process.wait()
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            process.wait()
            raise


def _tell(console: Console, runner: Runner, log_path: Path, *, succeeded: bool) -> None:
    lines = [_COLOUR.sub("", line).rstrip() for line in log_path.read_text(errors="replace").splitlines()]
    if succeeded:
        shown = [line for line in lines if re.search(runner.closing, line)][-runner.closing_lines :]
    else:
        shown = [*lines[-_FAILURE_LINES:], f"(the whole output is in {log_path})"]
    for line in shown:
        console.line(f"      {line.strip() if succeeded else line}")
