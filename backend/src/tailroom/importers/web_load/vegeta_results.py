"""vegeta's results as CSV or JSON lines, with every request. Source: vegeta `lib/results.go`."""

import json
import re
from collections.abc import Iterator

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.importers.json_documents import json_count, json_object, rfc3339
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.problems import Problems
from tailroom.importers.source import Source
from tailroom.importers.web_load.rows import Requests, read_rows, run_of_rows

SEMANTICS = "from sending a request, at the time of the schedule or later, to the end of its answer"
# Later than the year 2128 no request began: its end would not be a time.
_ROW = re.compile(rb"(?m)^([1-4]\d{18}),(\d{1,3}),(\d{1,18}),\d{1,18},\d{1,18},[^\n]*$")
_BATCH_ROWS = 1 << 16


def read_csv(source: Source) -> Iterator[ParsedRun]:
    """Return the run of the CSV; nothing without requests."""
    problems, requests = Problems(), Requests()
    for block in source.blocks():
        rows = read_rows(block, _ROW, "vegeta's results", problems)
        if rows:
            columns = np.array(rows).astype(np.int64)
            _add_rows(requests, columns, problems, block.first_line)
    return _run("vegeta-csv", requests, problems)


def _add_rows(requests: Requests, table: Int64s, problems: Problems, line: int) -> None:
    """Add requests from rows of start (ns since 1970), status (0 without an answer) and latency (ns).

    Report impossible rows, and answers without success; `line` is the line number for the problem.
    """
    begin_ns, codes, latency_ns = table.T
    answered = codes > 0
    begin_ns, unanswered = begin_ns[answered], begin_ns[~answered] + latency_ns[~answered]
    latency_ns, codes = latency_ns[answered], codes[answered]
    possible = latency_ns < 1 << 50
    wrong = requests.add((begin_ns + latency_ns)[possible], latency_ns[possible]) + int((~possible).sum())
    if wrong:
        problems.add("impossible", f"{wrong} requests with times that no request takes", line)
    for at_ns in unanswered.tolist():
        requests.miss(at_ns)
    if bad := int(((codes < 200) | (codes >= 400)).sum()):
        problems.add("status", f"{bad} answers with a status that is no success, among the others", line)


def read_json_lines(source: Source) -> Iterator[ParsedRun]:
    """Return the run of JSON lines; nothing without requests."""
    problems, requests = Problems(), Requests()
    rows: list[tuple[int, int, int]] = []
    first_line = 1
    for line_no, row in _results(source, problems):
        rows.append(row)
        if len(rows) >= _BATCH_ROWS:
            _add_rows(requests, np.array(rows, dtype=np.int64), problems, first_line)
            rows, first_line = [], line_no
    if rows:
        _add_rows(requests, np.array(rows, dtype=np.int64), problems, first_line)
    return _run("vegeta-results-json", requests, problems)


def _results(source: Source, problems: Problems) -> Iterator[tuple[int, tuple[int, int, int]]]:
    """Yield line, start (ns since 1970), status and latency (ns) of each request; report other lines."""
    for line_no, line in source.lines():
        try:
            record = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            record = 0
        if record is None:
            continue
        row = json_object(record)
        at, code, latency = (
            rfc3339(row.get("timestamp")),
            json_count(row.get("code")),
            json_count(row.get("latency")),
        )
        if at is None or code is None or latency is None:
            problems.add("row", "no result of vegeta", line_no)
        else:
            # Digits after the microsecond do not matter for intervals of a second.
            yield line_no, (round(at.timestamp() * 1_000_000) * 1_000, min(code, 999), latency)


def _run(form: str, requests: Requests, problems: Problems) -> Iterator[ParsedRun]:
    """Yield the run of all requests, in the format `form`; nothing without any."""
    if not requests.is_empty:
        yield run_of_rows(form, "vegeta", {"request": requests}, problems, SEMANTICS, closed_loop=False)
