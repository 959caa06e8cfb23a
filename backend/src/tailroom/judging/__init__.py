"""From what a run has on record to its verdicts and findings: read, calculated with no connection held, and
written if what was read still holds.
"""
