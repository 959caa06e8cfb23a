"""Live events of runs: one Valkey subscription of a process serves many open pages."""
