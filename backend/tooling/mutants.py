"""Mutation check: change one expression or statement at a time and report changes that no test detects.

    python -m backend.tooling.mutants backend/src/tailroom/ingest --tests backend/tests/ingest --count 40

No file changes. Run the tests once to record which functions each test calls. Then, for each mutant, a forked
process replaces the function's code in memory and runs the tests that call it until a test fails. A mutant
also counts as detected if the tests hang. Only function bodies are changed, except strings and logging;
processes started by tests run the unchanged source.
"""

import argparse
import ast
import copy
import gc
import os
import pickle
import random
import select
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice, pairwise
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import psycopg
import pytest
from _pytest.runner import runtestprotocol
from redis import Redis

ROOT = Path(__file__).resolve().parents[2]
_MIN_TIMEOUT_S, _SLOWDOWN = 30.0, 6.0
"""A mutant hangs if its tests take longer than this minimum plus this multiple of their usual time."""

_CALLS_BY_LINE = 50
"""Calls of a function per test whose lines are recorded; recording all calls takes too long."""

Function = tuple[str, str, int]
"""File, qualified name and first line."""

_PAIRS: Sequence[tuple[type[ast.AST], type[ast.AST]]] = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)),
    *((ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.Div), (ast.BitAnd, ast.BitOr)),
)
"""Operators that replace each other."""
_REPLACED = (
    dict(_PAIRS)
    | {after: before for before, after in _PAIRS}
    | {ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv}
)
"""Replacement of each operator."""


@dataclass(frozen=True)
class Mutant:
    """One change: `node`, which is at `key` of `container`, is replaced by `changed`."""

    path: Path
    tree: ast.Module
    container: Any
    """List, or attributes as a dictionary, of a part of `tree`."""
    key: Any
    node: ast.AST
    changed: ast.AST

    @property
    def line(self) -> str:
        """File and line of the change, as `path.py:12`."""
        return f"{self.path.relative_to(ROOT)}:{_located(self.node).lineno}"

    def __str__(self) -> str:
        before, after = (ast.unparse(node).splitlines()[0] for node in (self.node, self.changed))
        return f"{self.line}: {before}  ->  {after}"

    @cached_property
    def functions(self) -> dict[Function, CodeType]:
        """New code of the functions that contain the change, by function; empty if the code is unchanged."""
        original = dict(_functions(compile(self.tree, str(self.path), "exec", dont_inherit=True)))
        changed = ast.copy_location(self.changed, _located(self.node))
        self.container[self.key] = ast.fix_missing_locations(changed)
        code = compile(self.tree, str(self.path), "exec", dont_inherit=True)
        self.container[self.key] = self.node
        return {name: new for name, new in _functions(code) if new != original[name]}


@dataclass(frozen=True, slots=True)
class Trace:
    """Record of a test that passes."""

    duration_s: float
    """Time that the test takes."""
    functions: set[Function]
    """Functions that it calls."""
    lines: set[tuple[str, int]]
    """File and line number of the lines that the first calls of each function reach."""


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a file's functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for function in filter(_is_function, ast.walk(tree)):
        body = function.body  # type: ignore[attr-defined]
        for position, statement in enumerate(body):
            for container, key, node in _places(statement, body, position):
                for changed in _changes(node):
                    yield Mutant(path, tree, container, key, node, changed)


def _located(node: ast.AST) -> Any:
    """Return the node, or the target of a comprehension, which has no position itself."""
    return node.target if isinstance(node, ast.comprehension) else node


def _is_function(node: ast.AST) -> bool:
    """Return whether a node defines a function."""
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _places(node: ast.AST, container: Any, key: Any) -> Iterator[tuple[Any, Any, ast.AST]]:
    """Yield `node` and each node below it that may be changed, after the object and the key that hold it.

    Nested functions and ignored nodes are left out with all below them.
    """
    if _is_function(node) or _is_ignored(node):
        return
    yield container, key, node
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns"}:
            continue
        if isinstance(value, list):
            for position, child in enumerate(value):
                if isinstance(child, ast.AST):
                    yield from _places(child, value, position)
        elif isinstance(value, ast.AST):
            yield from _places(value, vars(node), name)


def _is_ignored(node: ast.AST) -> bool:
    """Return whether a node is a formatted string, writes to the log, or is a type such as `X | None`."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return ast.unparse(node.value.func).lower().lstrip("_").startswith(("log.", "logger.", "warnings."))
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.BinOp) and _is_type(node))


def _is_type(node: ast.BinOp) -> bool:
    """Return whether the right operand is None, as in the type `X | None`."""
    return isinstance(node.right, ast.Constant) and node.right.value is None


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield changed copies of a node; nothing for a node that is not changed."""
    changed: Any = copy.deepcopy(node)
    match node:
        case ast.Compare():
            for position, operator in enumerate(node.ops):
                changed = copy.deepcopy(node)
                changed.ops[position] = _REPLACED[type(operator)]()
                yield changed
        case ast.BoolOp() | ast.BinOp() if type(node.op) in _REPLACED:
            changed.op = _REPLACED[type(node.op)]()
            yield changed
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield changed.operand
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int() | float()):
            yield ast.Constant(node.value + 1)  # type: ignore[operator]
        case ast.If() | ast.IfExp() | ast.While() if not isinstance(node.test, ast.Compare):
            changed.test = ast.UnaryOp(ast.Not(), changed.test)
            yield changed
        case ast.comprehension(ifs=[_, *_]):
            changed.ifs = []
            yield changed
        case (
            ast.AugAssign()
            | ast.Raise()
            | ast.Expr(value=ast.Call() | ast.Await())
            | ast.Break()
            | ast.Continue()
        ):
            yield ast.Pass()
        case _:
            pass


def _functions(code: CodeType) -> Iterator[tuple[Function, CodeType]]:
    """Yield every function within a code object, also nested functions, with its code."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield _name(constant), constant
            yield from _functions(constant)


def _name(code: CodeType) -> Function:
    """Return the file, qualified name and first line of a code object."""
    return code.co_filename, code.co_qualname, code.co_firstlineno


class Check:
    """A pytest plugin that runs the collected tests once without and once with each mutant."""

    def __init__(
        self, paths: Sequence[Path], *, count: int, seed: int, only: Sequence[str], most_s: float
    ) -> None:
        """Draw up to `count` mutants of the files by `seed`.

        `only`: ends of `Mutant.line`, empty for all lines; `most_s`: limit of the tests' usual time for a
        mutant.
        """
        self._most_s = most_s
        self._files = {str(path) for path in paths}
        drawn = [
            mutant
            for path in paths
            for mutant in mutants(path)
            if not only or mutant.line.endswith(tuple(only))
        ]
        random.Random(seed).shuffle(drawn)  # noqa: S311 - the same mutants every time
        self._mutants = list(islice((mutant for mutant in drawn if mutant.functions), count))
        self._postgres: Any = None
        self._template = self._redis_url = ""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Remove `test_services` from the tests, so that no pytest argument deselects it."""
        self._services = next(item for item in items if item.name == test_services.__name__)
        items.remove(self._services)

    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> None:
        """Store the services that `test_services` gets as fixtures."""
        if pyfuncitem.name == test_services.__name__:
            self._postgres = pyfuncitem.funcargs["embedded_postgres"]
            self._template = str(pyfuncitem.funcargs["migrated_template"])
            self._redis_url = str(pyfuncitem.funcargs["redis_url"])

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests with each mutant; print whether each is detected, and how many are.

        Return True, so that pytest does not run the tests itself.
        """
        services, tests = self._services, session.items
        # Name a next test, so that pytest does not stop the services.
        runtestprotocol(services, nextitem=tests[0], log=False)
        gc.unfreeze()
        functions: dict[Function, list[FunctionType]] = {}
        for candidate in gc.get_objects():
            if isinstance(candidate, FunctionType) and candidate.__code__.co_filename in self._files:
                functions.setdefault(_name(candidate.__code__), []).append(candidate)
        gc.freeze()
        traces: dict[str, Trace] = (
            self._forked(lambda send: send(_traces(tests, services, self._files)), 3600.0) or {}
        )
        print(f"{len(traces)} of {len(tests)} tests pass without a change")
        noticed = 0
        for number, mutant in enumerate(self._mutants, 1):
            calling = [
                test
                for test in tests
                if test.nodeid in traces and not traces[test.nodeid].functions.isdisjoint(mutant.functions)
            ]
            chosen = self._first(calling, mutant, traces)
            timeout_s = _MIN_TIMEOUT_S + _SLOWDOWN * sum(traces[test.nodeid].duration_s for test in chosen)

            def run(send: Callable[[Any], None], mutant: Mutant = mutant, chosen: list[Any] = chosen) -> None:
                """Replace the code of the mutant's functions, run the tests and send the first failure."""
                for name, code in mutant.functions.items():
                    for function in functions.get(name, []):
                        function.__code__ = code
                send(_first_failure(chosen, services))

            result = self._forked(run, timeout_s) if chosen else ""
            noticed += result != ""
            outcome = "SURVIVES" if result == "" else f"noticed by {result or 'its time'}"
            print(f"{number} {mutant}: {outcome} ({len(chosen)} of {len(calling)} tests)", flush=True)
        print(f"{noticed} of {len(self._mutants)} mutants noticed")
        return True

    def _first(
        self, tests: Sequence[pytest.Item], mutant: Mutant, traces: dict[str, Trace]
    ) -> list[pytest.Item]:
        """Return the tests to run for a mutant: first those that reach its line, each group fastest first.

        They take at most `most_s` seconds together, but the first is always included.
        """
        reached = str(mutant.path), _located(mutant.node).lineno

        def rank(test: pytest.Item) -> tuple[bool, float]:
            """Return the sort key of a test: tests that reach the line first, then by duration."""
            trace = traces[test.nodeid]
            return reached not in trace.lines, trace.duration_s

        ordered = sorted(tests, key=rank)
        ends_s = accumulate(traces[test.nodeid].duration_s for test in ordered)
        return [
            test
            for test, end_s in zip(ordered, ends_s, strict=True)
            if test is ordered[0] or end_s <= self._most_s
        ]

    def _forked(self, work: Callable[[Callable[[Any], None]], None], timeout_s: float) -> Any:
        """Run `work` in a forked process and return the value that it sends; None if it sends none in time.

        The process is killed and what it left in the services is removed.
        """
        reader, writer = os.pipe()
        if not (pid := os.fork()):
            os.setsid()
            silence = os.open(os.devnull, os.O_RDWR)
            for descriptor in (0, 1, 2):
                os.dup2(silence, descriptor)
            with os.fdopen(writer, "wb") as target:
                work(lambda value: pickle.dump(value, target))
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as source:
            content = b""
            deadline = time.monotonic() + timeout_s
            while select.select([source], [], [], max(0, deadline - time.monotonic()))[0]:
                if not (part := os.read(source.fileno(), 1 << 16)):
                    break
                content += part
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        self._clean()
        return pickle.loads(content) if content else None  # noqa: S301 - from our own process

    def _clean(self) -> None:
        """Drop the databases and keys that the forked process left."""
        with psycopg.connect(self._postgres.conninfo(), autocommit=True) as connection:
            names = [name for (name,) in connection.execute("SELECT datname FROM pg_database")]
        for name in names:
            if name.startswith("tailroom") and name != self._template:
                self._postgres.drop_database(name)
        with Redis.from_url(self._redis_url) as valkey:
            valkey.flushall()


def _traces(tests: Sequence[pytest.Item], services: pytest.Item, files: set[str]) -> dict[str, Trace]:
    """Run the tests and return the trace of each test that passes, by its ID.

    `files`: paths of the source files whose functions are recorded.
    """
    functions: set[Function] = set()
    lines: set[tuple[str, int]] = set()
    calls: Counter[CodeType] = Counter()

    def trace_line(frame: FrameType, _event: str, _argument: object) -> Any:
        """Record a line."""
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return trace_line

    def trace_call(frame: FrameType, _event: str, _argument: object) -> Any:
        """Record a call of a function of `files`, and the lines of its first calls."""
        code = frame.f_code
        if code.co_filename not in files:
            return None
        functions.add(_name(code))
        calls[code] += 1
        return trace_line if calls[code] <= _CALLS_BY_LINE else None

    traces = {}
    threading.settrace(trace_call)
    for test, following in pairwise([*tests, services]):
        functions.clear()
        lines.clear()
        calls.clear()
        begin = time.monotonic()
        sys.settrace(trace_call)
        reports = runtestprotocol(test, nextitem=following, log=False)
        sys.settrace(None)
        if all(report.outcome == "passed" for report in reports):
            traces[test.nodeid] = Trace(time.monotonic() - begin, set(functions), set(lines))
    return traces


def _first_failure(tests: Sequence[pytest.Item], services: pytest.Item) -> str:
    """Run the tests in order; return the ID of the first that fails, empty if all pass.

    Later tests do not run.
    """
    for test, following in pairwise([*tests, services]):
        reports = runtestprotocol(test, nextitem=following, log=False)
        if any(report.failed for report in reports):
            return test.nodeid
    return ""


def test_services(embedded_postgres: object, migrated_template: str, redis_url: str) -> None:
    """Request the fixtures of the services that all mutants share."""


def main() -> int:
    """Check the mutants that the command line selects; return pytest's exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Further arguments go to pytest.",
    )
    parser.add_argument("paths", nargs="+", type=Path, help="source files or folders to change")
    parser.add_argument("--tests", nargs="+", required=True, help="files or folders of tests to choose from")
    parser.add_argument("--count", type=int, default=40, help="how many mutants to draw (default 40)")
    parser.add_argument("--seed", type=int, default=1, help="which mutants to draw (default 1)")
    parser.add_argument("--only", nargs="+", default=(), help="draw only mutants of these lines (file.py:12)")
    parser.add_argument(
        "--seconds",
        type=float,
        default=30.0,
        help="run the fastest tests up to this time for a mutant (default 30)",
    )
    given, further = parser.parse_known_args()
    folders = [path.resolve() for path in given.paths]
    files = [file for path in folders for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    check = Check(files, count=given.count, seed=given.seed, only=given.only, most_s=given.seconds)
    options = [
        "-q",
        "-s",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        f"{__file__}::{test_services.__name__}",
    ]
    return pytest.main([*options, *further, *given.tests], plugins=[check])


if __name__ == "__main__":
    sys.exit(main())
