"""How code that works in several short transactions gets them: a function that opens one at a time.

Between two of them no connection is held, so computing there delays nobody.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.kit.db import Database

Transactions = Callable[[], AbstractContextManager[Session]]
"""Opens the next transaction."""


class ChangedMeanwhile(RuntimeError):
    """Somebody else has changed what was read, or is changing it: trying again helps."""


def transactions_of(database: Database, organisation_id: UUID | None) -> Transactions:
    """Transactions of a worker that acts as an organisation; None: as the installation itself.

    Every session of a worker is opened here.
    """
    return partial(database.transaction, organisation_id)


def within(session: Session) -> Transactions:
    """The one transaction that the caller has open anyway, for code that asks for several."""
    return lambda: nullcontext(session)
