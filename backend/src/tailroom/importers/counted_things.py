"""Names of histograms of counts instead of times: attempts, rows, sizes of results."""

import re

_COUNTED = re.compile(
    r"(?:.*[._:/\s])?(?:tries(?:[-_]histogram)?|rows|pages|tokens|skipped[-_]tokens(?:[-_]\w+)?|"
    r"(?:[\w-]+[-_])?(?:sizes?|counts?))",
    re.IGNORECASE,
)


def is_count_name(name: str) -> bool:
    """Return whether a histogram of this name holds counts instead of times, such as `resultset-size`."""
    return _COUNTED.fullmatch(name) is not None
