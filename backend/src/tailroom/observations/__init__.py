"""What machines did meanwhile: observers send numbers each second, pages show them beside a run."""
