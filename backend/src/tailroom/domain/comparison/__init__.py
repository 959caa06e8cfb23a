"""Two measurements of the same question: what may be concluded from their difference, and what may not."""
