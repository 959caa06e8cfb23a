"""Line numbers of the original file in problems and claims, if cleaning changed them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tailroom.importers.parsed_run import Claim, ParsedRun, Problem


def with_file_lines(run: ParsedRun, name: str, original_line: Callable[[int], int]) -> ParsedRun:
    """Return the run with line numbers of the original file in its claims and its problems.

    Problems of files other than `name` are unchanged. `original_line` returns the original number of a
    cleaned line.
    """

    def placed(line: int | None) -> int | None:
        return None if line is None else original_line(line)

    def problem(each: Problem) -> Problem:
        return each if each.file not in (None, name) else replace(each, line=placed(each.line))

    def claims(numbered: Sequence[Claim]) -> tuple[Claim, ...]:
        return tuple(replace(claim, line=placed(claim.line)) for claim in numbered)

    return replace(
        run,
        problems=tuple(map(problem, run.problems)),
        claims=claims(run.claims),
        series=tuple(replace(series, printed=claims(series.printed)) for series in run.series),
    )
