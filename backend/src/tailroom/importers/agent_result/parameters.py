"""The load parameters in the plan of an agent's run, as names and values."""

from collections.abc import Iterator, Mapping
from typing import Any

from tailroom.importers.parsed_run import Value

_SECTIONS = {
    "act-storage": "act_storage",
    "fraud-transaction": "fraud",
    "fraud": "fraud",
    "sync-write": "sync_write",
    "qualify": "qualify",
}
_NOT_OF_THE_LOAD = frozenset({"ladder"})
"""Sections of a plan that name the ladder of a run: its steps differ by their load, listed separately."""


def parameters_of(title: str, workload: str, run_id: str | None, plan: Mapping[str, Any]) -> dict[str, Value]:
    """Return title, workload, run and entries of the plan as parameters by name.

    Entries of nested sections are named `section.key`, those of the workload's own section `key`. The ladder
    is left out.
    """
    section = _SECTIONS.get(workload, "")
    inner = plan.get(section)
    stated: dict[str, Value] = {"title": title, "workload": workload, "run_id": run_id}
    stated.update(_flat({name: value for name, value in plan.items() if name != section}))
    stated.update(_flat(inner if isinstance(inner, Mapping) else {}))
    return stated


def _flat(items: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, Value]]:
    """Yield name and value of each entry, also of nested mappings (`name.key`), lists as text with commas.

    Names at the top are prefixed with `within`. The ladder and lists of other values are left out.
    """
    waiting = [(f"{within}{name}", value) for name, value in items.items() if name not in _NOT_OF_THE_LOAD]
    while waiting:
        name, value = waiting.pop(0)
        if value is None or isinstance(value, str | int | float | bool):
            yield name, value
        elif isinstance(value, list) and all(isinstance(each, str | int | float) for each in value):
            yield name, ", ".join(map(str, value))
        elif isinstance(value, Mapping):
            waiting.extend((f"{name}.{key}", each) for key, each in value.items())
