"""Short transactions for code that needs several: a function that opens one at a time.

No connection is held between two of them, so computing there delays no other request.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.kit.db import Database

Transactions = Callable[[], AbstractContextManager[Session]]
"""Function that opens a transaction; it is called for each."""


class ChangedMeanwhile(RuntimeError):
    """Another process has changed, or is changing, the rows that were read: a retry helps."""


def transactions_of(database: Database, organisation_id: UUID | None) -> Transactions:
    """Return a function that opens transactions bound to an organisation; None: to none."""
    return partial(database.transaction, organisation_id)


def same_transaction(session: Session) -> Transactions:
    """Return a function that yields the open session of the caller each time, and never commits it."""
    return lambda: nullcontext(session)
