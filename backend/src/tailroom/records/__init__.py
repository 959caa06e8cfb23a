"""What is on record of runs: the columns of an interval, how they are stored, read and added up."""
