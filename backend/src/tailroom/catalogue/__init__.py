"""What is known about hardware, workloads and what has to be disclosed about them."""
