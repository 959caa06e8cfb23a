"""Result files of benchmarks of drives, file systems, object stores and whole machines."""

from tailroom.domain.tools.tool import Form, Measures, Tool, tool

DRIVES: tuple[Tool, ...] = (
    tool(
        "vdbench",
        "vdbench",
        "vdbench.importer:VDBENCH",
        Measures.RECORDS,
        Form(
            "5.00–5.04",
            "`flatfile.html`",
            "mean, deviation and largest of all operations, reads and writes, each `RD=` as a run; "
            "intervals as the course",
            "number of operations (only rates are printed); operations on files other than reads and "
            "writes; settings, sizes and shares of reads, queue depths and processors",
        ),
        Form(
            "5.00–5.04",
            "`totals.html`, `summary.html`, standard output",
            "the same, by the head of the table; bandwidth; whether it ended",
            "the same; deviations of reads and writes (not printed before 5.04.07)",
        ),
        Form(
            "5.04",
            "`histogram.html`",
            "exact counts of all operations, reads and writes between the edges",
            "when in the run they were",
        ),
    ),
    tool(
        "diskspd",
        "diskspd",
        "diskspd:DISKSPD",
        Measures.RECORDS,
        Form(
            "2.x",
            "text",
            "operations, means, deviations, percentiles (`-L`) of reads, writes and both, of all targets "
            "and each; each timespan as a run",
            "counts in buckets (not printed); the course; rows of threads; shares of processors; deviation "
            "of IOPS",
        ),
        Form("2.x", "XML (`-Rxml`)", "the same", "the course; results of threads; shares of processors"),
    ),
    tool(
        "fio",
        "fio",
        "fio.importer:FIO",
        Measures.RECORDS,
        Form(
            "3.x",
            "`--output-format=json+`",
            "exact counts in fio's own bins (64 an octave), smallest, largest, mean; states of "
            "`--status-interval` as the course; copies of a job added up, other jobs as phases; options, "
            "disk use, errors",
            "samples of bandwidth and IOPS, bytes, faults of processors, depths, shares by latency; merges "
            "and ticks of disks",
        ),
        Form(
            "3.x",
            "`--output-format=json` (also `normal,json`, text around it, a document that is cut)",
            "percentiles as both edges of their bin; mean and deviation where there are none; short and "
            "dropped operations",
            "counts in bins; what is not of JSON+",
        ),
        Form("2.x", "JSON, JSON+", "the same in bins of microseconds", "values below 1 µs"),
        Form(
            "2.x–3.x",
            "terse lines, versions 2 to 5",
            "percentiles, ends, means, bandwidth, whole operations a second, errors",
            "number of operations; whether percentiles are of clat or lat; bytes, samples of bandwidth, "
            "shares by latency, depths, processors, disks",
        ),
        Form(
            "2.14–3.x",
            "histogram log",
            "every line as a piece, coarseness 0 to 6",
            "what came after the last line (fio does not write it)",
        ),
        Form(
            "2.x–3.x",
            "latency log",
            "single operations as counts (125 ns, then 0.1 %), a piece a second; windows of `log_avg_msec` "
            "as claims",
            "latencies inside a window; what the values are, where the name does not say",
        ),
        Form("2.x–3.x", "bandwidth and IOPS log", "rates of windows as claims", ""),
        Form(
            "1.5x–3.x",
            "output for people",
            "percentiles with their units as the bins that they stand for, buckets of both or one direction "
            "as shares, `issued` as counts, smallest, largest, mean; terse lines beside it; states of one "
            "run",
            "counts in bins; mean and deviation are used where there are no percentiles; samples of "
            "bandwidth and IOPS, bytes, processors, depths; totals of groups and disks",
        ),
    ),
    tool(
        "sysstat",
        "iostat, sar, mpstat, vmstat",
        "sysstat.importer:SYSSTAT",
        Measures.MACHINE,
        Form(
            "10.x–12.x",
            "`iostat -x` (also `-t`, `--pretty`, `-s`), `-o JSON` in any layout",
            "means of waiting times of each device over time, largest queue and share of busy time, largest "
            "rates of requests and bytes; a run beside the others; a line of counters that went back is "
            "refused",
            "latencies of single operations; the time zone; the first report (since the machine started); "
            "merged requests and sizes of requests; discards and flushes; shares of processors other than "
            "idle and waiting for I/O",
        ),
        Form(
            "7.x–12.x, in any language",
            "`sar -d`, `-u`, `-P ALL`, `-r`, `-n DEV`, of a day or while it runs; `sadf -j`",
            "the same; processors, memory and network over time, as charts beside runs",
            "sizes of requests and discards; memory other than its share; packets, and the smaller "
            "direction of an interface; queues of processes and load averages (`-q`); other tables of sar; "
            "binary files (`sar -f FILE` prints them)",
        ),
        Form(
            "10.x–12.x, procps 3–4",
            "`mpstat`, `mpstat -P ALL`, `mpstat -o JSON`, `vmstat`, `vmstat -t`",
            "processors over time, where lines have times",
            "`vmstat` without `-t` has no times; zones other than UTC; other columns of `vmstat`",
        ),
    ),
)


FILE_SYSTEMS: tuple[Tool, ...] = (
    tool(
        "elbencho",
        "elbencho",
        "elbencho:ELBENCHO",
        Measures.RECORDS,
        Form(
            "1.x–3.x",
            "table of results, `--resfile`",
            "of each phase smallest, mean, largest, percentiles and histogram (`--lat`, `--latpercent`, "
            "`--lathisto`) of blocks and of entries; rates of the last column",
            "the column of the first thread that was done; times of each thread; shares of processors; "
            "numbers of entries; live statistics (`--livecsv`), JSON",
        ),
        Form(
            "1.x–3.x",
            "`--csvfile`",
            "smallest, mean and largest of blocks and of entries; rates of the last thread; settings",
            "columns of the first thread; shares of processors; number of operations (not in the file); "
            "dates (of the start or the end, by version)",
        ),
    ),
    tool(
        "crystaldiskmark",
        "CrystalDiskMark",
        "crystal_disk_mark:CRYSTAL_DISK_MARK",
        Measures.REQUESTS,
        Form(
            "3.x–9.x",
            "text that it saves or copies",
            "rates and means of each test; the mean as a statement where there was one pass",
            "means of the best of several passes as statements; calculated from the rate: nothing more; "
            "percentiles (CrystalDiskMark has none)",
        ),
    ),
    tool(
        "filebench",
        "filebench",
        "filebench:FILEBENCH",
        Measures.REQUESTS,
        Form(
            "1.5",
            "output from `Per-Operation Breakdown` on",
            "of each operation number, mean, smallest and largest, with `lathist` exact counts between "
            "powers of two ns; totals as claims",
            "times of the log; output of 1.4",
        ),
    ),
    tool(
        "bonnie++",
        "bonnie++",
        "bonnie:BONNIE",
        Measures.REQUESTS,
        Form(
            "1.96–2.x",
            "line of CSV, alone or in the output",
            "the largest time of each test as a statement; rates and shares of a processor as claims",
            "the table above the line, which says the same; seed; number of operations (not printed)",
        ),
    ),
    tool(
        "iozone",
        "iozone",
        "iozone:IOZONE",
        Measures.REQUESTS,
        Form(
            "3.x",
            "table of automatic and single tests",
            "rates of each test and of each size of file and record as claims; with `-N` mean times as "
            "statements",
            "throughput tests of several processes (`-t`); the report for spreadsheets",
        ),
    ),
)
