"""No pattern of an importer takes time that grows with the square of a line or of a beginning of a file.

A pattern that is searched for is tried at every place. Where it begins with blanks that may be any number, or
runs over the ends of lines, each place looks at all the rest: 64 KiB then take seconds, or minutes.
"""

import ast
import importlib
import pkgutil
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import tailroom.importers
from tailroom.importers.nearest import FormatHint
from tailroom.importers.printed import MAX_TEXT_BYTES
from tailroom.importers.source import HEAD_BYTES

LIMIT_S = 0.5
"""A linear pattern takes a hundredth of it, the square of such a length a multiple."""
FILLERS = ("A", "0", " ", "[", ",", ":", "\t", ".", "\n", " \n", "1 ", "a,")
SEARCHES = {"search", "finditer", "findall", "sub", "subn"}
Pattern = re.Pattern[Any]


MODULES = sorted(
    module.name for module in pkgutil.walk_packages(tailroom.importers.__path__, "tailroom.importers.")
)
"""Read by the tests: reading all of them took half a second of every collection of tests."""


def _patterns(value: object) -> Iterator[Pattern]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, FormatHint):
        yield value.sign
    elif isinstance(value, dict):
        for one in value.values():
            yield from _patterns(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _patterns(one)


def _is_search(call: ast.AST) -> bool:
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in SEARCHES


def _named(module: ModuleType) -> dict[str, Pattern]:
    """Patterns of a module by the names that hold them."""
    return {
        f"{name}:{number}": pattern
        for name, value in vars(module).items()
        for number, pattern in enumerate(_patterns(value))
    }


def _searched(module: ModuleType) -> dict[str, Pattern]:
    """Patterns that a module searches for: named, or written where they are used."""
    assert module.__file__ is not None
    searched: set[str] = {"_SIGNS"}
    inline: dict[str, Pattern] = {}
    for call in filter(_is_search, ast.walk(ast.parse(Path(module.__file__).read_text("utf-8")))):
        assert isinstance(call, ast.Call)
        assert isinstance(call.func, ast.Attribute)
        if ast.unparse(call.func.value) != "re":
            searched.add(ast.unparse(call.func.value))
        elif isinstance(call.args[0], ast.Constant):
            inline[f"line {call.lineno}"] = re.compile(call.args[0].value)
    named = {place: pattern for place, pattern in _named(module).items() if place.split(":")[0] in searched}
    return inline | named


def _slow(pattern: Pattern, tried: Callable[[Any], object], length: int) -> str | None:
    """The first that takes it too long: many of one thing, alone and behind words of the pattern."""
    is_bytes = isinstance(pattern.pattern, bytes)
    text = pattern.pattern.decode("latin-1") if is_bytes else pattern.pattern
    for filler in FILLERS:
        for word in ("", *re.findall(r"[A-Za-z]{3,}", text)[:1]):
            data: str | bytes = (word + filler * (length // len(filler)))[:length]
            began_s = time.process_time()
            tried(data.encode("latin-1") if isinstance(data, str) and is_bytes else data)
            if time.process_time() - began_s > LIMIT_S:
                return f"{word}{filler!r}…"
    return None


def test_a_slow_pattern_is_seen() -> None:
    """Otherwise a green test would mean nothing."""
    pattern = re.compile(r"\s*latency")
    # It takes a multiple of the limit for two thirds of a beginning too, and less than half as long.
    assert _slow(pattern, pattern.search, HEAD_BYTES * 2 // 3) is not None


def _in_all_modules(of_module: Callable[[ModuleType], dict[str, Pattern]]) -> dict[str, Pattern]:
    """Each pattern once, whoever imports it; equal ones are one."""
    places = {
        pattern: f"{name} {place}"
        for name in MODULES
        for place, pattern in of_module(importlib.import_module(name)).items()
    }
    return {place: pattern for pattern, place in places.items()}


def test_searching_a_beginning_is_quick() -> None:
    patterns = _in_all_modules(_searched)
    assert len(patterns) > 50
    slow = {place: _slow(pattern, pattern.search, HEAD_BYTES) for place, pattern in patterns.items()}
    assert not any(slow.values()), {place: filler for place, filler in slow.items() if filler}


def test_matching_a_line_is_quick() -> None:
    patterns = _in_all_modules(_named)
    assert len(patterns) > 300
    slow = {place: _slow(pattern, pattern.fullmatch, MAX_TEXT_BYTES) for place, pattern in patterns.items()}
    assert not any(slow.values()), {place: filler for place, filler in slow.items() if filler}
