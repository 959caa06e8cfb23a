"""Facts stated about a run, by name, and which of them differ between runs."""

from collections.abc import Mapping
from typing import NamedTuple

from tailroom.kit.free_documents import rows_of
from tailroom.kit.private_names import is_neutral
from tailroom.runs.schemas import RunDetail

FACTS_NAMED = 20
"""Maximum number of changed facts that an answer lists."""
_IGNORED_FACTS = ("title", "free_bytes", "run_id", "seed", "ladder", "started_at", "idempotency_key")
"""Last parts of names whose values differ between runs without meaning."""


class FactChange(NamedTuple):
    """A fact that differs between two runs; the text is empty for a run that does not state it."""

    name: str
    before: str
    after: str


def facts_of(run: RunDetail) -> dict[str, str]:
    """Return the facts about host, tool, plan and answers as texts, by dotted name.

    Names in `_IGNORED_FACTS` are left out, and so are replaced names: two "host 1" need not be the same.
    """
    tool = {"name": run.tool, "version": run.tool_version or run.agent.get("version")}
    answers = {disclosed.label: disclosed.value for disclosed in run.disclosure.disclosed}
    document = {"host": run.host, "plan": run.plan, "tool": tool, "disclosed": answers}
    return {
        name: text
        for name, text in rows_of(document)
        if name.rpartition(".")[2] not in _IGNORED_FACTS and not is_neutral(text)
    }


def facts_changed(before: Mapping[str, str], after: Mapping[str, str]) -> list[FactChange]:
    """Return every fact that differs or that only one run states, sorted by name."""
    names = sorted(before.keys() | after.keys())
    return [
        FactChange(name, before.get(name, ""), after.get(name, ""))
        for name in names
        if before.get(name) != after.get(name)
    ]
