"""Options of a sender for reading the files of an upload."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tailroom.importers.metric_choice import MetricChoice


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """Whether the files are one run, and which production histograms are read."""

    join: bool = False
    """The files are of several clients of one test: one run."""

    metric: str | None = None
    match: str | None = None

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> "ReadingOptions":
        """Return the options from a result of `stored`."""
        return cls(bool(stored.get("join")), stored.get("metric"), stored.get("match"))

    def stored(self) -> dict[str, Any]:
        """Return the chosen options as stored with an upload."""
        options = {"join": self.join, "metric": self.metric, "match": self.match}
        return {name: value for name, value in options.items() if value}

    def choice(self) -> MetricChoice | None:
        """Return the choice of histograms; None: all. Raise MetricChoiceInvalid."""
        return MetricChoice.of(self.metric, self.match)

    def chosen(self) -> str:
        """Return the choice of histograms as text, empty for all; equal choices have equal texts."""
        choice = self.choice()
        return "" if choice is None else choice.text()

    def distinction(self) -> bytes:
        """Return bytes for the hash of an upload, so that other options make another upload."""
        return (b"joined" if self.join else b"") + self.chosen().encode()
