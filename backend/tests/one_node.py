"""Holds every statement that the tests send against what a distributed database refuses, without one: a
sub-query that looks up rows of a run and of the coordinator together, and a lock of several runs at once
(docs/adr/0158).
"""

from collections.abc import Iterator
from typing import Any
from weakref import WeakSet

from sqlalchemy import (
    Alias,
    BinaryExpression,
    BindParameter,
    Delete,
    Engine,
    Join,
    Select,
    Table,
    Update,
    event,
)
from sqlalchemy.sql import operators, visitors
from sqlalchemy.sql.selectable import CTE, FromClause, Subquery

from tailroom.storage.distribution import KEY, tables_of_runs

_OF_RUNS = frozenset(table.name for table in tables_of_runs())


class Refused(AssertionError):
    """A distributed database would refuse the statement."""


def watch_statements() -> None:
    """From here on every statement of SQLAlchemy is looked at, each form of it once."""
    seen: WeakSet[Any] = WeakSet()

    def look(_connection: Any, _cursor: Any, text: str, _values: Any, context: Any, _many: bool) -> None:
        compiled = context.compiled if context is not None else None
        if compiled is None or compiled in seen:
            return
        seen.add(compiled)
        if found := problem_of(compiled.statement):
            raise Refused(f"{found}: {text}")

    event.listen(Engine, "before_cursor_execute", look)


def problem_of(statement: Any) -> str:
    """What a distributed database would refuse of it, or nothing."""
    around = {statement.table} if isinstance(statement, Update | Delete) else set()
    return next(_problems(statement, around), "")


def _problems(element: Any, around: set[Any]) -> Iterator[str]:
    if isinstance(element, Select):
        leaves = {leaf for one in element.get_final_froms() for leaf in _leaves(one)}
        beyond = leaves & around
        if beyond and len({_is_of_runs(one) for one in leaves if _table(one) is not None}) > 1:
            yield "a sub-query joins a table of runs and one of the coordinator"
        locks_runs = element._for_update_arg is not None and any(_is_of_runs(one) for one in leaves)
        if locks_runs and not _names_a_run(element.whereclause):
            yield "a lock does not name its run"
        around = around | leaves
    for child in element.get_children():
        # What stands in FROM does not see what is beside it.
        yield from _problems(child, set() if isinstance(child, Subquery | CTE) else around)


def _leaves(one: FromClause) -> Iterator[Any]:
    if isinstance(one, Join):
        yield from _leaves(one.left)
        yield from _leaves(one.right)
    else:
        yield one


def _table(leaf: Any) -> Table | None:
    found = leaf.element if isinstance(leaf, Alias) else leaf
    return found if isinstance(found, Table) else None


def _is_of_runs(leaf: Any) -> bool:
    table = _table(leaf)
    return table is not None and table.name in _OF_RUNS


def _names_a_run(where: Any) -> bool:
    return where is not None and any(
        isinstance(one, BinaryExpression)
        and one.operator is operators.eq
        and getattr(one.left, "name", None) == KEY
        and isinstance(one.right, BindParameter)
        for one in visitors.iterate(where)
    )
