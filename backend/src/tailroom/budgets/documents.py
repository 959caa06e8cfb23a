"""Budget documents and the domain's budgets, one way each, and which budgets are built in."""

from typing import Any

from tailroom.domain.verdicts.budget import BUDGETS, Budget, budgets_for
from tailroom.domain.verdicts.documents import budget_from_document, document_of, json_schema

__all__ = ["BUILT_IN", "WORKLOADS", "built_in_for", "document_of", "json_schema", "parse"]

BUILT_IN = BUDGETS
WORKLOADS = ("act-storage", "fraud-transaction")
"""Workloads that built-in budgets apply to."""


def built_in_for(workload: str) -> tuple[Budget, ...]:
    """Built-in budgets that runs of a workload are judged by."""
    return budgets_for(workload)


def parse(document: dict[str, Any]) -> Budget:
    """The budget of a document. Raises DomainError with the rule that is broken."""
    return budget_from_document(document)
