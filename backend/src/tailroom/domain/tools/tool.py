"""Description of a tool, and of each kind of file that it writes."""

from dataclasses import dataclass
from enum import Enum


class Measures(Enum):
    """The kind of operations of a tool, by which budgets apply."""

    ACT = "act"
    """ACT's own load on a drive."""
    AGENT = "agent"
    """Operations of our agent, as in its plan."""
    KEY_VALUE = "key-value"
    """Requests to one server of records by key."""
    RECORDS = "records"
    """Operations that may be reads of records."""
    PRODUCTION = "production"
    """Requests of real clients, whose load is not on record: judged by no built-in budget."""
    REQUESTS = "requests"
    """Requests of unknown kind: judged by no built-in budget."""
    MACHINE = "machine"
    """Means of what a machine did while something ran: judged by nothing."""


@dataclass(frozen=True, slots=True)
class Form:
    """A kind of file of a tool: in which versions, what of it is read, and what is not."""

    versions: str
    kind: str
    reads: str
    leaves: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool under the name that its runs are stored with."""

    name: str
    title: str
    importer: str
    """Module below `tailroom.importers`, and the name of the object that satisfies `Importer`."""
    measures: Measures
    forms: tuple[Form, ...]
