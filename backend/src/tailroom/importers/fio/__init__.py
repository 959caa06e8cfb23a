"""Results of fio, the flexible I/O tester: JSON and JSON+, terse lines, latency and histogram logs."""
