"""The importer of Aerospike's tables of shares over limits: `act_latency.py`, `asloglatency` and `asadm`."""

import re

from tailroom.domain.units import NS_PER_S
from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.latency_tables.act_table import ACT_HEAD, ACT_UNIT, act_tables, results_of_act
from tailroom.importers.latency_tables.server_tables import (
    ASADM_HEAD,
    ASADM_LIMIT,
    LOG_HEAD,
    asadm_tables,
    log_tables,
    results_of_server,
)
from tailroom.importers.parsed_run import EndState, ParsedRun
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import PrintedRun, ToolImporter


def _detect(head: Head) -> Detection | None:
    """Recognise the format by the head of the table. None without one of the three heads."""
    for line in head.lines:
        text = line.strip()
        if LOG_HEAD.fullmatch(text):
            return Detection("asloglatency", "aerospike-server", None, "`slice-to (sec)` and `ops/sec`")
        if (match := ASADM_HEAD.fullmatch(line)) is not None and ASADM_LIMIT.search(match[1]):
            reason = "`Namespace|Histogram|Node|ops/sec`"
            return Detection("asadm-latency", "aerospike-server", None, reason)
        if ACT_HEAD.fullmatch(text) and ACT_UNIT.search(head.text):
            version = re.search(r"ACT version (\d{1,3}(?:\.\d{1,3}){1,3})", head.text)
            reason = "a table of act_latency.py: `slice` and `%>(ms)`"
            return Detection("act-latency", "act", version[1] if version else None, reason)
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return one run of all tables. Raise ContentUnreadable if no table has a usable row."""
    detection = _detect(source.head)
    form = "" if detection is None else detection.format
    run = PrintedRun(1)
    if form == "act-latency":
        tables = list(act_tables(source))
        series, run.claims, run.parameters = results_of_act(tables, run.problems)
        run.version = None if detection is None else detection.version
    else:
        tables = list(log_tables(source) if form == "asloglatency" else asadm_tables(source))
        series, run.claims, run.parameters = results_of_server(tables, run.problems)
    if not series:
        raise ContentUnreadable(f"{source.name} has the head of a latency table, but no row that can be read")
    reason = "shares are rounded to two decimals; the log that the table was made of has the counts"
    run.problems.note("rounded", reason, tables[0].line)
    run.duration_ns = max(sum(table.length_s) for table in tables) * NS_PER_S or None
    tool = "act" if form == "act-latency" else "aerospike-server"
    ending = EndState.UNKNOWN, "a table does not say how its run ended"
    return [run.parsed(form, tool, [], series, ending, closed_loop=False)]


LATENCY_TABLE = ToolImporter("latency-table", "Aerospike's tools", _detect, _runs)
