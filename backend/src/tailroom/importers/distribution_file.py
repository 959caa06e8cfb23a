"""The importer of distribution documents, which other programs write in Tailroom's own format.

One document, a list of them, or `{"series": […]}`, strict JSON (`domain.latency.document`). It is recognised
by its keys, not by its name. A document does not state how a run ended or on what machine it ran, so
these facts are requested.
"""

import re

from tailroom.catalogue.disclosure import FRAUD_TRANSACTION, STARTED_AT, required_fields
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.document import Distribution, distributions_of, parse_json
from tailroom.domain.latency.document_schema import DISTRIBUTION_KEYS
from tailroom.importers.disclosure import TOOL_VERSION, open_device_fields
from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries, last_end_ns
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import ToolImporter

FORMAT = "distribution"
_FIRST_KEY = re.compile(r'\s*+(?:\{\s*+"series"\s*+:\s*+)?(?:\[\s*+)?\{\s*+"(\w{1,20})"\s*+:')
_LAYOUT = re.compile(r'"layout"\s*:\s*\{[^{}]{0,200000}?"t"\s*:\s*"(?:hdr|pow2|explicit|knots)"')
_STATEMENTS = re.compile(r'"(?:percentiles|knots)"\s*:\s*\[\s*\[')


def _detect(head: Head) -> Detection | None:
    first = _FIRST_KEY.match(head.text)
    if first is None or first[1] not in DISTRIBUTION_KEYS | {"series"}:
        return None
    if _LAYOUT.search(head.text):
        return Detection(FORMAT, FORMAT, None, "a layout of buckets in JSON")
    if _STATEMENTS.search(head.text):
        return Detection(FORMAT, FORMAT, None, "percentiles or knots in JSON", Certainty.LIKELY)
    if '"counts"' in head.text or '"edges_ns"' in head.text:
        return Detection(
            FORMAT, FORMAT, None, "counts or edges in JSON, no whole layout yet", Certainty.POSSIBLE
        )
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return one run with all distributions. Raise ContentUnreadable, with the reason, if any is invalid."""
    try:
        distributions = distributions_of(parse_json(source.whole()))
    except ContentUnreadable:
        raise
    except DomainError as error:
        raise ContentUnreadable(f"{source.name}: {error}") from error
    series = tuple(_series(distribution) for distribution in distributions)
    sources = sorted({distribution.source for distribution in distributions if distribution.source})
    return [
        ParsedRun(
            format=FORMAT,
            tool=FORMAT,
            tool_version=None,
            series=series,
            state=EndState.UNKNOWN,
            state_text="a distribution does not say how its run ended",
            missing=_missing(),
            parameters={"sources": "; ".join(sources) or None},
            duration_ns=last_end_ns(series),
        )
    ]


DISTRIBUTION_FILE = ToolImporter(FORMAT, "a distribution", _detect, _runs)


def _series(distribution: Distribution) -> ParsedSeries:
    words = (distribution.device, distribution.operation, distribution.clock)
    return ParsedSeries(
        distribution.operation,
        distribution.clock,
        distribution.record,
        device=distribution.device,
        intervals=distribution.intervals,
        semantics=distribution.semantics,
        source_name=" ".join(word for word in words if word),
    )


def _missing() -> tuple[str, ...]:
    """Return the required fields: start, version, and those that drives and databases have in common."""
    of_databases = {field.field for field in required_fields(FRAUD_TRANSACTION)}
    of_all = [name for name in open_device_fields(()) if name in of_databases]
    return (STARTED_AT, TOOL_VERSION, *sorted(of_all))
