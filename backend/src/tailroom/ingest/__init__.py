"""Ingest of what agents measure: announcement, batches of intervals, finish (docs/contracts/wire.md)."""
