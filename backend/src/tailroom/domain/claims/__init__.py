"""Published claims: printed numbers, and the intervals of numbers that round to them."""
