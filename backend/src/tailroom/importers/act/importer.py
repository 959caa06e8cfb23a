"""The importer of ACT logs, and of the configurations that they were made with."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tailroom.importers.act.configuration import is_config_file, read_head
from tailroom.importers.act.evaluation import OfficialTable, official_tables
from tailroom.importers.act.generations import BANNER, BLOCK_START
from tailroom.importers.act.reading import read_runs
from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.source import Head, Source

_TOTAL = re.compile(rb"^\S[^\n]{0,200} \(\d+ total\)\r?$", re.MULTILINE)


class ActConfigAlone(ContentUnreadable):
    """The file is a configuration without a log, and so has no measurements."""


@dataclass(frozen=True, slots=True)
class ActImporter:
    """Importer of ACT logs, and of the configurations that they were made with."""

    name: str = "act"

    def detect(self, head: Head) -> Detection | None:
        """Recognise a log by its banner or its blocks, a configuration by its keys; None for other files."""
        if (banner := BANNER.search(head.data)) is not None:
            before = head.data[: head.data.find(b"\nafter ")] if b"\nafter " in head.data else head.data
            configuration = read_head(before.decode("utf-8", "replace").splitlines())
            words = banner.group().decode("utf-8", "replace").strip()
            return Detection(
                f"act-{configuration.kind}", "act", configuration.version, f"the banner says “{words}”"
            )
        if BLOCK_START.search(head.data) is not None and _TOTAL.search(head.data) is not None:
            return Detection(
                "act-storage",
                "act",
                None,
                "blocks “after N sec:” with histograms “… (N total)”, without the head of the log",
                Certainty.LIKELY,
            )
        if is_config_file(head.text):
            return Detection(
                "act-config",
                "act",
                None,
                "keys of an ACT configuration, “device-names” among them",
                companion=True,
            )
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:
        """Return every run of a log, completed by configurations in `beside`.

        Raise ActConfigAlone for a configuration, other ContentUnreadable for an unreadable log.
        """
        detection = self.detect(source.head)
        if detection is not None and detection.companion:
            raise ActConfigAlone(
                f"{source.name} is the configuration of an ACT test and holds no measurements; name the log "
                f"with it"
            )
        configs = [file for file in beside if is_config_file(file.head.text)]
        return read_runs(source, configs)

    def official(self, source: Source, run: ParsedRun, slice_s: int) -> Mapping[str, Mapping[str, Any]]:
        """Return the tables of ACT's own script by histogram, with per cent over each threshold in `rows`.

        `avg` and `max` are over the rows. Without a table, lists are empty and `refusal` may give the reason.
        """
        return {
            name: _official_document(official_table)
            for name, official_table in official_tables(source, run, slice_s).items()
        }


def _official_document(official: OfficialTable) -> Mapping[str, Any]:
    """Return a table as a document, with empty lists and no average or maximum rate if there is none."""
    table = official.table
    common = {
        "unit": official.unit,
        "slice_s": official.slice_s,
        "refusal": official.refusal,
        "differences": list(official.differences),
    }
    if table is None:
        return {**common, "thresholds": [], "rows": [], "avg": [], "max": [], "rates": []}
    return {
        **common,
        "thresholds": list(official.thresholds),
        "rows": table.rows,
        "avg": [float(f"{value:.2f}") for value in table.average],
        "max": table.maximum,
        "rates": table.rates,
        "avg_rate": float(f"{table.average_rate:.1f}"),
        "max_rate": table.maximum_rate,
    }


ACT = ActImporter()
