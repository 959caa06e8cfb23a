"""Faults from a seed, against the whole product while real agents send to it: nothing acknowledged may be
lost, doubled, or judged otherwise (`make test-chaos`, docs/scale.md).
"""
