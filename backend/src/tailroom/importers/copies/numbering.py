"""Problems and statements by the lines of the file as it is, where cleaning left lines out."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tailroom.importers.parsed_run import Claim, ParsedRun, Problem


def in_the_file(run: ParsedRun, name: str, original_line: Callable[[int], int]) -> ParsedRun:
    """The run with line numbers of the file of that name; those of its companions stay."""

    def placed(line: int | None) -> int | None:
        return None if line is None else original_line(line)

    def problem(one: Problem) -> Problem:
        return one if one.file not in (None, name) else replace(one, line=placed(one.line))

    def claims(found: Sequence[Claim]) -> tuple[Claim, ...]:
        return tuple(replace(one, line=placed(one.line)) for one in found)

    return replace(
        run,
        problems=tuple(map(problem, run.problems)),
        claims=claims(run.claims),
        series=tuple(replace(one, printed=claims(one.printed)) for one in run.series),
    )
