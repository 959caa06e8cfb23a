"""Refusals about budgets."""

from tailroom.kit.errors import HttpProblem


class BudgetUnknownProblem(HttpProblem, status=404, code="budget-unknown", title="There is no such budget"):
    """There is no budget of this name or version."""


class BudgetInvalidProblem(HttpProblem, status=422, code="budget-invalid", title="The budget breaks a rule"):
    """A budget document breaks a rule between its fields."""


class BudgetConflict(
    HttpProblem, status=409, title="This version of the budget is on record with other content"
):
    """Other content is stored under this name and version; a version never changes."""


class BudgetNameTaken(HttpProblem, status=409, title="The name belongs to a built-in budget"):
    """The name belongs to a built-in budget."""


class BudgetsFull(HttpProblem, status=409, title="No more budgets can be stored"):
    """The organisation has reached a limit of its stored budgets."""
