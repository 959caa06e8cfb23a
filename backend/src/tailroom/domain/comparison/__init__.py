"""Comparison of two measurements: conditions, figures, gains and the conclusions that they support."""
