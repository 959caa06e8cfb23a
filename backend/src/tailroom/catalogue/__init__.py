"""Catalogue of hardware and workloads, and the facts that must be disclosed about them."""
