"""Results of pgbench, the benchmark of PostgreSQL: summary, progress lines, transaction and interval logs."""
