"""Campaigns: one plan carried out by several agents that begin at one instant; and the agents that serve."""
