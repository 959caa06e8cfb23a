"""Budgets: the built-in budgets, and those written by an organisation."""
