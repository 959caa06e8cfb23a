"""Celery tasks of Tailroom: each a hint that names a run, each safe to run twice."""
