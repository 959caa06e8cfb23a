"""Budgets, and how bounds become PASS, FAIL or INDETERMINATE with its reason."""
