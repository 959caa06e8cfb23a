"""Sources of tested loads: publications and runs."""
