"""Budget documents and the domain's budgets, one way each, and which budgets are built in."""

from typing import Any

from tailroom.domain.verdicts.budget import BUDGETS, Budget, budgets_for
from tailroom.domain.verdicts.documents import budget_from_document, document_of, json_schema
from tailroom.domain.verdicts.other_tools import UPLOADED_WORKLOADS, budgets_for_uploads

__all__ = ["BUILT_IN", "WORKLOADS", "all_built_in_for", "built_in_for", "document_of", "json_schema", "parse"]

BUILT_IN = BUDGETS
WORKLOADS = UPLOADED_WORKLOADS
"""Workloads that built-in budgets apply to."""


def built_in_for(workload: str, *, uploaded: bool) -> tuple[Budget, ...]:
    """Return the built-in budgets for runs of a workload: measured runs, or uploaded ones."""
    return budgets_for_uploads(workload) if uploaded else budgets_for(workload)


def all_built_in_for(workload: str) -> tuple[Budget, ...]:
    """Return the budgets of measured runs, then those for uploaded runs only."""
    both = (*budgets_for(workload), *budgets_for_uploads(workload))
    return tuple(dict.fromkeys(both))


def parse(document: dict[str, Any]) -> Budget:
    """Return the budget of a document. Raise DomainError for the broken rule."""
    return budget_from_document(document)
