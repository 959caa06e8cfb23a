"""Due work: records, claims, execution, failures."""
