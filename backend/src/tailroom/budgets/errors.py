"""Refusals about budgets."""

from tailroom.kit.errors import HttpProblem


class BudgetUnknownProblem(HttpProblem):
    """There is no budget of this name or version."""

    status = 404
    code = "budget-unknown"
    title = "There is no such budget"


class BudgetInvalidProblem(HttpProblem):
    """A budget document breaks a rule between its fields."""

    status = 422
    code = "budget-invalid"
    title = "The budget breaks a rule"


class BudgetConflict(HttpProblem):
    """Other content is stored under this name and version; a version never changes."""

    status = 409
    code = "budget-conflict"
    title = "This version of the budget is on record with other content"


class BudgetNameTaken(HttpProblem):
    """The name belongs to a built-in budget."""

    status = 409
    code = "budget-name-taken"
    title = "The name belongs to a built-in budget"


class BudgetsFull(HttpProblem):
    """The organisation has reached a limit of its stored budgets."""

    status = 409
    code = "budgets-full"
    title = "No more budgets can be stored"
