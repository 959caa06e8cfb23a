"""Small answers that follow from a record and a question alone, cached with the record."""

from collections.abc import Hashable
from typing import Any

_MOST = 32


class CachedAnswers:
    """Answers of one record by question, at most `_MOST`; threads may share it."""

    def __init__(self) -> None:
        self._answers: dict[Hashable, Any] = {}

    def get(self, question: Hashable) -> Any:
        """Return the cached answer to a question; None without one."""
        return self._answers.get(question)

    def put(self, question: Hashable, answer: object) -> None:
        """Cache an answer. When there are too many, all earlier answers go."""
        if len(self._answers) >= _MOST:
            self._answers.clear()
        self._answers[question] = answer
