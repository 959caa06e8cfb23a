"""Tailroom: latency buckets in, SLA verdicts with bounds out."""
