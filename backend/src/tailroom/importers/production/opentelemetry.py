"""The importer of OpenTelemetry metrics: OTLP as JSON, and as protobuf.

Summaries hold quantiles that the program estimated, and are not read; sums and gauges are no latencies.
"""

import re

from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.production.metrics import runs_of
from tailroom.importers.production.otlp_json import read_json
from tailroom.importers.production.points import Points
from tailroom.importers.production.protobuf_fields import is_export_request
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import ToolImporter

TOOL = "opentelemetry"
JSON_FORM, PROTOBUF_FORM = "otlp-json", "otlp-protobuf"
_JSON = re.compile(r'\s*+\{\s*+"(?:resourceMetrics|resource_metrics)"\s*+:')


def _detect(head: Head) -> Detection | None:
    """Recognise the format by the first key of the JSON, or first fields of the protobuf; None for others."""
    if _JSON.match(head.text) is not None:
        return Detection(JSON_FORM, TOOL, None, 'the key "resourceMetrics" of OTLP')
    if is_export_request(head.data) or is_export_request(head.data[4:]):
        reason = "the fields of an export request of OTLP metrics"
        return Detection(PROTOBUF_FORM, TOOL, None, reason, is_binary=True)
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return a run per metric. Raise ContentUnreadable without histograms, SourceTooLarge over 32 MiB."""
    points = Points(source)
    if _JSON.match(source.head.text) is not None:
        read_json(source, points)
        return runs_of(points.metrics(), source, points.file_report, JSON_FORM, TOOL)
    # Loading the messages takes as long as starting the command.
    from tailroom.importers.production.otlp_protobuf import read_protobuf  # noqa: PLC0415

    read_protobuf(source, points)
    return runs_of(points.metrics(), source, points.file_report, PROTOBUF_FORM, TOOL)


OPENTELEMETRY = ToolImporter("opentelemetry", "OpenTelemetry", _detect, _runs)
