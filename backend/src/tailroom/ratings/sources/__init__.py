"""Where tested loads come from: publications and runs."""
