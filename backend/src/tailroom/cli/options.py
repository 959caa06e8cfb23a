"""Values of options that several commands share."""

from enum import StrEnum
from typing import Annotated

import typer


class DisplayUnit(StrEnum):
    """Units of latencies."""

    NS = "ns"
    US = "us"
    MS = "ms"
    S = "s"


class Loop(StrEnum):
    """Kinds of load: a closed loop sends again after an answer."""

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
