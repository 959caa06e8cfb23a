"""Answers that a process gives again while every table that they were read from is as it was.

The door reads the revisions of these tables after a request has come, so an answer is never older than it
would be without being kept. An answer that was read from any other table is not kept.
"""

from collections.abc import Hashable

from cachetools import LRUCache

from tailroom.access.packing import Sent
from tailroom.kit.revisions import COUNTED, UNSEEN, Revisions
from tailroom.storage.registry import MODELS

LIMIT_BYTES = 24 * 2**20
_TABLES = frozenset(MODELS[0].metadata.tables)


class KeptAnswers:
    """Those of one process, the least used go first. Belongs to one event loop."""

    def __init__(self, limit_bytes: int = LIMIT_BYTES) -> None:
        self._answers: LRUCache[Hashable, tuple[Revisions, Sent]] = LRUCache(
            limit_bytes, getsizeof=lambda kept: len(kept[1].body) + 1024
        )
        self.hits = 0
        """Answers that were given again."""

    def find(self, question: Hashable, now: Revisions) -> Sent | None:
        """The answer, where it still holds."""
        kept = self._answers.get(question)
        if kept is None:
            return None
        then, sent = kept
        if any(now.get(name, 0) != revision for name, revision in then.items()):
            del self._answers[question]
            return None
        self.hits += 1
        return sent

    def keep(self, question: Hashable, names: set[str], before: Revisions, sent: Sent) -> None:
        """Keeps an answer that was read after `before`, by statements with these names in them."""
        tables = names & _TABLES
        size = len(sent.body) + 1024
        if UNSEEN in names or not tables <= COUNTED or size > self._answers.maxsize:
            return
        if sent.status not in {200, 304} or any(b"no-store" in value for _, value in sent.headers):
            return
        self._answers[question] = ({name: before.get(name, 0) for name in tables}, sent)
