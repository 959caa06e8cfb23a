"""Time of N parallel reads: the slowest decides, so an exact counter at the window answers everything.

Source: docs/method.md section 1.3. Independence is assumed.
"""

import math

from tailroom.domain.transactions.grid import check_question


def within(share_within: float, reads: int) -> float:
    """Return P(all of `reads` ≤ window) when a read keeps the window with probability `share_within`."""
    check_question(reads, 1)
    return share_within**reads


def exceedance(share_over: float, reads: int) -> float:
    """Return P(at least one of `reads` is over), exact also for tiny shares."""
    check_question(reads, 1)
    return 1.0 if share_over >= 1.0 else -math.expm1(reads * math.log1p(-share_over))


def share_over_allowed(reads: int, objective: float) -> float:
    """Return the largest share of single reads over the window that still meets the objective."""
    check_question(reads, 1, objective)
    return -math.expm1(math.log(objective) / reads)


def largest_count(share_within: float, objective: float) -> int | None:
    """Return the most parallel reads that meet the objective; None: any number, as no read is over."""
    check_question(1, 1, objective)
    if share_within >= 1.0:
        return None
    return 0 if share_within <= 0.0 else math.floor(math.log(objective) / math.log(share_within))
