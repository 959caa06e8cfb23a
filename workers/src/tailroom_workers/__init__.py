"""Celery tasks of Tailroom: each wakes a worker for due work, and may run twice."""
