"""For each importer, files in which numbers mean little, or why its tool cannot write such a file."""

from backend.tests.importers.meaning_cases import Case, Meaning
from backend.tests.importers.meanings_of_key_value import KEY_VALUE_MEANINGS
from backend.tests.importers.meanings_of_requests import REQUESTS_MEANINGS
from backend.tests.importers.meanings_of_storage import STORAGE_MEANINGS
from backend.tests.importers.reading import SAMPLES

__all__ = ["MEANINGS", "WITHOUT_OPERATIONS", "Case"]

MEANINGS: dict[str, Meaning] = {**STORAGE_MEANINGS, **KEY_VALUE_MEANINGS, **REQUESTS_MEANINGS}


def _agent_without_intervals() -> str:
    """An agent's result that was announced, measured nothing and ended."""
    lines = (SAMPLES / "agent/act-null-4s.ndjson").read_text().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith('{"intervals"'))


WITHOUT_OPERATIONS: dict[str, Case] = {
    "agent-result": Case(_agent_without_intervals(), name="result.ndjson"),
    "distribution": Case(
        '{"op": "read", "layout": {"t": "knots"}, "n": 0, "percentiles": [[0.5, 90000]]}', name="d.json"
    ),
    "hdr-log": Case((SAMPLES / "hdr_log/ycsb_empty.hdr").read_text(), name="ycsb.hdr"),
}
"""Files of no operation where zeros for digits do not make one."""
