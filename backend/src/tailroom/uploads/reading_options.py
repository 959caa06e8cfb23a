"""Options for reading the files of an upload, as their sender chose them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tailroom.importers.metric_choice import MetricChoice


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How files are read: as one run or several, and which production histograms."""

    join: bool = False
    """The files are of several clients of one test: one run."""

    metric: str | None = None
    match: str | None = None

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> "ReadingOptions":
        """Return the options from the document that the method `stored` returned."""
        return cls(bool(stored.get("join")), stored.get("metric"), stored.get("match"))

    def stored(self) -> dict[str, Any]:
        """Return the options as stored with an upload, without those that were not chosen."""
        options = {"join": self.join, "metric": self.metric, "match": self.match}
        return {name: value for name, value in options.items() if value}

    def choice(self) -> MetricChoice | None:
        """Return which histograms are meant; None: all. Raise MetricChoiceInvalid."""
        return MetricChoice.of(self.metric, self.match)

    def chosen(self) -> str:
        """Return the choice of histograms as text, empty for all; equal choices have equal texts."""
        choice = self.choice()
        return "" if choice is None else choice.text()

    def distinction(self) -> bytes:
        """Return bytes that enter the hash of an upload, so that other options make another upload.

        Empty by default.
        """
        return (b"joined" if self.join else b"") + self.chosen().encode()
