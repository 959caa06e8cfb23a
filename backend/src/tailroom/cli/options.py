"""Options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class DisplayUnit(StrEnum):
    """Units of latencies."""

    NS = "ns"
    US = "us"
    MS = "ms"
    S = "s"


class Loop(StrEnum):
    """Kinds of load: a closed loop sends the next operation after an answer, an open loop by a schedule."""

    OPEN = "open"
    CLOSED = "closed"


ServerOption = Annotated[
    str | None,
    typer.Option(
        envvar="TAILROOM_SERVER",
        metavar="URL",
        help="Address of the installation; default: the one that `make up` runs here.",
    ),
]
TokenOption = Annotated[
    str | None, typer.Option(envvar="TAILROOM_TOKEN", help="Access token; none where local access is on.")
]
UnitOption = Annotated[
    DisplayUnit | None, typer.Option(help="Unit of the latencies, for files that do not state it.")
]
LoopOption = Annotated[
    Loop | None, typer.Option(help="Whether the load waited for answers, for files that do not state it.")
]
JunitOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Also write the answer as a JUnit file.")
]
MarkdownOption = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Also write the answer as Markdown.")
]
BudgetsOption = Annotated[
    list[str] | None,
    typer.Option("--budget", metavar="NAME|FILE", help="Budget to judge by; default: those of the tool."),
]
SubjectsArgument = Annotated[
    list[str],
    typer.Argument(metavar="RUN-or-FILE…", help="Result files, or addresses of runs, that belong together."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object instead of lines.")]


def checked_new_name(text: str) -> str:
    """Return a new name with single spaces. Raise ValueError if it is empty, too long or invalid."""
    from tailroom.kit.outside_types import NAME_CHARACTERS, checked_name

    name = checked_name(text)
    if not 1 <= len(name) <= NAME_CHARACTERS:
        raise ValueError(f"a name has 1 to {NAME_CHARACTERS} characters")
    return name
