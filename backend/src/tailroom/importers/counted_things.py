"""Names of histograms that count things and are no times: attempts, rows, sizes of results."""

import re

_COUNTED = re.compile(
    r"(?:.*[._:/\s])?(?:tries(?:[-_]histogram)?|rows|pages|tokens|skipped[-_]tokens(?:[-_]\w+)?|"
    r"(?:[\w-]+[-_])?(?:sizes?|counts?))",
    re.IGNORECASE,
)


def is_count_name(name: str) -> bool:
    """Return whether a name is that of counts rather than of times: `tries`, `resultset-size`."""
    return _COUNTED.fullmatch(name) is not None
