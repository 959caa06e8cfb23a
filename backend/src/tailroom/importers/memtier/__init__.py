"""memtier_benchmark: its JSON and its text, from 1.2.6 to 2.x."""
