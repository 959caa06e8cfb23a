"""Refusals of questions about SLAs."""

from tailroom.kit.errors import HttpProblem


class QuestionTooLarge(HttpProblem):
    """The question needs more calculation than the limit allows."""

    status = 422
    code = "question-too-large"
    title = "The question takes too much calculation"


class QuestionInvalid(HttpProblem):
    """A number in the question is out of its range."""

    status = 422
    code = "question-invalid"
    title = "The question breaks a rule"


class RunOutsideSearch(HttpProblem):
    """The run is no probe of a search."""

    status = 404
    code = "run-outside-search"
    title = "The run is no probe of a search for the highest load"
