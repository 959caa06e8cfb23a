"""Runs and their series: descriptions, progress, facts, and stored verdicts."""
