"""Plans calculated in another way than the product does: what tests and benches hold its bounds against."""
