"""What has to be done, by whom it is claimed, and what becomes of work that fails."""
