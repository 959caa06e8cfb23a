"""Files with more runs, rows or problems than are stored: what is left out is reported."""

from backend.tests.importers.reading import SAMPLES, runs_of_text

from tailroom.importers.parsed_run import Severity
from tailroom.importers.problems import ProblemList

RATES = (SAMPLES / "iozone/rates.txt").read_text("utf-8")


def test_runs_behind_the_first_thousand_are_a_problem_of_the_last() -> None:
    runs = runs_of_text(RATES * 1_001)
    assert len(runs) == 1_000
    assert runs[-1].problems[-1].reason == (
        "the file has more than 1,000 runs; those behind this were not read: split it"
    )
    assert all("more than" not in problem.reason for run in runs[:-1] for problem in run.problems)


def test_a_thousand_runs_are_read_without_a_problem() -> None:
    runs = runs_of_text(RATES * 1_000)
    assert len(runs) == 1_000
    assert all("more than" not in problem.reason for problem in runs[-1].problems)


def test_rows_of_iozone_behind_the_first_ten_thousand_are_a_problem() -> None:
    row = next(line for line in RATES.splitlines() if line.split()[:2] == ["102400", "4"])
    (run,) = runs_of_text(RATES.replace(row, "\n".join([row] * 10_001)))
    assert any("more than 10,000 rows" in problem.reason for problem in run.problems)


def test_a_list_of_problems_ends_with_the_number_of_those_that_are_not_in_it() -> None:
    problems = ProblemList()
    for line in range(1, 2_202):
        problems.add("a line", line)
    assert len(problems) == len(list(problems)) == 201
    last = list(problems)[-1]
    assert (last.reason, last.line) == ("2,001 more problems are not listed", 201)


def test_errors_are_listed_behind_two_hundred_warnings() -> None:
    text = (SAMPLES / "memtier/given1.stdout.txt").read_text("utf-8")
    (run,) = runs_of_text(text + "\n" + "words\n" * 300 + "GET 1.000 1.2.3\n")
    errors = [problem for problem in run.problems if problem.severity is Severity.ERROR]
    assert [error.reason for error in errors] == ["the share is no number; the row was left out"]


def test_errors_take_the_place_of_the_last_warnings() -> None:
    problems = ProblemList()
    for line in range(1, 301):
        problems.add("a line", line)
    problems.error("a row", 301)
    problems.note("a note", 302)
    problems.error("a row", 303)
    listed = list(problems)
    assert [problem.line for problem in listed[:-1]] == [*range(1, 199), 301, 303]
    assert (listed[-1].reason, listed[-1].line) == ("103 more problems are not listed", 199)


def test_errors_beyond_two_hundred_are_counted() -> None:
    problems = ProblemList()
    problems.add("a line", 1)
    for line in range(2, 401):
        problems.error("a row", line)
    listed = list(problems)
    assert [problem.line for problem in listed[:-1]] == [*range(2, 202)]
    assert listed[-1].reason == "200 more problems are not listed"
