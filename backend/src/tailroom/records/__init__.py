"""Stored data of runs: the columns of an interval, and how they are stored, read and added up."""
