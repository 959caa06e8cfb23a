"""Description of a tool, and of each kind of file that it writes."""

from dataclasses import dataclass
from enum import Enum


class Measures(Enum):
    """The kind of operations that a tool measures; it decides which built-in budgets judge its runs."""

    ACT = "act"
    """ACT's own load on a drive."""
    AGENT = "agent"
    """Operations of our agent, as in its plan."""
    KEY_VALUE = "key-value"
    """Requests for single records by key, sent to one server."""
    RECORDS = "records"
    """Operations that may be reads of records."""
    PRODUCTION = "production"
    """Requests of real clients, whose load is not on record: judged by no built-in budget."""
    REQUESTS = "requests"
    """Requests of unknown kind: judged by no built-in budget."""
    MACHINE = "machine"
    """Mean load of a machine's devices, processors and memory, without operations: judged by nothing."""


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of file that a tool writes; its texts are those of docs/importers.md."""

    versions: str
    """Versions of the tool that write it, such as `2.x–3.x`."""
    kind: str
    """The kind of file, such as `log of act_storage`."""
    reads: str
    """The contents that the importer reads."""
    leaves: str = ""
    """The contents that it leaves out; empty for none."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A supported tool: its importer, its kind of operations, and the kinds of files that are read."""

    name: str
    """The name that is stored with its runs."""
    title: str
    """The name that pages and documents show."""
    importer: str
    """Module below `tailroom.importers`, and the name of the object that satisfies `Importer`."""
    measures: Measures
    forms: tuple[Form, ...]


def tool(name: str, title: str, importer: str, measures: Measures, *forms: Form) -> Tool:
    """Return a tool, as an entry of the tables."""
    return Tool(name, title, importer, measures, forms)
