"""Comparison of results: subjects of any source, their differences, and chains of linked runs."""
