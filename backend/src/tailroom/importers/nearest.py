"""Which format a file that nobody reads comes nearest to: one sentence that helps, instead of a list.

Words of a tool in the file decide, the most telling first; a name is a hint where the content says nothing.
"""

import re
from dataclasses import dataclass

from tailroom.importers.source import Head


@dataclass(frozen=True, slots=True)
class Near:
    """A sign of a tool, and what to do about it."""

    sign: re.Pattern[str]
    words: str


_SIGNS = tuple(
    Near(re.compile(sign, re.IGNORECASE | re.MULTILINE), words)
    for sign, words in (
        (
            r"^[ \t]*+(?:Linux \d\S* \(|.*%user[ \t]+%nice|Device\b.*\br/s\b)",
            "it looks like sar or iostat: send `sar -d`, or `iostat -x -t`",
        ),
        (
            r"\s(?:disk\d+\s+)+cpu\b",
            "it looks like iostat of macOS or BSD, which has no waiting times: send Linux' `iostat -x -t`",
        ),
        (r'^"Dstat ', "it looks like dstat, which prints no waiting times: send `iostat -x -t` or `sar`"),
        (
            r"^This is ApacheBench|\(be patient\)",
            "it looks like ApacheBench, which is not read: wrk with --latency measures the same",
        ),
        (
            r"\bHammerDB\b|^Vuser \d+:",
            "it looks like HammerDB, which is not read: send the log of the database, or pgbench's output",
        ),
        (r"vdbench", "it looks like vdbench: send flatfile.html, totals.html or histogram.html"),
        (
            r"(?:servicetime|1-minute rate =|nosqlbench)",
            "it looks like nosqlbench: send the CSV of its timers, or its histogram log",
        ),
        (
            r"HISTF|StartTimestamp|^Tag=",
            "its rows look like a damaged HdrHistogram log: a row is `start,length,max,HIST…`",
        ),
        (r"\bslat\b|\bclat\b|\bfio\b", "it looks like fio: send its output, its JSON (json+) or its logs"),
        (
            r"^[ \t]*+(?:test[ \t]+users[ \t]+size|\w{0,20}read[ \t]*\d+ threads?)",
            "it looks like a table made of fio's output: send that",
        ),
        (
            r"microsecond-histograms|large-block|\bact_storage\b",
            "it looks like ACT: send the log that the test printed",
        ),
        (r"\[OVERALL\]|\bycsb\b", "it looks like YCSB: send the summary with its line `[OVERALL], …`"),
        (r"memtier", "it looks like memtier_benchmark: send its report or the JSON of --json-out-file"),
        (r"pgbench|\btps = ", "it looks like pgbench: send its summary or the files of --log"),
        (r"sysbench|events per second", "it looks like sysbench: send the report from its first line on"),
        (r"db_bench|micros/op", "it looks like db_bench: send its output with --histogram"),
        (r"wrk\b|Req/Sec", "it looks like wrk: send its output from the line `Running … test @ …` on"),
        (
            r"cassandra-stress|scylla-bench",
            "it looks like a stress tool of Cassandra or Scylla: send its results",
        ),
        (r"diskspd|I/O per s", "it looks like diskspd: send its output, made with -L"),
        (
            r"aerospike|asbench|tps=",
            "it looks like asbench or Aerospike's Java benchmark: send its whole output",
        ),
        (
            r"\bredis(?!tri)|\brequests per second\b",
            "it looks like redis-benchmark: send its report or its --csv output",
        ),
        (
            r"[Pp]ercentile|\bp99\b|latency",
            "it has latencies in a form that no known tool prints; `tailroom formats` lists what is read",
        ),
    )
)
_ODD_IN_TEXT = 0.3
"""Largest share of control characters and of bytes that are no UTF-8; random bytes have half."""


def unknown_text(name: str, head: Head) -> str:
    """The refusal: format not recognised, what it comes nearest to, and where the formats are listed."""
    if not _is_text(head.text[:4096]):
        return f"{name}: format not recognised: it is no text; see `tailroom formats` for what is read"
    for text in (head.text, re.split(r"[\\/]", name)[-1]):
        for near in _SIGNS:
            if near.sign.search(text):
                return f"{name}: format not recognised; {near.words}"
    return f"{name}: format not recognised; see `tailroom formats` for what is read"


def _is_text(text: str) -> bool:
    odd = sum(sign < "\t" or "\r" < sign < " " or sign == "\N{REPLACEMENT CHARACTER}" for sign in text)
    return odd <= _ODD_IN_TEXT * len(text)
