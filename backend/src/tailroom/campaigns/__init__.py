"""Campaigns (one plan carried out by several agents that start at the same time), and agents that poll for
work.
"""
