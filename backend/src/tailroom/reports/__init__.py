"""Results that leave the product: evidence packs, which prove their verdicts to whoever opens them."""
