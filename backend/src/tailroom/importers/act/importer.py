"""The importer of ACT logs and of the configurations that made them."""

from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.source import Head, Source


@dataclass(frozen=True, slots=True)
class ActImporter:
    """See `tailroom.importers.importer.Importer`."""

    name: str = "act"
    looks_for: str = "a banner `ACT version` or `Aerospike act`, or blocks `after N sec:`"

    def detect(self, head: Head) -> Detection | None:
        """By the banner."""
        if "ACT version" in head.text or "Aerospike act" in head.text:
            return Detection("act-storage", "act", None, "the banner names ACT")
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:
        """Every run of the file."""
        raise ContentUnreadable(
            f"{source.name} beside {len(beside)} others is an ACT log, which cannot be read yet"
        )


ACT = ActImporter()
