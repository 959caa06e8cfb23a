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
    """Nothing is decided: INDETERMINATE, a difference not shown, or verdicts that are not compared."""
    NO_BASELINE = 4
    """There is no earlier run to compare with."""
    FAULT = 70
    """A fault of Tailroom itself, or of what it runs on."""
