"""Results side by side: two subjects of any source, and what may be concluded from their difference."""
