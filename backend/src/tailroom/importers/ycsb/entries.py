"""The entries of a YCSB summary, `metric, measurement, value`, from text and JSON."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tailroom.importers.problems import ProblemList

_TEXT = re.compile(r"\s{0,9}\[([^\]]{1,200})\], ?(.{1,200}), ([^,\s]{1,60})\s*")
"""Up to 0.1.2 there is no blank behind `[OVERALL],`."""
_JSON = re.compile(
    rb'\{\s*"metric"\s*:\s*("(?:[^"\\]|\\.){1,200}")\s*,\s*"measurement"\s*:\s*("(?:[^"\\]|\\.){1,200}")\s*,'
    rb'\s*"value"\s*:\s*"?([^\s},"]{1,60})"?\s*\}'
)
JSON_MARK = re.compile(r'\{\s*"metric"\s*:\s*"[^"]*"\s*,\s*"measurement"\s*:')
_BETWEEN = re.compile(rb"[\s,\[\]]*")


@dataclass(frozen=True, slots=True)
class Entry:
    """One number of a summary as printed: `text` of `measurement` of `metric`."""

    metric: str
    measurement: str
    text: str
    line_no: int


def text_entry(line_no: int, text: str) -> Entry | None:
    """Return the entry of a line such as `[READ], AverageLatency(us), 113.47`; None for any other line."""
    match = _TEXT.fullmatch(text)
    return None if match is None else Entry(match[1], match[2], match[3], line_no)


def json_entries(data: bytes, problems: ProblemList) -> Iterator[Entry]:
    """Yield the entries of JSON objects, alone or in an array; report text between them."""
    line_no, counted, end = 1, 0, 0
    for match in _JSON.finditer(data):
        line_no += data.count(b"\n", counted, match.start())
        counted = match.start()
        _check_between(data[end : match.start()], line_no, problems)
        end = match.end()
        try:
            metric, measurement = _string(match[1]), _string(match[2])
        except ValueError:
            problems.add("the name of the entry is no JSON string", line_no)
            continue
        yield Entry(metric, measurement, match[3].decode("ascii", "replace"), line_no)
    _check_between(data[end:], line_no, problems)


def _string(quoted: bytes) -> str:
    """Return the text of a quoted JSON string. Raise ValueError for invalid escapes."""
    return str(json.loads(quoted)) if b"\\" in quoted else quoted[1:-1].decode("utf-8", "replace")


def _check_between(data: bytes, line_no: int, problems: ProblemList) -> None:
    """Report text between entries that is neither blank nor a sign of an array."""
    rest = data[_BETWEEN.match(data).end() :] if data else b""  # type: ignore[union-attr]
    if rest:
        problems.add(f"no entry of YCSB: {rest[:60].decode('utf-8', 'replace')!r}; it was left out", line_no)
