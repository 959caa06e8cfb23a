"""The benchmark of the Aerospike client for Java: its three ways of printing latencies."""
