"""asbench, the benchmark of the Aerospike tools: its periodic log and its histograms."""
