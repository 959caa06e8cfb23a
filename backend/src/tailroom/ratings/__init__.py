"""Ratings: tested loads of drives from every source, side by side at equal conditions."""
