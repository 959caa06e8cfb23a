"""The tasks: work through the due work of a lane, and housekeeping."""

from tailroom_workers.tasks import housekeeping, lanes

__all__ = ["housekeeping", "lanes"]
