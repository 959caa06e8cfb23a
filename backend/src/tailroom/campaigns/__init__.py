"""Campaigns: one plan carried out by several agents that start at the same instant; and serving agents."""
