"""Numbers that somebody has published: what was printed, and what it may stand for."""
