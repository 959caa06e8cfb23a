"""The tasks: work through what is due in a lane, and keep house."""

from tailroom_workers.tasks import housekeeping, lanes

__all__ = ["housekeeping", "lanes"]
