"""Run runners in parallel as far as the cores allow, and show their results and costs.

A runner's whole output goes to a log; the terminal shows its closing lines, or the end of its output if it
fails. A runner whose inputs are unchanged since its last success may be skipped. Standard library only.
"""

import contextlib
import hashlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from backend.tooling.build import Checkout
from backend.tooling.runners import Runner

from tailroom.embedded.console import Console, duration

_FAILURE_LINES = 120
_LONGEST_LINE = 400
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_NO_INPUT = {"node_modules", "target", "dist", "__pycache__", "test-results", "playwright-report", ".vite"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Exit code, elapsed seconds, processor seconds and closing lines of a runner."""

    runner: Runner
    code: int
    wall_s: float
    cpu_s: float
    closing: Sequence[str]


class SideBySide:
    """Runs the runners of one `make` in parallel."""

    def __init__(self, checkout: Checkout, console: Console, *, cores: int | None = None) -> None:
        """`cores`: number of cores to use at once; None for those of this process."""
        self._checkout = checkout
        self._console = console
        self._cores = cores or len(os.sched_getaffinity(0))
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def run(self, runners: Sequence[Runner], *, only_changed: bool = False) -> int:
        """Run all runners, or with `only_changed` those whose inputs have changed since their last success.

        Return 0 if all succeed, otherwise 1.
        """
        started = time.monotonic()
        digests = {runner.name: self._digest(runner) for runner in runners} if only_changed else {}
        due = []
        for runner in runners:
            if digests.get(runner.name) and self._stored(runner) == digests[runner.name]:
                self._console.skipped(runner.label, "unchanged")
            else:
                due.append(runner)
        outcomes = self._run_due(due)
        for outcome in outcomes:
            if only_changed and outcome.code == 0:
                self._store(outcome.runner, digests[outcome.runner.name])
        return self._sum_up(len(runners), outcomes, time.monotonic() - started)

    def _run_due(self, due: Sequence[Runner]) -> list[Outcome]:
        """Run each runner when enough cores are free and its predecessors have ended.

        Return all outcomes, in the order in which the runners ended.
        """
        waiting = list(due)
        running: dict[Future[Outcome], Runner] = {}
        outcomes: list[Outcome] = []
        with ThreadPoolExecutor(max(1, len(due))) as pool:
            try:
                while waiting or running:
                    open_names = {runner.name for runner in (*waiting, *running.values())}
                    free = self._cores - sum(min(runner.cores, self._cores) for runner in running.values())
                    for runner in list(waiting):
                        if min(runner.cores, self._cores) <= free and not open_names & set(runner.after):
                            free -= min(runner.cores, self._cores)
                            waiting.remove(runner)
                            running[pool.submit(self._run_one, runner)] = runner
                    ended, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in ended:
                        del running[future]
                        outcomes.append(future.result())
            except BaseException:
                self._stop()
                raise
        return outcomes

    def _run_one(self, runner: Runner) -> Outcome:
        """Run a runner and print its closing lines; return its outcome."""
        log_path = self._checkout.logs / f"{runner.name}.log"
        started = time.monotonic()
        code, cpu_s = 1, 0.0
        with contextlib.suppress(_RunnerFailed), self._console.step(runner.label):
            code, cpu_s = self._process(runner, log_path)
            self._console.detail(runner.label, f"{cpu_s / max(time.monotonic() - started, 1e-9):.1f} cores")
            if code != 0:
                raise _RunnerFailed
        closing = _show(self._console, runner, log_path, succeeded=code == 0)
        return Outcome(runner, code, time.monotonic() - started, cpu_s, closing)

    def _process(self, runner: Runner, log_path: Path) -> tuple[int, float]:
        """Run a runner's command with its output in the log; return exit code and processor seconds.

        The code is 127 if it cannot be started, 130 after `_stop`.
        """
        command = [part.replace("{python}", str(self._checkout.python)) for part in runner.command]
        with log_path.open("wb") as log:
            with self._lock:  # so that `_stop` sees every started process
                if self._stopped:
                    return 130, 0.0
                try:
                    process = subprocess.Popen(  # noqa: S603 - our own commands
                        command,
                        cwd=self._checkout.root,
                        env=self._checkout.environment(),
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=subprocess.STDOUT,
                        start_new_session=True,
                    )
                except OSError as error:
                    log.write(f"{command[0]} could not be started: {error.strerror}\n".encode())
                    return 127, 0.0
                self._running.add(process)
            # wait4 instead of Popen.wait, because it returns the resources used by the process and its
            # children.
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            with self._lock:
                self._running.discard(process)
            return process.returncode, usage.ru_utime + usage.ru_stime

    def _stop(self) -> None:
        """Terminate all running commands and prevent further starts."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)

    def _sum_up(self, number: int, outcomes: Sequence[Outcome], wall_s: float) -> int:
        """Print the failed runners, the elapsed time and the processor time; return 1 if one failed, else 0.

        `number`: of runners, those skipped as unchanged included; these count as passed.
        """
        self._console.line()
        failed = [outcome for outcome in outcomes if outcome.code != 0]
        cpu_s = sum(outcome.cpu_s for outcome in outcomes)
        took = f"{duration(wall_s)}, {duration(cpu_s)} of processor time on {self._cores} cores"
        if failed:
            # The causes come last, because long output is often cut at its beginning.
            for outcome in failed:
                self._console.line(f"{outcome.runner.label}:")
                for line in outcome.closing:
                    self._console.line(f"      {line[:_LONGEST_LINE]}")
            names = ", ".join(outcome.runner.name for outcome in failed)
            self._console.heading(f"{len(failed)} of {number} failed: {names} ({took})")
            return 1
        self._console.heading(f"all {number} passed ({took})")
        return 0

    def _digest(self, runner: Runner) -> str:
        """Return a digest of the runner's inputs; empty if it must always run."""
        if not runner.reads:
            return ""
        facts = [runner.name, *runner.command, sys.version, *_versions(self._checkout)]
        digest = hashlib.sha256("\0".join(facts).encode())
        for place in sorted(runner.reads):
            for path in sorted(_files(self._checkout.root / place)):
                digest.update(str(path).encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def _stored(self, runner: Runner) -> str | None:
        """Return the digest of the runner's last success; None without one."""
        try:
            return self._stamp(runner).read_text()
        except FileNotFoundError:
            return None

    def _store(self, runner: Runner, digest: str) -> None:
        """Store the digest of a success."""
        self._stamp(runner).parent.mkdir(exist_ok=True)
        self._stamp(runner).write_text(digest)

    def _stamp(self, runner: Runner) -> Path:
        """Return the path of the file with the runner's digest."""
        return self._checkout.state / "stamps" / f"check-{runner.name}"


class _RunnerFailed(Exception):
    """Raised within a step of the console, which then shows it as failed."""


def _versions(checkout: Checkout) -> list[str]:
    """Return the outputs of `rustc --version` and `node --version`; a missing program is left out."""
    versions = []
    for command in (["rustc", "--version"], ["node", "--version"]):
        with contextlib.suppress(OSError):
            result = subprocess.run(  # noqa: S603 - our own commands
                command, cwd=checkout.root, capture_output=True, text=True, check=False
            )
            versions.append(result.stdout)
    return versions


def _files(place: Path) -> list[Path]:
    """Return the path itself if it is a file, else the files below it without build outputs."""
    if place.is_file():
        return [place]
    paths: list[Path] = []
    for folder, names, files in os.walk(place):
        names[:] = [name for name in names if name not in _NO_INPUT and not name.startswith(".")]
        paths.extend(Path(folder, name) for name in files)
    return paths


def _show(console: Console, runner: Runner, log_path: Path, *, succeeded: bool) -> list[str]:
    """Print the closing lines of a log, or its end if the runner failed; return the closing lines."""
    lines = [_COLOUR.sub("", line).rstrip() for line in log_path.read_text(errors="replace").splitlines()]
    closing = [line for line in lines if re.search(runner.closing, line)][-runner.closing_lines :]
    shown = closing if succeeded else [*lines[-_FAILURE_LINES:], f"(the whole output is in {log_path})"]
    with console.together():
        for line in shown:
            console.line(f"      {line.strip() if succeeded else line}")
    return closing
