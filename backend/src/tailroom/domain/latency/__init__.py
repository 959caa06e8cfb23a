"""Records of latencies in any layout, and the lower and upper CDF that enclose them."""
