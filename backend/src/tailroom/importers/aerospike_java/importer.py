"""The importer of the Aerospike Java benchmark's standard output."""

from tailroom.importers.aerospike_java.log import COUNTS, JavaBenchmarkReader
from tailroom.importers.aerospike_java.tables import header_limits_ns, parse_alternate, parse_ycsb
from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.parsed_run import ParsedRun, Problem, Severity
from tailroom.importers.printed import MAX_TEXT_BYTES
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import ToolImporter

_FORM, _TOOL = "aerospike-java-log", "aerospike-java-benchmark"
_MAX_RUNS = 100


def _detect(head: Head) -> Detection | None:
    """Recognise the format by its banner, its counts, or one of three styles of latencies; else None."""
    for line in head.lines:
        if line.startswith("Benchmark: ") and ", namespace: " in line:
            return Detection(_FORM, _TOOL, None, "the banner `Benchmark: … namespace: …`")
        if COUNTS.fullmatch(line):
            return Detection(_FORM, _TOOL, None, "lines `write(tps=… timeouts=… errors=…)`", Certainty.LIKELY)
        if header_limits_ns(line) or parse_ycsb(line) is not None:
            return Detection(_FORM, _TOOL, None, "columns `<=1ms >1ms …` of a period", Certainty.LIKELY)
        if parse_alternate(line) is not None:
            return Detection(_FORM, _TOOL, None, "counts `<=1ms(…) >1ms(…) total(…)`", Certainty.LIKELY)
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return up to 100 measured runs; more are a problem of the last. Raise ContentUnreadable without any."""
    runs = [JavaBenchmarkReader()]
    for line_no, raw in source.lines():
        text = raw[:MAX_TEXT_BYTES].decode("utf-8", "replace").rstrip()
        if text.startswith("Benchmark: ") and runs[-1].has_measurements:
            if len(runs) >= _MAX_RUNS:
                reason = f"more than {_MAX_RUNS} runs in one file"
                runs[-1].problems.append(Problem(reason, line_no, Severity.ERROR))
                break
            runs.append(JavaBenchmarkReader())
        if not runs[-1].total_fell:
            runs[-1].line(line_no, text)
    measured = [run for run in runs if run.has_measurements]
    if not measured:
        raise ContentUnreadable(
            f"{source.name} opens as a log of the Aerospike Java benchmark, but no measurement follows"
        )
    return [run.finish() for run in measured]


AEROSPIKE_JAVA = ToolImporter("aerospike-java", "the Aerospike Java benchmark", _detect, _runs)
