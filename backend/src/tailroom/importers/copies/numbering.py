"""Problems and statements by the lines of the file as it is, where cleaning left lines out."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tailroom.importers.parsed_run import Claim, ParsedRun, Problem


def with_file_lines(run: ParsedRun, name: str, original_line: Callable[[int], int]) -> ParsedRun:
    """Return the run with line numbers of the file `name`; problems of its companions stay as they are."""

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
