"""The importer of nosqlbench: metrics as CSV, statistics of its histograms, its log and its summary."""
