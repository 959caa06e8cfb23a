"""What ratings are asked by, and with which parameters."""
