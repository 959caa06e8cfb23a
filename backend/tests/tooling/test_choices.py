"""Choices of fixed words: the same ones stand in one order wherever they are written."""

import ast
from collections import defaultdict
from pathlib import Path

import tailroom

SOURCES = Path(tailroom.__file__).parent


def test_the_same_words_are_written_in_one_order() -> None:
    """`typing` takes two of them for one, whichever came first: the order in the contract would be chance."""
    orders: defaultdict[frozenset[object], defaultdict[tuple[object, ...], list[str]]]
    orders = defaultdict(lambda: defaultdict(list))
    for path in SOURCES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)):
                continue
            if node.value.id == "Literal" and isinstance(node.slice, ast.Tuple):
                words = tuple(one.value for one in node.slice.elts if isinstance(one, ast.Constant))
                orders[frozenset(words)][words].append(f"{path.relative_to(SOURCES)}:{node.lineno}")
    assert len(orders) > 20
    assert [dict(found) for found in orders.values() if len(found) > 1] == []
