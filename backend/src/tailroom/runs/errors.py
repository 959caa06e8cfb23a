"""Refusals about runs."""

from tailroom.access.errors import RunUnknown
from tailroom.kit.errors import HttpProblem

__all__ = (
    "RUN_REFUSALS",
    "CursorUnreadable",
    "DisclosureInvalid",
    "RunAlreadyFinished",
    "RunDeleted",
    "RunOutsideLadder",
    "RunRetracted",
    "RunUnknown",
)


class RunRetracted(HttpProblem):
    """The run was public, and its owner has withdrawn it."""

    status = 410
    code = "run-retracted"
    title = "The run was retracted"


class RunDeleted(RunRetracted):
    """The owner has deleted the run."""

    code = "run-deleted"
    title = "The run was deleted"


RUN_REFUSALS: tuple[type[HttpProblem], ...] = (RunUnknown, RunRetracted, RunDeleted)
"""Refusals for a run that the caller cannot read."""


class DisclosureInvalid(HttpProblem):
    """An answer about a fact that Tailroom does not ask for, or an answer of an invalid form."""

    status = 422
    code = "disclosure-invalid"
    title = "The answer cannot be taken"


class CursorUnreadable(HttpProblem):
    """The cursor of a page was not issued by the API."""

    status = 422
    code = "cursor-unreadable"
    title = "The cursor is not one of ours"


class RunOutsideLadder(HttpProblem):
    """The run is no step of a ladder."""

    status = 404
    code = "run-outside-ladder"
    title = "The run is no step of a load ladder"


class RunAlreadyFinished(HttpProblem):
    """The run has ended, so it cannot be stopped."""

    status = 409
    code = "run-already-finished"
    title = "The run has already finished"
