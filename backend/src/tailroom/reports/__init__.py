"""Results that leave the product: evidence packs, whose verdicts anyone can verify, reports, badges and
links.
"""
