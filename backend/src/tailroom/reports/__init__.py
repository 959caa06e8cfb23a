"""Documents about results for others: reports, evidence packs that anyone can verify, badges, links."""
