"""What happens to a run, as it happens: one Valkey subscription, many open pages."""
