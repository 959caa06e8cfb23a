"""Exit codes of every command; docs/usage.md has the same table."""

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit code of a command."""

    FINE = 0
    FAILED = 1
    """A FAIL, a regression, or a pack that differs."""
    UNUSABLE = 2
    """The command or its input cannot be used."""
    UNDECIDED = 3
    NO_BASELINE = 4
    FAULT = 70
    """A fault of Tailroom itself, or of what it runs on."""
