"""From the latency of one operation to the time of a transaction of many."""
