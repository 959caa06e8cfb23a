"""Result files of benchmarks of file systems, object stores and whole machines."""

from tailroom.domain.tools.tool import Form, Measures, Tool

FILE_SYSTEMS: tuple[Tool, ...] = (
    Tool(
        "elbencho",
        "elbencho",
        "elbencho:ELBENCHO",
        Measures.RECORDS,
        (
            Form(
                "1.x–3.x",
                "table of results, `--resfile`",
                "of each phase smallest, mean, largest, percentiles and histogram (`--lat`, `--latpercent`,"
                " `--lathisto`) of blocks and of entries; rates of the last column",
                "the column of the first thread that was done; times of each thread; shares of processors;"
                " numbers of entries; live statistics (`--livecsv`), JSON",
            ),
            Form(
                "1.x–3.x",
                "`--csvfile`",
                "smallest, mean and largest of blocks and of entries; rates of the last thread; settings",
                "columns of the first thread; shares of processors; number of operations (not in the file);"
                " dates (of the start or the end, by version)",
            ),
        ),
    ),
    Tool(
        "crystaldiskmark",
        "CrystalDiskMark",
        "crystal_disk_mark:CRYSTAL_DISK_MARK",
        Measures.REQUESTS,
        (
            Form(
                "3.x–9.x",
                "text that it saves or copies",
                "rates and means of each test; the mean as a statement where there was one pass",
                "means of the best of several passes as statements; calculated from the rate: nothing more;"
                " percentiles (CrystalDiskMark has none)",
            ),
        ),
    ),
    Tool(
        "filebench",
        "filebench",
        "filebench:FILEBENCH",
        Measures.REQUESTS,
        (
            Form(
                "1.5",
                "output from `Per-Operation Breakdown` on",
                "of each operation number, mean, smallest and largest, with `lathist` exact counts between"
                " powers of two ns; totals as claims",
                "times of the log; output of 1.4",
            ),
        ),
    ),
    Tool(
        "bonnie++",
        "bonnie++",
        "bonnie:BONNIE",
        Measures.REQUESTS,
        (
            Form(
                "1.96–2.x",
                "line of CSV, alone or in the output",
                "the largest time of each test as a statement; rates and shares of a processor as claims",
                "the table above the line, which says the same; seed; number of operations (not printed)",
            ),
        ),
    ),
    Tool(
        "iozone",
        "iozone",
        "iozone:IOZONE",
        Measures.REQUESTS,
        (
            Form(
                "3.x",
                "table of automatic and single tests",
                "rates of each test and of each size of file and record as claims; with `-N` mean times as"
                " statements",
                "throughput tests of several processes (`-t`); the report for spreadsheets",
            ),
        ),
    ),
)
