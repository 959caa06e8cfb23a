"""Looking after what is stored: what failed, what is past its time, and what its owner deletes."""
