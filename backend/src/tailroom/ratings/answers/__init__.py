"""What a board says of a question: decisions, ranks, order, comparisons."""
