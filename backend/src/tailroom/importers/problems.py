"""Problems of a file: the first of each kind with their lines, the others as a number."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tailroom.importers.parsed_run import Problem, Severity

SHOWN_OF_KIND = 20
_LISTED_MAX = 200


@dataclass(slots=True)
class _Kind:
    """The first problems of a kind, the number of further problems, and the line of the last."""

    first: list[Problem] = field(default_factory=list)
    further: int = 0
    last_line: int | None = None


@dataclass(slots=True)
class Problems:
    """Problems of a file. A damaged file may have millions: the first twenty of each kind are stored."""

    file: str | None = None
    """Name of the file, for the problems that are added from now on; None for problems of no certain file."""
    _kinds: dict[str, _Kind] = field(default_factory=dict)

    def add(
        self, kind: str, reason: str, line: int | None = None, severity: Severity = Severity.WARNING
    ) -> None:
        """Add a problem. The first twenty of a kind are stored, of the others their number."""
        of_kind = self._kinds.setdefault(kind, _Kind())
        if len(of_kind.first) < SHOWN_OF_KIND:
            of_kind.first.append(Problem(reason, line, severity, self.file))
        else:
            of_kind.further, of_kind.last_line = of_kind.further + 1, line

    def note(self, kind: str, reason: str, line: int | None = None) -> None:
        """Add a problem of severity NOTE, which costs nothing."""
        self.add(kind, reason, line, Severity.NOTE)

    def error(self, kind: str, reason: str, line: int | None = None) -> None:
        """Add a problem of severity ERROR, which costs the use of the rest."""
        self.add(kind, reason, line, Severity.ERROR)

    def all(self) -> tuple[Problem, ...]:
        """Return the problems ordered by line, those of the whole file last.

        The problems of a kind after its first twenty become one, which states their number.
        """
        problems: list[Problem] = []
        for kind in self._kinds.values():
            problems.extend(kind.first)
            if kind.further:
                where = "" if kind.last_line is None else f", the last in line {kind.last_line}"
                first = kind.first[0]
                reason = f"{kind.further} more of this kind{where}: {first.reason}"
                problems.append(Problem(reason, kind.last_line, first.severity, self.file))
        return tuple(sorted(problems, key=lambda problem: (problem.line is None, problem.line or 0)))


class ProblemList(list[Problem]):
    """The first 200 problems in the order in which they were added, and the number of the others."""

    def __init__(self) -> None:
        super().__init__()
        self._further = 0
        self._more: Problem | None = None

    def __iter__(self) -> Iterator[Problem]:
        words = "more problem is" if self._further == 1 else "more problems are"
        for problem in super().__iter__():
            is_more = problem is self._more
            yield Problem(f"{self._further:,} {words} not listed", problem.line) if is_more else problem

    def add(self, reason: str, line: int | None = None, severity: Severity = Severity.WARNING) -> None:
        """Add a problem; of those after the 200th only the number is stored, with the line of the first."""
        if self._further or len(self) >= _LISTED_MAX:
            self._further += 1
            reason, severity = "more problems", Severity.WARNING
        if self._further <= 1:
            self.append(Problem(reason, line, severity))
            self._more = self[-1] if self._further else None

    def note(self, reason: str, line: int | None = None) -> None:
        """Add a problem of severity NOTE, which costs nothing."""
        self.add(reason, line, Severity.NOTE)

    def error(self, reason: str, line: int | None = None) -> None:
        """Add a problem of severity ERROR, which costs the use of the rest."""
        self.add(reason, line, Severity.ERROR)
