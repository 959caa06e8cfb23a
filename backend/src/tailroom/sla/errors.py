"""Refusals of questions about SLAs."""

from tailroom.kit.errors import Problem


class QuestionTooLarge(Problem):
    """More would have to be calculated than one question may have calculated."""

    status = 422
    code = "question-too-large"
    title = "The question takes too much calculation"


class QuestionInvalid(Problem):
    """A number in the question breaks a rule."""

    status = 422
    code = "question-invalid"
    title = "The question breaks a rule"
