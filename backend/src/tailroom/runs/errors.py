"""Refusals about runs."""

from tailroom.access.errors import RunUnknown
from tailroom.kit.errors import HttpProblem


class RunRetracted(HttpProblem, status=410, title="The run was retracted"):
    """The run was public, and its owner has withdrawn it."""


class RunDeleted(RunRetracted, title="The run was deleted"):
    """The owner has deleted the run."""


RUN_REFUSALS: tuple[type[HttpProblem], ...] = (RunUnknown, RunRetracted, RunDeleted)
"""Refusals for a run that the caller cannot read."""


class DisclosureInvalid(HttpProblem, status=422, title="The answer cannot be taken"):
    """An answer about a fact that Tailroom does not ask for, or an answer of an invalid form."""


class CursorUnreadable(HttpProblem, status=422, title="The cursor is not one of ours"):
    """The cursor of a page was not issued by the API."""


class RunOutsideLadder(HttpProblem, status=404, title="The run is no step of a load ladder"):
    """The run is no step of a ladder."""


class RunAlreadyFinished(HttpProblem, status=409, title="The run has already finished"):
    """The run has ended, so it cannot be stopped."""
