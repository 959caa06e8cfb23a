"""Values of options that several commands share."""

from enum import StrEnum


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
