"""Evidence for verdicts from every kind of source: a stored run, a file, a publication, what was sent."""
