"""The nearest format of an unreadable file, for its refusal.

Text that only one tool prints decides, the clearest first; without it, the name of a result file is a hint.
"""

import re
from dataclasses import dataclass

from tailroom.importers.source import Head
from tailroom.importers.writing import is_written


@dataclass(frozen=True, slots=True)
class FormatHint:
    """A pattern of text that a tool prints, and the advice on which file to send instead."""

    sign: re.Pattern[str]
    words: str


_FIO, _WRK = "fio measures the same", "wrk with --latency measures the same"
_DATABASE = "send the log of the database, or pgbench's or sysbench's output"
_NOT_READ = (
    (
        r'"?t[-_]?digest|"centroids"\s*:\s*\[',
        "a t-digest, whose quantiles have no certain ends",
        "send a histogram with buckets",
    ),
    (
        r'"?kll[-_ ]?(?:sketch|floats|doubles)',
        "a KLL sketch, whose quantiles have no certain ends",
        "send a histogram with buckets",
    ),
    (r"^This is ApacheBench|^Benchmarking \S+ \(be patient\)", "ApacheBench", _WRK),
    (r"^_elapsed_{2,}errors_{2}ops/sec\(inst\)", "cockroach workload", _DATABASE),
    (r"^\[Summary\] NEW_ORDER |^\[Current\] \w+ - Takes", "go-tpc", _DATABASE),
    (r"^ISO Date,Label,Phase,", "elbencho's live statistics", "send its table or the file of --csvfile"),
    (r"^IOR-\d|^Max Write:[ \t]+[\d.]+ MiB/sec", "IOR", _FIO),
    (r"^'Test Type,Test Description|^'Results$", "Iometer", "diskspd with -L measures the same"),
    (r"^--- .{1,200} ioping statistics ---", "ioping", _FIO),
    (r"^\d+ bytes (?:\([^)\n]*\) )?copied, [\d.e-]+ s", "dd, which times no single operation", _FIO),
    (
        r"^interval_op_rate[ \t]+:|^total,interval_op_rate,",
        "cassandra-stress up to 2.0, of a sample that forgets",
        "2.1 and later print what holds of the run",
    ),
    (
        r"^batch-index:;?\{?|\}-[\w-]+:(?:\d\d:\d\d:\d\d-GMT,ops/sec,|[mu]sec,\d)",
        "an answer of asinfo",
        "send the table of `asadm -e 'show latencies'`, or asloglatency's",
    ),
    (
        r"\{'(?:fio version|jobname|clat_ns|bw_bytes)': |'clat_ns': \{'min'",
        "fio's JSON as Python prints it, with quotes of another kind",
        "send the JSON that fio wrote",
    ),
)
"""Formats that no importer reads: the sign of each, its name, and what to send instead."""

_SIGNS = tuple(
    FormatHint(re.compile(sign, re.IGNORECASE | re.MULTILINE), words)
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
        *((sign, f"it looks like {name}, which is not read: {instead}") for sign, name, instead in _NOT_READ),
        (
            r"^Filebench Version |IO Summary: +\d+ ops",
            "it looks like filebench: send its output from `Per-Operation Breakdown` on",
        ),
        (
            r"^[\w+]{2,12} +Elapsed time +:|^ +IO lat(?:ency| % us| hist) +:",
            "it looks like elbencho: send its table from the line `OPERATION` on, or the file of --csvfile",
        ),
        (
            r"^[ \t]*CrystalDiskMark \d|MB/s \[ *[\d.]+ IOPS\]",
            "it looks like CrystalDiskMark: send the text that it saves or copies, from its title on",
        ),
        (
            r"^[ \t]+kB[ \t]+reclen[ \t]+write|Command line used: \S*iozone",
            "it looks like iozone: send its output from the line `Iozone: Performance Test of File I/O` on",
        ),
        (
            r"^Version[ \t]+[\d.]+\w*[ \t]+-{4,}Sequential Output",
            "it looks like bonnie++: send the line of CSV that it prints at its end too",
        ),
        (
            r"^\|[ \t]+(?:\d{1,3}(?:\.\d+)?th percentile|(?:Min|Mean|Median|Max) (?:T|t)hroughput)",
            "it looks like Rally's report: send it from the line `Metric`, `Task`, `Value`, `Unit` on",
        ),
        (
            r"\bRD=\w+[;:]|\bvdbench (?:distribution|summary)|^[ \t]*interval[ \t]+i/o[ \t]+MB/sec",
            "it looks like vdbench: send flatfile.html, totals.html or histogram.html",
        ),
        (
            r"^[ \t]*[\w.-]+[._]servicetime[ \t]*$|^[ \t]+1-minute rate =|type=TIMER, name=",
            "it looks like nosqlbench: send the CSV of its timers, or its histogram log",
        ),
        (
            (
                r"\bHISTFAA|,[ \t]*HIST[A-Za-z0-9+/]{20}|^Tag=[^,\s]+,\d"
                r"|\bStartTimestamp\b[^\n]{0,20}\b(?:Interval_|End)"
            ),
            "its rows look like a damaged HdrHistogram log: a row is `start,length,max,HIST…`",
        ),
        (
            (
                r"\b[sc]lat(?:_ns)?\b\"?[ \t]*(?:\([num]?sec\)|percentiles)?[ \t]*(?:\([num]sec\))?[:=]"
                r"|\blat \([num]sec\)|\"fio version\"|^Run status group \d|\brw=\w+, bs="
            ),
            "it looks like fio: send its output, its JSON (json+) or its logs",
        ),
        (
            r"^[ \t]*+(?:test[ \t]+users[ \t]+size|\w{0,20}read[ \t]*\d+ threads?)",
            "it looks like a table made of fio's output: send that",
        ),
        (
            r"#\[Mean +=|#\[Buckets =",
            "it looks like the end of a percentile table of HdrHistogram: send it with its head",
        ),
        (
            r"^Count: +\d+ +Average: [\d.]+ +StdDev: ",
            "it looks like a histogram of RocksDB or LevelDB: send db_bench's output with --histogram",
        ),
        (
            r"milliseconds \(cumulative count \d+\)",
            "it looks like redis-benchmark: send its report or its --csv output",
        ),
        (
            r"^microsecond-histograms: |^ACT version \d|\blarge-block-(?:reads|writes)\b",
            "it looks like ACT: send the log that the test printed",
        ),
        (
            r"\[OVERALL\],|^\[[A-Z][\w-]*\], \w|\bcurrent ops/sec\b",
            "it looks like YCSB: send the summary with its line `[OVERALL], …`",
        ),
        (
            r"^Type +Ops/sec\b|\"ALL STATS\"|^\[RUN #\d",
            "it looks like memtier_benchmark: send its report or the JSON of --json-out-file",
        ),
        (
            r"\btps = \d|^latency average = |^progress: [\d.]+ s, [\d.]+ tps|^transaction type: <",
            "it looks like pgbench: send its summary in English (LC_ALL=C) or the files of --log",
        ),
        (
            r"\bevents per second: |^[ \t]*total number of events: |\btps: [\d.]+ qps: |^sysbench \d\.\d",
            "it looks like sysbench: send the report from its first line on",
        ),
        (
            r"\d micros/op\b|^secs_elapsed,interval_qps",
            "it looks like db_bench: send its output with --histogram",
        ),
        (
            r"\bReq/Sec\b|^Running \S+ test @ |\d requests in [\d.]+\w+, [\d.]+\w+ read",
            "it looks like wrk: send its output from the line `Running … test @ …` on",
        ),
        (
            r"^Summary:\s+(?:Total:[ \t]+[\d.]+ secs|Success rate:)|^[ \t]*(?:50|90|99)% in [\d.]+ secs",
            "it looks like hey or oha: send the report from its line `Summary:` on",
        ),
        (
            r"^(?:Requests|Latencies|Status Codes)[ \t]+\[",
            "it looks like vegeta: send the report with its line `Latencies`, or the results as CSV",
        ),
        (
            r"^[ \t]*http_reqs?_?\w*\.{3}",
            "it looks like k6: send the summary at its end, or the results of --out json",
        ),
        (
            r"^HammerDB CLI|^Vuser \d+:",
            "it looks like HammerDB: send its log with `TEST RESULT`, or its time profile",
        ),
        (r"^Bombarding http", "it looks like bombardier: send the report with its line `Statistics`"),
        (
            (
                r"^Op rate +: |^latency (?:mean|median|max|\d\d[\d.]*th percentile) +: "
                r"|^(?:type,)? *total ops *,"
                r"|^Time \(avg\):|^Operations/s:|^\d+ +,(?: +\d+,){4}(?: +\d+\.\d,){6}"
            ),
            "it looks like a stress tool of Cassandra or Scylla: send its results",
        ),
        (r"\| +I/O per s +\||^ *%-ile +\|", "it looks like diskspd: send its output, made with -L"),
        (
            r"\w\(tps=\d|~{5,}[ \w]{0,60}Latency",
            "it looks like asbench or Aerospike's Java benchmark: send its whole output",
        ),
        (
            r"(?:^|: )[ \t]*[\d.]+ requests per second|^====== .{1,200} ======$",
            "it looks like redis-benchmark: send its report or its --csv output",
        ),
        (
            (
                r"\bp(?:50|75|9[059][\d._]*)\b\"?[ \t]*[:=|][ \t]*\"?\d"
                r"|^[^\n=()]*[,;\t|]\"?p(?:50|75|9[059][\d._]*)\"?(?:[,;\t|]|\r?$)"
                r"|\blatency\b[^\n:=]{0,20}[:=][ \t]*[\d.]+ ?(?:ns|us|µs|ms|usec|msec)\b"
                r"|\b[1-9][\d.]{0,7}(?:th)?[ -]?(?:%-?ile|percentile)\b[^\n\d]{0,20}\d"
            ),
            "it has latencies in a form that no known tool prints; `tailroom formats` lists what is read",
        ),
    )
)
"""Text that only the tool prints. Its name does not count: users, services, packages and scripts have it."""
_NAMES = tuple(
    FormatHint(re.compile(rf"(?<![a-z])(?:{names})(?![a-z])", re.IGNORECASE), f"its name says {words}")
    for names, words in (
        ("vdbench", "vdbench: send flatfile.html, totals.html or histogram.html"),
        ("nosqlbench", "nosqlbench: send the CSV of its timers, or its histogram log"),
        ("fio", "fio: send its output, its JSON (json+) or its logs"),
        ("act_storage|act_index", "ACT: send the log that the test printed"),
        ("ycsb", "YCSB: send the summary with its line `[OVERALL], …`"),
        ("memtier(?:_benchmark)?", "memtier_benchmark: send its report or the JSON of --json-out-file"),
        ("pgbench", "pgbench: send its summary in English (LC_ALL=C) or the files of --log"),
        ("sysbench", "sysbench: send the report from its first line on"),
        ("db_bench", "db_bench: send its output with --histogram"),
        ("wrk2?", "wrk: send its output from the line `Running … test @ …` on"),
        ("cassandra-stress|scylla-bench", "a stress tool of Cassandra or Scylla: send its results"),
        ("diskspd", "diskspd: send its output, made with -L"),
        ("asbench", "asbench: send its whole output"),
        ("redis-benchmark", "redis-benchmark: send its report or its --csv output"),
        ("iostat|sar", "sar or iostat: send `sar -d`, or `iostat -x -t`"),
    )
)
"""If the content has no sign, the name of a file of results is a hint."""
_RESULTS = re.compile(r"[^.]+(?:\.\d+)?(?:\.(?:txt|log|out|csv|json|html?|res|result|results|output))?")
_ODD_IN_TEXT = 0.3
"""Largest share of control characters and of bytes that are no UTF-8; random bytes have half."""


def unknown_text(name: str, head: Head) -> str:
    """Return the refusal of a file that no importer recognises: the nearest format, and what to send."""
    if not _is_text(head.text[:4096]):
        return f"{name}: format not recognised: it is no text; see `tailroom formats` for what is read"
    base = re.split(r"[\\/]", name)[-1]
    is_result = _RESULTS.fullmatch(base) is not None and not head.text.startswith("#!")
    written = is_written(head.text)
    for hints, text in ((_SIGNS, head.text), (_NAMES if is_result else (), base)):
        for hint in hints:
            if hint.sign.search(text):
                words = hint.words
                if written:
                    words = words.replace("it looks like", "it is a text or program about", 1)
                return f"{name}: format not recognised; {words}"
    return f"{name}: format not recognised; see `tailroom formats` for what is read"


def _is_text(text: str) -> bool:
    """Return whether control characters and replaced bytes are at most 30 %; True for an empty text."""
    odd = sum(sign < "\t" or "\r" < sign < " " or sign == "\N{REPLACEMENT CHARACTER}" for sign in text)
    return odd <= _ODD_IN_TEXT * len(text)
