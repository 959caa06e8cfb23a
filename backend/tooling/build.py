"""Set-up of a checkout: the steps, their inputs, and the conditions for skipping a step.

A step is skipped if a digest of all its inputs equals that of its last success and its outputs exist.
Independent chains run in parallel: Python packages, Node packages and pages, the agent. Standard library
only.
"""

import contextlib
import fcntl
import hashlib
import os
import platform
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from backend.tooling import debian_tools
from backend.tooling.prerequisites import Machine, missing

from tailroom.embedded.console import Console

_TAIL_LINES = 25
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_FORGET = (
    *("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "UV_PROJECT_ENVIRONMENT", "UV_PROJECT", "UV_PYTHON"),
    *("CARGO_TARGET_DIR", "CARGO_BUILD_TARGET", "NODE_ENV", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"),
    "PYTHONDONTWRITEBYTECODE",
)
"""The caller's variables that would redirect or reduce outputs, or disable Python's bytecode cache."""

_AGENT_SOURCES = ("Cargo.toml", "Cargo.lock", "rust-toolchain.toml", "agent/**/*.rs", "agent/**/Cargo.toml")


class StepFailed(Exception):
    """A step failed; the message names the step and its log."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the set-up."""

    name: str
    """Name of its log and of the record of its success."""
    label: str
    """Text shown while it runs."""
    commands: Sequence[Sequence[str]]
    """Commands that are run in order, from the root of the checkout."""
    inputs: Sequence[str]
    """Glob patterns of the files that determine its outputs."""
    outputs: Sequence[Path]
    """Paths that must exist afterwards."""
    needs: Sequence[str]
    """Names of prerequisites, see `prerequisites.missing`."""
    facts: Sequence[str] = ()
    """Further texts that determine its outputs, such as a version."""
    covered_by: Sequence[str] = ()
    """Names of steps that include this step: if any of them is up to date, so is this step."""


class Checkout:
    """A checkout of Tailroom, and its folder for files that are not committed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.state = root / ".tailroom"
        self.logs = self.state / "log"
        self.python = root / ".venv" / "bin" / "python"
        self.agent = root / "target" / "release" / "tailroom-agent"
        self._uv = self.state / "bootstrap" / "bin" / "uv"

    def environment(self) -> dict[str, str]:
        """Return the environment for every tool.

        It is the caller's without the variables in `_FORGET`, with settings of uv, pip and colours.
        """
        environment = {name: value for name, value in os.environ.items() if name not in _FORGET}
        return {
            **environment,
            "UV_PYTHON": sys.executable,
            "UV_PYTHON_DOWNLOADS": "never",
            "UV_PROJECT_ENVIRONMENT": str(self.root / ".venv"),
            "UV_NO_PROGRESS": "1",
            "UV_LINK_MODE": os.environ.get("UV_LINK_MODE", "hardlink"),
            "CARGO_TERM_COLOR": "never",
            "NO_COLOR": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }

    def prepare(self) -> None:
        """Create the folders of build state and logs; the state is private to the user."""
        self.state.mkdir(mode=0o700, exist_ok=True)
        self.logs.mkdir(exist_ok=True)

    def python_steps(self, *, development: bool) -> list[Step]:
        """Return the steps for uv, Python packages and manual pages; with `development` also test tools."""
        install = ["-m", "pip", "install", "--quiet", "--require-hashes", "--requirement"]
        tool = Step(
            name="uv",
            label="package installer (uv)",
            commands=[
                [sys.executable, "-m", "venv", "--clear", str(self._uv.parents[1])],
                [
                    str(self._uv.with_name("python")),
                    *install,
                    str(Path(__file__).with_name("uv-requirements.txt")),
                ],
            ],
            inputs=["backend/tooling/uv-requirements.txt"],
            outputs=[self._uv],
            needs=["python", "space"],
            facts=[sys.version, str(self.root)],
        )
        groups = ["--group", "dev" if development else "embedded"]
        sync = Step(
            name="python-dev" if development else "python",
            label="Python packages" + (" and test tools" if development else ""),
            # Inexact: a start after `make test` must not remove the test tools.
            commands=[[str(self._uv), "sync", "--frozen", "--inexact", *groups]],
            inputs=[
                "uv.lock",
                "pyproject.toml",
                "backend/pyproject.toml",
                "backend/client/pyproject.toml",
                "workers/pyproject.toml",
            ],
            outputs=[self.python],
            needs=["python", "space"],
            facts=[sys.version, str(self.root)],
            covered_by=[] if development else ["python-dev"],
        )
        pages = self.root / ".venv" / "share" / "man" / "man1"
        manual = Step(
            name="manual",
            label="manual pages",
            commands=[[str(self.python), "-m", "tailroom.cli.main", "man", str(pages)]],
            inputs=["uv.lock", "backend/src/tailroom/cli/*.py", "backend/src/tailroom/embedded/up.py"],
            outputs=[pages / "tailroom.1"],
            needs=["python", "space"],
        )
        return [tool, sync, manual]

    def node_steps(self) -> list[Step]:
        """Return the steps for Node packages and for the pages, in this order."""
        packages = ["package-lock.json", "package.json", "*/package.json", "frontend/codegen/package.json"]
        install = Step(
            name="node",
            label="Node packages",
            commands=[["npm", "ci", "--include=dev", "--no-audit", "--no-fund", "--prefer-offline"]],
            inputs=packages,
            outputs=[self.root / "node_modules" / ".package-lock.json"],
            needs=["node", "space"],
            facts=[platform.machine(), str(self.root)],
        )
        pages = Step(
            name="pages",
            label="pages",
            commands=[["npm", "run", "build", "--workspace", "frontend"]],
            inputs=[
                *packages,
                "frontend/src/**/*",
                "frontend/public/**/*",
                "frontend/*",
                "docs/contracts/openapi.json",
            ],
            outputs=[self.root / "frontend" / "dist" / "index.html"],
            needs=["node", "space"],
        )
        return [install, pages]

    def agent_steps(self) -> list[Step]:
        """Return the step for the release build of the agent."""
        build = ["cargo", "build", "--release", "--locked", "--package", "tailroom-agent"]
        pages = self.agent.parent / "share" / "man" / "man1"
        return [
            Step(
                name="agent",
                label="agent (release build)",
                commands=[
                    [*build, "--target-dir", str(self.root / "target")],
                    ["mkdir", "-p", str(pages)],
                    [str(self.agent), "man", str(pages)],
                ],
                inputs=_AGENT_SOURCES,
                outputs=[self.agent],
                needs=["rust", "space"],
            )
        ]

    def test_program_steps(self) -> list[Step]:
        """Return the step for programs that tests start: the agent as a debug build, and test servers."""
        # Build for the whole workspace: dependencies then get the same features as in `cargo test`, and are
        # compiled once.
        build = ["cargo", "build", "--locked", "--workspace", "--bins"]
        return [
            Step(
                name="test-programs",
                label="agent and servers for tests (debug build)",
                commands=[[*build, "--target-dir", str(self.root / "target")]],
                inputs=_AGENT_SOURCES,
                outputs=[
                    self.root / "target" / "debug" / name for name in (self.agent.name, "aerospike-stand-in")
                ],
                needs=["rust", "space"],
            )
        ]

    def tool_steps(self) -> list[Step]:
        """Return the step for system tools that only tests use; a test without its tool is skipped."""
        return [
            Step(
                name="test-tools",
                label="tools for tests (Debian packages, as root)",
                commands=[[sys.executable, debian_tools.script()]],
                inputs=["backend/tooling/debian_tools.py"],
                outputs=[],
                needs=[],
                # A failed installation is retried when one of these facts changes.
                facts=[
                    *debian_tools.missing_packages(),
                    str(os.geteuid()),
                    os.environ.get(debian_tools.SWITCH, ""),
                ],
            )
        ]


class Builder:
    """Runs the steps of a checkout that are not up to date."""

    def __init__(
        self,
        checkout: Checkout,
        console: Console,
        machine: Machine | None = None,
        *,
        lock: str = "build.lock",
    ) -> None:
        self._checkout = checkout
        self._console = console
        self._machine = machine or Machine.here()
        self._lock_path = checkout.state / lock
        self._running: set[subprocess.Popen[bytes]] = set()
        self._cancelled = threading.Event()
        self._lock = threading.Lock()

    def build(self, *chains: Sequence[Step]) -> None:
        """Bring every chain up to date: chains in parallel, the steps of a chain in order.

        Raise StepFailed if a prerequisite is missing, or if a command failed; all chains have ended by then.
        """
        self._checkout.prepare()
        with self._only_builder():
            # An earlier step can outdate a later step of its chain only through inputs that both share, so
            # all due steps are known now.
            due = [[step for step in chain if not self.is_current(step)] for chain in chains]
            for step in (
                step for chain, left in zip(chains, due, strict=True) for step in chain if step not in left
            ):
                self._console.skipped(step.label, "unchanged")
            self.check_prerequisites(*due)
            self._run_chains([chain for chain in due if chain])

    def check_prerequisites(self, *chains: Sequence[Step]) -> None:
        """Raise StepFailed with a sentence for each missing prerequisite of steps that are not current."""
        steps = [step for chain in chains for step in chain if not self.is_current(step)]
        needs = sorted({need for step in steps for need in step.needs})
        sentences = missing(self._machine, self._checkout.root, needs=needs)
        if sentences:
            raise StepFailed("\n".join(sentences))

    def _run_chains(self, chains: Sequence[Sequence[Step]]) -> None:
        """Run the chains in parallel until all have ended; then raise the first error, if any.

        An error that is not a cancellation comes first.
        """
        if not chains:
            return
        with ThreadPoolExecutor(len(chains)) as pool:
            try:
                futures = [pool.submit(self._run_chain, chain) for chain in chains]
                errors = [error for future in futures if (error := future.exception()) is not None]
            except BaseException:
                self._cancel()
                raise
        if errors:
            raise next((error for error in errors if not isinstance(error, _Cancelled)), errors[0])

    def _run_chain(self, chain: Sequence[Step]) -> None:
        """Run the steps of a chain and record each success.

        A failure cancels the other chains; raise StepFailed then.
        """
        for step in chain:
            digest = self._digest(step)
            self._stamp(step.name).unlink(missing_ok=True)
            try:
                with self._console.step(step.label):
                    self._run(step)
            except StepFailed:
                self._cancel()
                raise
            self._stamp(step.name).parent.mkdir(exist_ok=True)
            self._stamp(step.name).write_text(digest)

    def _run(self, step: Step) -> None:
        """Run the commands of a step.

        Raise StepFailed if a command fails or an output is missing, _Cancelled if another step has failed.
        """
        log_path = self._checkout.logs / f"setup-{step.name}.log"
        with log_path.open("wb") as log:
            for command in step.commands:
                process = self._start(command, log)
                code = process.wait()
                with self._lock:
                    self._running.discard(process)
                if self._cancelled.is_set():
                    raise _Cancelled("stopped because another step failed")
                if code != 0:
                    raise StepFailed(_failure(step, command, code, log_path))
        absent = [path for path in step.outputs if not path.exists()]
        if absent:
            raise StepFailed(
                f"{step.label} ended without an error but did not make {absent[0]}; see {log_path}"
            )

    def _start(self, command: Sequence[str], log: IO[bytes]) -> "subprocess.Popen[bytes]":
        """Start a command with its output in the log. Raise _Cancelled if another step has failed."""
        with self._lock:  # so that `_cancel` sees every started process
            if self._cancelled.is_set():
                raise _Cancelled("stopped because another step failed")
            process = subprocess.Popen(  # noqa: S603 - our own commands
                command,
                cwd=self._checkout.root,
                env=self._checkout.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self._running.add(process)
            return process

    def _cancel(self) -> None:
        """Terminate all running commands and prevent further starts."""
        with self._lock:
            self._cancelled.set()
            for process in self._running:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGTERM)

    def is_current(self, step: Step) -> bool:
        """Return whether a step's inputs equal those of its last success, and its outputs exist.

        The last success of a step that covers it counts too.
        """
        if not all(path.exists() for path in step.outputs):
            return False
        if self._stored(step.name) == self._digest(step):
            return True
        names = step.covered_by
        return any(self._stored(name) == self._digest(step, name) for name in names)

    def _digest(self, step: Step, name: str | None = None) -> str:
        """Return the digest of a step's facts and input files under `name` (None: the step's name)."""
        digest = hashlib.sha256(f"{name or step.name}\n".encode())
        for fact in step.facts:
            digest.update(fact.encode() + b"\0")
        for path in sorted({path for pattern in step.inputs for path in self._checkout.root.glob(pattern)}):
            if path.is_file() and "node_modules" not in path.parts:
                digest.update(str(path.relative_to(self._checkout.root)).encode() + b"\0")
                digest.update(hashlib.sha256(path.read_bytes()).digest())
        return digest.hexdigest()

    def _stored(self, name: str) -> str | None:
        """Return the digest of a step's last success; None without one."""
        try:
            return self._stamp(name).read_text()
        except FileNotFoundError:
            return None

    def _stamp(self, name: str) -> Path:
        """Return the path of the file with a step's digest."""
        return self._checkout.state / "stamps" / name

    @contextlib.contextmanager
    def _only_builder(self) -> Iterator[None]:
        """Hold a lock of this checkout; wait while another `make` sets it up."""
        with self._lock_path.open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                with self._console.step("waiting for another make that sets up this checkout"):
                    fcntl.flock(lock, fcntl.LOCK_EX)
            yield


class _Cancelled(StepFailed):
    """A step was cancelled because another step failed."""


def _failure(step: Step, command: Sequence[str], code: int, log_path: Path) -> str:
    """Return the message about a failed command, with the last 25 lines of its log.

    With advice if the disk was full.
    """
    lines = _COLOUR.sub("", log_path.read_text(errors="replace")).splitlines()[-_TAIL_LINES:]
    advice = ""
    if any("No space left on device" in line or "ENOSPC" in line for line in lines):
        advice = "\nThe disk is full: free some space and try again."
    shown = "\n".join(f"    {line}" for line in lines)
    shortened = f"{Path(command[0]).name} {' '.join(command[1:3])} …"
    return (
        f"{step.label}: `{shortened}` ended with exit code {code}; its last lines:\n{shown}\n"
        f"The whole output is in {log_path}{advice}"
    )
