"""Which configurations keep a budget: every one of the organisation's and every published one, each by the
judge of `evaluate`.

Those that meet it come first, then the undecided, then those that miss it, each newest first. A page begins
after the place of the last item shown, so a configuration is shown twice only if its verdict has changed in
between. The newest `MOST_CONFIGURATIONS` are looked at, for `MOST_SECONDS` at most; how many were not is
said.
"""

import base64
import binascii
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.runs.errors import CursorUnreadable
from tailroom.sla.answers import Answer, echo, match_item
from tailroom.sla.configurations import OWN_SOURCES, SOURCES, Configuration, ConfigurationSource
from tailroom.sla.evaluating import answered, chosen_budget
from tailroom.sla.schemas import MatchCountsOut, MatchIn, MatchOut
from tailroom.sla.subjects import KeptRuns, SubjectReader

MOST_CONFIGURATIONS = 1_000
MOST_SECONDS = 20.0
_ORDER = (Verdict.PASS, Verdict.INDETERMINATE, Verdict.FAIL)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CURSOR_BYTES = 25


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where an item stands in the list: by verdict, then newest first."""

    rank: int
    age_us: int
    identifier: int

    @classmethod
    def of(cls, verdict: Verdict, configuration: Configuration) -> "Place":
        """The place of a configuration with its verdict."""
        moment, identifier = configuration.position
        age_us = (_EPOCH - moment) // timedelta(microseconds=1)
        return cls(_ORDER.index(verdict), age_us, -identifier.int)

    def encode(self) -> str:
        """As a cursor."""
        packed = bytes([self.rank]) + self.age_us.to_bytes(8, "big", signed=True)
        return base64.urlsafe_b64encode(packed + UUID(int=-self.identifier).bytes).decode()

    @classmethod
    def decode(cls, text: str) -> "Place":
        """Reads what `encode` wrote. Raises CursorUnreadable for anything else."""
        try:
            packed = base64.b64decode(text, altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            packed = b""
        if len(packed) != _CURSOR_BYTES or packed[0] >= len(_ORDER):
            raise CursorUnreadable("The cursor cannot be read; begin again without `cursor`.")
        microseconds = int.from_bytes(packed[1:9], "big", signed=True)
        return cls(packed[0], microseconds, -UUID(bytes=packed[9:]).int)


def match(session: Session, kept: KeptRuns, organisation_id: UUID, asked: MatchIn) -> MatchOut:
    """Every configuration against a budget, one page of them. Raises BudgetUnknown, CursorUnreadable."""
    after = None if asked.cursor is None else Place.decode(asked.cursor)
    budget = chosen_budget(session, organisation_id, asked.budget)
    sources = SOURCES if asked.published else OWN_SOURCES
    judged, not_looked_at = _judged(SubjectReader(session, kept, budget), organisation_id, budget, sources)
    counts = Counter(answer.verdict for _, answer in judged)
    judged.sort(key=lambda pair: pair[0])
    rest = [pair for pair in judged if after is None or pair[0] > after]
    shown = rest[: asked.limit]
    return MatchOut(
        budget=echo(budget),
        method_version=METHOD_VERSION,
        counts=MatchCountsOut(
            meets=counts[Verdict.PASS], misses=counts[Verdict.FAIL], undecided=counts[Verdict.INDETERMINATE]
        ),
        items=[match_item(answer) for _, answer in shown],
        next_cursor=shown[-1][0].encode() if len(rest) > len(shown) else None,
        not_looked_at=not_looked_at,
    )


def _judged(
    reader: SubjectReader, organisation_id: UUID, budget: Budget, sources: Sequence[ConfigurationSource]
) -> tuple[list[tuple[Place, Answer]], int]:
    """Places and answers, and how many configurations were left out."""
    until = time.monotonic() + MOST_SECONDS
    total = sum(source.count(reader, organisation_id) for source in sources)
    newest = [
        one for source in sources for one in source.newest(reader, organisation_id, MOST_CONFIGURATIONS)
    ]
    newest.sort(key=lambda one: one.position, reverse=True)
    judged: list[tuple[Place, Answer]] = []
    for configuration in newest[:MOST_CONFIGURATIONS]:
        if time.monotonic() > until:
            break
        kept = configuration.answer
        answer = answered(configuration.subject(), budget) if kept is None else kept()
        judged.append((Place.of(answer.verdict, configuration), answer))
    return judged, max(0, total - len(judged))
