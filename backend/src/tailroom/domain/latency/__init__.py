"""What a record of latencies says for certain, in any layout, and the two laws that enclose it."""
