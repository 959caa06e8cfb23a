"""The importer of the Aerospike Java benchmark's standard output."""

from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.importers.aerospike_java.log import COUNTS, JavaBenchmarkReader
from tailroom.importers.aerospike_java.tables import header_limits_ns, parse_alternate, parse_ycsb
from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.parsed_run import ParsedRun, Problem, Severity
from tailroom.importers.printed import MAX_TEXT_BYTES
from tailroom.importers.source import Head, Source

_FORM, _TOOL = "aerospike-java-log", "aerospike-java-benchmark"
_MAX_RUNS = 100


@dataclass(frozen=True, slots=True)
class AerospikeJavaImporter:
    """Importer of the Aerospike Java benchmark's standard output."""

    name: str = "aerospike-java"
    looks_for: str = "`Benchmark: host port, namespace: …`, or lines `write(tps=… timeouts=… errors=…)`"

    def detect(self, head: Head) -> Detection | None:
        """Recognise the format by its banner, its counts, or one of three styles of latencies; else None."""
        for line in head.lines:
            if line.startswith("Benchmark: ") and ", namespace: " in line:
                return Detection(_FORM, _TOOL, None, "the banner `Benchmark: … namespace: …`")
            if COUNTS.fullmatch(line):
                return Detection(
                    _FORM, _TOOL, None, "lines `write(tps=… timeouts=… errors=…)`", Certainty.LIKELY
                )
            if header_limits_ns(line) or parse_ycsb(line) is not None:
                return Detection(_FORM, _TOOL, None, "columns `<=1ms >1ms …` of a period", Certainty.LIKELY)
            if parse_alternate(line) is not None:
                return Detection(_FORM, _TOOL, None, "counts `<=1ms(…) >1ms(…) total(…)`", Certainty.LIKELY)
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """Return every run with measurements, 100 at most. Raise ContentUnreadable if there are none."""
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


AEROSPIKE_JAVA = AerospikeJavaImporter()
