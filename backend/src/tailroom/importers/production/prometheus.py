"""The importer of Prometheus: pages of programs, and answers of its query API."""

import re

from tailroom.importers.importer import Certainty, Detection
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.production import answers, page
from tailroom.importers.production.answers import AnswerReader
from tailroom.importers.production.page import TOOL, TYPE_LINE, PageReader
from tailroom.importers.production.protobuf_fields import is_metric_family
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import ToolImporter

PROTOBUF_FORM = "prometheus-protobuf"
_KINDS = frozenset(
    ("histogram", "counter", "gauge", "summary", "untyped", "unknown", "info", "stateset", "gaugehistogram")
)
_BUCKET_LINE = re.compile(r'[^\s{}]*\{[^{}\n]{0,2000}?\ble="[^"\n]{1,40}"[^{}\n]{0,2000}\}[ \t]+[\d.]')
_LINES = 500
_ANSWER = re.compile(r'\s*+\{\s*+"(?:status|data|resultType|result|metric)"\s*+:')
_RESULT = re.compile(
    r'"resultType"\s*+:\s*+"(matrix|vector)"|"metric"\s*+:\s*+\{[^{}]{0,4000}\}\s*+,\s*+"(?:value|histogram)s?"'
)


def _detect(head: Head) -> Detection | None:
    if _ANSWER.match(head.text) is not None and _RESULT.search(head.text) is not None:
        return Detection(answers.FORM, TOOL, None, "the keys of an answer of Prometheus' query API")
    if is_metric_family(head.raw):
        reason = "a metric family of Prometheus behind its length"
        return Detection(PROTOBUF_FORM, TOOL, None, reason, is_binary=True)
    for line in head.lines[:_LINES]:
        stated = TYPE_LINE.fullmatch(line.strip())
        if stated is not None and stated[2] in _KINDS:
            return Detection(page.FORM, TOOL, None, f"the line `{line.strip()[:80]}` of a page")
    buckets = sum(1 for line in head.lines[:_LINES] if "_bucket" in line and _BUCKET_LINE.match(line))
    if buckets > 1:
        return Detection(page.FORM, TOOL, None, 'lines `…_bucket{le="…"}` of a page', Certainty.LIKELY)
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return a run per metric. Raise ContentUnreadable if none is of time, or SourceTooLarge (protobuf)."""
    if _ANSWER.match(source.head.text) is not None:
        return AnswerReader(source).read()
    if source.is_binary:
        # Loading the messages takes as long as starting the command.
        from tailroom.importers.production.page_protobuf import ProtobufPageReader  # noqa: PLC0415

        return ProtobufPageReader(source).read(PROTOBUF_FORM, TOOL)
    return PageReader(source).read()


PROMETHEUS = ToolImporter("prometheus", "Prometheus", _detect, _runs)
