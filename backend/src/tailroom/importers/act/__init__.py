"""ACT, the Aerospike Certification Tool: logs of every generation, exact and as its own script reads them."""
