"""Errors about the subject of a question."""

from tailroom.kit.errors import HttpProblem


class SubjectInvalid(HttpProblem, status=422, title="The question cannot be asked of this record"):
    """The subject has no record that the question can be asked of, or its document breaks a rule."""
