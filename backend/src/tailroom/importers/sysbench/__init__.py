"""Results of sysbench 0.4 to 1.1: OLTP, fileio, cpu, memory, threads and mutex tests."""
