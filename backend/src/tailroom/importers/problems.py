"""Problems of a file: the first of each kind with their lines, the others as a number."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

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
        """Return the problems by line, those of the file last; after twenty of a kind only their number."""
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
    """Up to 200 problems, later errors in place of lesser problems, and then a count of the others."""

    def __init__(self) -> None:
        super().__init__()
        self._further = 0
        self._further_line: int | None = None
        """Line of the first problem that is not listed."""
        self._errors_from = _LISTED_MAX
        """Position from which on all listed problems are errors."""

    def __len__(self) -> int:
        return super().__len__() + (self._further > 0)

    def __iter__(self) -> Iterator[Problem]:
        listed = super().__iter__()
        yield from islice(listed, _LISTED_MAX)
        if self._further:
            words = "more problem is" if self._further == 1 else "more problems are"
            yield Problem(f"{self._further:,} {words} not listed", self._further_line)
        yield from listed

    def add(self, reason: str, line: int | None = None, severity: Severity = Severity.WARNING) -> None:
        """Add a problem; of those not listed only the number is stored, with the line of the first."""
        problem = Problem(reason, line, severity)
        if super().__len__() < _LISTED_MAX:
            self.append(problem)
            return
        position = self._last_replaceable() if severity is Severity.ERROR else None
        if position is not None:
            self.append(problem)
            problem = self.pop(position)
        if position is not None or not self._further:
            self._further_line = problem.line
        self._further += 1

    def _last_replaceable(self) -> int | None:
        """Return the position of the last listed problem that is no error; None without any."""
        while self._errors_from > 0:
            self._errors_from -= 1
            if self[self._errors_from].severity is not Severity.ERROR:
                return self._errors_from
        return None

    def note(self, reason: str, line: int | None = None) -> None:
        """Add a problem of severity NOTE, which costs nothing."""
        self.add(reason, line, Severity.NOTE)

    def error(self, reason: str, line: int | None = None) -> None:
        """Add a problem of severity ERROR, which costs the use of the rest."""
        self.add(reason, line, Severity.ERROR)
