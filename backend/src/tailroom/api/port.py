"""Memory that the processes behind one port share, made before they are forked.

It holds the limits of `docs/limits.md` per port, so that a second process does not double them.
"""

from tailroom.access.guesses import Buckets
from tailroom.kit import metrics
from tailroom.kit.process_figures import ProcessFigures
from tailroom.kit.settings import Settings
from tailroom.live.slots import StreamSlots


class Port:
    """The memory that the processes of one application share."""

    def __init__(self, settings: Settings, processes: int) -> None:
        self.buckets = Buckets()
        self.streams = StreamSlots(processes, settings.live_streams)
        self.figures = ProcessFigures(processes)

    def begin(self, number: int) -> None:
        """Begin the entries of this process under `number`, in place of those of a dead process."""
        self.streams.begin(number)
        self.figures.begin(number)
        metrics.begin(number)
