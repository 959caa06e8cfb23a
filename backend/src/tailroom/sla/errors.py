"""Refusals of questions about SLAs."""

from tailroom.kit.errors import HttpProblem


class QuestionTooLarge(HttpProblem, status=422, title="The question takes too much calculation"):
    """The question needs more calculation on this record than the limit of an answer allows."""


class QuestionInvalid(HttpProblem, status=422, title="The question breaks a rule"):
    """The question breaks a rule, such as a number out of its range or a subject of the wrong kind."""


class RunOutsideSearch(HttpProblem, status=404, title="The run is no probe of a search for the highest load"):
    """The run is not a probe of a search for the highest load."""
