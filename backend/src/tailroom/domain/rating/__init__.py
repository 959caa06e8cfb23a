"""What loads a drive has been shown to hold, and which drives may be put in one order."""
