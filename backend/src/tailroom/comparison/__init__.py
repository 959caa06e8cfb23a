"""Comparison of results: subjects of any source, their differences, and chains (linked runs of one test)."""
