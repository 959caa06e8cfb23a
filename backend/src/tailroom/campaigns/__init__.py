"""Campaigns (one plan carried out by several agents at the same time), and agents that poll for work."""
