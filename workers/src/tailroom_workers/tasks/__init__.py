"""The tasks: ids in, one service call, and who is told afterwards."""

from tailroom_workers.tasks import partitions, runs, uploads

__all__ = ["partitions", "runs", "uploads"]
