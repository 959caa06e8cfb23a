"""Tables that state which share of operations took longer than some limits."""
