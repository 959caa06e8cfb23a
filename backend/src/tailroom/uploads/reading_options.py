"""Options of a sender for reading the files of an upload."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tailroom.importers.metric_choice import MetricChoice


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """Whether the files are one run, and which production histograms are read."""

    join: bool = False
    """Whether the files are of several clients of one test, which make one run."""

    metric: str | None = None
    """Metric of production histograms to read; None: all metrics."""
    match: str | None = None
    """Conditions on the labels of these histograms; None: no condition."""

    @classmethod
    def from_stored(cls, stored: Mapping[str, Any]) -> "ReadingOptions":
        """Return the options in a document that `stored` returned; missing options have their default."""
        return cls(bool(stored.get("join")), stored.get("metric"), stored.get("match"))

    def stored(self) -> dict[str, Any]:
        """Return the options as stored with an upload, without those that have their default."""
        options = {"join": self.join, "metric": self.metric, "match": self.match}
        return {name: value for name, value in options.items() if value}

    def choice(self) -> MetricChoice | None:
        """Return the choice of histograms; None: all.

        Raise MetricChoiceInvalid if `match` cannot be parsed.
        """
        return MetricChoice.of(self.metric, self.match)

    def chosen(self) -> str:
        """Return the choice of histograms as text, empty for all; equal choices have equal texts.

        Raise MetricChoiceInvalid if `match` cannot be parsed.
        """
        choice = self.choice()
        return "" if choice is None else choice.text()

    def distinction(self) -> bytes:
        """Return bytes for the hash of an upload: the same files with other options are another upload."""
        return (b"joined" if self.join else b"") + self.chosen().encode()
