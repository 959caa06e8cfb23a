"""What the processes behind one port have together: memory that is made before they are forked.

Each holds the limits of `docs/limits.md` that say "behind one port", so that a second process gives nobody
twice as much.
"""

from tailroom.access.guesses import Buckets
from tailroom.kit import metrics
from tailroom.kit.process_figures import ProcessFigures
from tailroom.kit.settings import Settings
from tailroom.live.places import StreamPlaces


class Port:
    """Of the processes of one application."""

    def __init__(self, settings: Settings, processes: int) -> None:
        self.buckets = Buckets()
        self.streams = StreamPlaces(processes, settings.live_streams)
        self.figures = ProcessFigures(processes)

    def begin(self, number: int) -> None:
        """This process was forked as the one with this number; another one may have had it before."""
        self.streams.begin(number)
        self.figures.begin(number)
        metrics.begin(number)
