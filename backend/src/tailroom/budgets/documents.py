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
    """Built-in budgets that runs of a workload are judged by: measured ones, or those of uploaded files."""
    return budgets_for_uploads(workload) if uploaded else budgets_for(workload)


def all_built_in_for(workload: str) -> tuple[Budget, ...]:
    """Those of measured runs, then those that only uploaded ones are judged by."""
    both = (*budgets_for(workload), *budgets_for_uploads(workload))
    return tuple(dict.fromkeys(both))


def parse(document: dict[str, Any]) -> Budget:
    """The budget of a document. Raises DomainError with the rule that is broken."""
    return budget_from_document(document)
