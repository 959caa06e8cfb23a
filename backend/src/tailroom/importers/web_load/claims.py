"""Claims of load generators, and answers whose status is no success."""

from collections.abc import Mapping

from tailroom.importers.parsed_run import Claim
from tailroom.importers.printed import Printed
from tailroom.importers.problems import Problems
from tailroom.importers.summaries import Time


def bad_answers(statuses: Mapping[str, int]) -> int:
    """Return the number of answers with an HTTP status below 200 or from 400.

    `statuses` are numbers by status.
    """
    return sum(count for code, count in statuses.items() if code.isdigit() and not 200 <= int(code) < 400)


def status_claims(
    statuses: Mapping[str, int], problems: Problems, line: int | None, *, bad: int, words: str
) -> list[Claim]:
    """Return the number of answers by status as claims; report `bad`, the number without success, if over 0.

    `words` describe these answers in the problem.
    """
    if bad:
        problems.add("status", f"{bad} {words}: their times are among the others", line)
    return [
        Claim.of_count(f"status {code}", "operation_count", count, line) for code, count in statuses.items()
    ]


def duration_ns(time: Time | None) -> int | None:
    """Return the middle of the bounds of a running time in ns; None for None."""
    return None if time is None else time.middle_ns


def number_claims(
    operation: str, quantity: str, number: Printed | None, unit: int = 1, line: int | None = None
) -> list[Claim]:
    """Return the claim of a printed number, whose bounds are multiplied by `unit`; empty without a number."""
    return [] if number is None else [Claim.of_number(operation, quantity, number, unit, line)]
