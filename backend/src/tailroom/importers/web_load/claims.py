"""Answers of load generators whose status is no success."""

from collections.abc import Mapping

from tailroom.importers.text_runs import PrintedRun


def bad_answers(statuses: Mapping[str, int]) -> int:
    """Return the number of answers with an HTTP status below 200 or from 400.

    `statuses` has the number of answers of each status; a status that is no number does not count.
    """
    return sum(count for code, count in statuses.items() if code.isdigit() and not 200 <= int(code) < 400)


def add_statuses(
    run: PrintedRun, statuses: Mapping[str, int], line: int | None, bad: int, words: str
) -> None:
    """Add claims of answers by status; report `bad` ones, described by `words`, if over 0."""
    if bad:
        run.problems.add("status", f"{bad} {words}: their times are among the others", line)
    for code, count in statuses.items():
        run.add_count(f"status {code}", "operation_count", count, line)
