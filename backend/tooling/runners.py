"""Runners of `make check` and `make test`.

Defines the inputs of each runner and the processor cores it uses; `side_by_side.py` runs them. Every runner
runs, even if others fail.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass

_PYTHON_PLACES = ("backend", "workers", "migrations", "conftest.py")
_PYTHON = (*_PYTHON_PLACES, "pyproject.toml", "uv.lock")
_RUST = ("agent", "Cargo.toml", "Cargo.lock", "rustfmt.toml")
_PAGES = ("frontend", "e2e", "package.json", "package-lock.json", "biome.json")
_CONTRACT = ("docs/contracts",)


@dataclass(frozen=True, slots=True)
class Runner:
    """A tool that `make check`, `make test` or `make fix` runs."""

    name: str
    """Name on the command line, and of its log."""
    label: str
    """Text shown while it runs."""
    command: Sequence[str]
    """`{python}` in it is replaced by the checkout's interpreter."""
    closing: str = r"\S"
    """Regular expression of the lines of its output that are shown at the end."""
    closing_lines: int = 1
    """At most so many of these lines are shown, the last of them."""
    reads: Sequence[str] = ()
    """Files and folders that determine the result; `make check` skips it if unchanged. Empty: always run."""
    cores: int = 1
    """Processor cores that it occupies; 0 if it mostly waits."""
    after: Sequence[str] = ()
    """Names of runners that must end before it starts."""


def _python(name: str, label: str, *command: str) -> Runner:
    """Return a runner of a Python module that reads all Python files."""
    return Runner(name, label, ["{python}", "-m", *command], reads=_PYTHON)


CHECKS: Sequence[Runner] = (
    # The longest first, so that short runners fill the remaining cores.
    Runner(
        "clippy",
        "Rust lint (clippy)",
        ["cargo", "clippy", "--workspace", "--all-targets", "--locked", "--", "--deny", "warnings"],
        reads=_RUST,
    ),
    _python("mypy", "Python types (mypy --strict)", "mypy", *_PYTHON_PLACES),
    Runner(
        "openapi",
        "openapi.json equals the API",
        ["{python}", "-m", "tailroom.cli.main", "openapi", "--check", "docs/contracts/openapi.json"],
        reads=(*_PYTHON, *_CONTRACT),
    ),
    Runner(
        "bundle",
        "first load of the pages within its budget",
        ["npm", "run", "budget", "--workspace", "frontend"],
        closing=r"^first load:",
    ),
    Runner(
        "tsc",
        "TypeScript types (tsc)",
        ["npm", "run", "typecheck", "--workspaces", "--if-present"],
        reads=(*_PAGES, *_CONTRACT),
    ),
    Runner(
        "offline",
        "the script of offline pages equals its source",
        ["npm", "run", "offline:check", "--workspace", "frontend"],
        reads=(*_PAGES, "backend/src/tailroom/reports/templates/offline.js"),
    ),
    Runner(
        "lint-imports",
        "rooms of the backend (import-linter)",
        ["{python}", "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"],
        closing=r"^Contracts:",
        reads=_PYTHON,
    ),
    Runner(
        "biome",
        "TypeScript lint and format (Biome)",
        ["npx", "--no-install", "biome", "ci", "."],
        reads=_PAGES,
    ),
    Runner(
        "limits",
        "limits.md equals the limits",
        ["{python}", "-m", "tailroom.cli.main", "limits", "--check", "docs/limits.md"],
        reads=(*_PYTHON, "docs/limits.md"),
    ),
    _python("ruff-format", "Python format (ruff)", "ruff", "format", "--check", "."),
    _python("ruff", "Python lint (ruff)", "ruff", "check", "."),
    Runner("rust-format", "Rust format", ["cargo", "fmt", "--all", "--check"], reads=_RUST),
    Runner(
        "docs",
        "documents name what exists",
        ["{python}", "-m", "backend.tooling.documents"],
    ),
    Runner(
        "constants",
        "numbers that languages repeat are equal",
        ["{python}", "-m", "backend.tooling.constants"],
        reads=("backend/src", "agent", "frontend/src", "backend/tooling/constants.py", "docs/contracts"),
    ),
    Runner(
        "class-names",
        "every class of the backend has a name of its own",
        ["{python}", "-m", "backend.tooling.class_names"],
        reads=("backend/src", "workers/src", "backend/tooling/class_names.py"),
    ),
    Runner(
        "dependencies",
        "locked packages keep the policy",
        ["{python}", "-m", "backend.tooling.dependencies"],
    ),
    Runner(
        "words",
        "product strings follow docs/language.md",
        ["{python}", "-m", "backend.tooling.words"],
        reads=(
            "backend/src",
            "workers/src",
            "frontend/src",
            "agent/crates",
            "backend/tooling/words.py",
            "docs",
            "README.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "CHANGELOG.md",
        ),
    ),
)

_WORKERS = len(os.sched_getaffinity(0)) + 1
"""One more than there are cores, because a test that starts processes waits for half of its time."""

TESTS: Sequence[Runner] = (
    # Browser tests start first because they mostly wait: other runners use the cores until the end.
    Runner("browser", "a browser for the journeys", ["node", "e2e/browser.mjs"], cores=0),
    Runner(
        "playwright",
        "journeys in a browser (Playwright)",
        ["npm", "test", "--workspace", "e2e"],
        closing=(
            r"^\s*\d+ (passed|failed|skipped|did not run)|^    \S+\.spec\.ts:\d+"
            r"|^\s*\d+\) |^    (\w*Error: |Test timeout|[-+] |Expected|Received|Locator: )"
        ),
        closing_lines=60,
        after=["browser"],
    ),
    Runner(
        "cargo-test",
        "agent (cargo test)",
        # Without documentation tests: there are none, and rustdoc would read every crate to find out.
        ["cargo", "test", "--workspace", "--tests", "--locked"],
        closing=r"^test result: (?!ok\. 0 passed; 0 failed; 0 ignored)|^test .* FAILED$|panicked at ",
        closing_lines=40,
        # Half of its time it waits for agents that measure, so it occupies no core.
        cores=0,
        # It builds into the folder that clippy locks.
        after=["clippy"],
    ),
    Runner(
        "pytest",
        "backend and workers (pytest)",
        ["{python}", *f"-m pytest -q -n {_WORKERS} --dist worksteal -r a".split()],
        closing=r"^(FAILED|ERROR) | in \d",
        closing_lines=20,
    ),
    Runner(
        "vitest",
        "pages (vitest)",
        ["npm", "test", "--workspace", "frontend"],
        closing=r"^\s*(Test Files|Tests|Duration)\s",
        closing_lines=3,
    ),
)
"""Runners of `make test`, which also runs all checks."""

FIXES: Sequence[Runner] = (
    _python("ruff", "Python: safe fixes (ruff)", "ruff", "check", "--fix", "."),
    Runner("ruff-format", "Python format (ruff)", ["{python}", "-m", "ruff", "format", "."], after=["ruff"]),
    Runner("rust-format", "Rust format", ["cargo", "fmt", "--all"]),
    Runner(
        "biome",
        "TypeScript: safe fixes and format (Biome)",
        ["npx", "--no-install", "biome", "check", "--write", "."],
    ),
)
"""Runners of `make fix`: formatters, and fixes that change no meaning."""
