"""What somebody wants met: the built-in budgets, and those that an organisation has written down itself."""
