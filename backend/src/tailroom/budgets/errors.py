"""Refusals about budgets."""

from tailroom.kit.errors import HttpProblem


class BudgetUnknownProblem(HttpProblem):
    """No budget goes by this name or version here."""

    status = 404
    code = "budget-unknown"
    title = "There is no such budget"


class BudgetInvalidProblem(HttpProblem):
    """A budget document breaks a rule between its fields."""

    status = 422
    code = "budget-invalid"
    title = "The budget breaks a rule"


class BudgetConflict(HttpProblem):
    """Other content is on record under the same name and version; a version never changes."""

    status = 409
    code = "budget-conflict"
    title = "This version of the budget is on record with other content"


class BudgetNameTaken(HttpProblem):
    """The name belongs to a built-in budget."""

    status = 409
    code = "budget-name-taken"
    title = "The name belongs to a built-in budget"


class BudgetsFull(HttpProblem):
    """An organisation has as many versions on record as it may have."""

    status = 409
    code = "budgets-full"
    title = "No more budgets can be stored"
