"""Limits of a question about a plan: valid counts, windows and objectives, and the finest grid of time."""

from tailroom.domain.errors import DomainError

FULL_BINS = 1 << 17
"""Steps of the grid for a verdict."""
SMALLEST_EXCEEDANCE = 1e-10
"""No share of late transactions below this is ever claimed."""


class TransactionInvalid(DomainError):
    """The number of reads, window, objective or grid is out of its range."""


def check_question(reads: int, window_ns: int, objective: float | None = None) -> None:
    """Raise `TransactionInvalid` for N < 1, windows that are not positive and objectives outside (0, 1)."""
    if reads < 1:
        raise TransactionInvalid(f"a transaction needs at least 1 read, not {reads}")
    if not window_ns > 0:
        raise TransactionInvalid(f"the window must be longer than 0 ns, not {window_ns}")
    if objective is not None and not 0.0 < objective < 1.0:
        raise TransactionInvalid(f"the objective must lie between 0 and 1, not at {objective}")
