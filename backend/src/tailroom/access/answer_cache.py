"""Cache of answers, each valid while the tables that it was read from do not change.

The revisions of these tables are read after a request has arrived, so a cached answer is never older than a
new answer would be. Answers from any other table are not cached.
"""

from collections.abc import Hashable

from cachetools import LRUCache

from tailroom.access.packing import EncodedResponse
from tailroom.kit.revisions import COUNTED, UNSEEN, Revisions
from tailroom.storage.registry import MODELS

LIMIT_BYTES = 24 * 2**20
_TABLES = frozenset(MODELS[0].metadata.tables)


class AnswerCache:
    """Answers of one process; the least recently used are dropped. Belongs to one event loop."""

    def __init__(self, limit_bytes: int = LIMIT_BYTES) -> None:
        self._answers: LRUCache[Hashable, tuple[Revisions, EncodedResponse]] = LRUCache(
            limit_bytes, getsizeof=lambda entry: len(entry[1].body) + 1024
        )
        self.hits = 0
        """Number of answers from the cache."""

    def find(self, question: Hashable, now: Revisions) -> EncodedResponse | None:
        """Return the cached answer, if it is still valid."""
        entry = self._answers.get(question)
        if entry is None:
            return None
        then, response = entry
        if any(now.get(name, 0) != revision for name, revision in then.items()):
            del self._answers[question]
            return None
        self.hits += 1
        return response

    def keep(self, question: Hashable, names: set[str], before: Revisions, response: EncodedResponse) -> None:
        """Store an answer that was read after `before`, by statements with these names in them."""
        tables = names & _TABLES
        size = len(response.body) + 1024
        if UNSEEN in names or not tables <= COUNTED or size > self._answers.maxsize:
            return
        if response.status not in {200, 304} or any(b"no-store" in value for _, value in response.headers):
            return
        self._answers[question] = ({name: before.get(name, 0) for name in tables}, response)
