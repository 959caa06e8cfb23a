"""Store of generated documents that can be made again (evidence packs, pages, reports), for a day.

They are in the bucket of the uploaded files under `made`, or in a folder of this machine. A name contains the
run, a digest of the document's sources and the SHA-256 of its bytes; a document that does not match its name
is made again. So nothing must be deleted for an answer to be right, and an unavailable store costs time only
(docs/adr/0011).
"""

import contextlib
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from uuid import UUID

import obstore
from obstore.exceptions import BaseError
from obstore.store import LocalStore, ObjectStore, S3Store, from_url

from tailroom.kit.raw_files import REMOTE

if TYPE_CHECKING:
    from obstore.store import RetryConfig

Kind = Literal["packs", "pages", "reports"]
KINDS: tuple[Kind, ...] = ("packs", "pages", "reports")
STORED_FOR = timedelta(days=1)
_UNAVAILABLE = (BaseError, OSError)
_SHORT_RETRY: "RetryConfig" = {"max_retries": 1, "retry_timeout": timedelta(seconds=5)}
"""Waiting for the store would take longer than making most documents."""


@dataclass(frozen=True, slots=True)
class MadeDocument:
    """A generated document in the store; `key`: `<kind>/<subject>/<state>/<sha256>`."""

    key: str

    @property
    def sha256(self) -> str:
        """SHA-256 of the bytes, in hexadecimal, as the key names it."""
        return self.key.rpartition("/")[2]


class MadeDocuments:
    """Store of generated documents. Threads may share it."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    def find(self, kind: Kind, subject: UUID, state: bytes) -> MadeDocument | None:
        """Return the document of a subject (such as a run) with the hash `state` of its sources, or None."""
        return next(self._below(f"{kind}/{subject}/{state.hex()}"), (None, None))[0]

    def store(
        self, kind: Kind, subject: UUID, state: bytes, content: bytes, parameters: dict[str, str]
    ) -> MadeDocument | None:
        """Store a document and return it; None if the store is unavailable.

        `state`: hash of its sources; `parameters`: HTTP headers of a download, which S3 alone stores.
        """
        document = MadeDocument(f"{kind}/{subject}/{state.hex()}/{hashlib.sha256(content).hexdigest()}")
        attributes = parameters if isinstance(self._store, S3Store) else None
        try:
            obstore.put(self._store, document.key, content, attributes=attributes)
        except _UNAVAILABLE:
            return None
        return document

    def read(self, made: MadeDocument) -> bytes | None:
        """Return the bytes of a document; None if they are gone or damaged, or the store is unavailable."""
        try:
            content = bytes(obstore.get(self._store, made.key).bytes())
        except _UNAVAILABLE:
            return None
        return content if hashlib.sha256(content).hexdigest() == made.sha256 else None

    def address(self, made: MadeDocument, valid_s: float) -> str | None:
        """Return a URL for downloading the document, valid for `valid_s` seconds; None unless it is in S3."""
        if not isinstance(self._store, S3Store):
            return None
        return obstore.sign(self._store, "GET", made.key, timedelta(seconds=valid_s))

    def forget(self, subject: UUID) -> None:
        """Remove all documents of a subject. Raise BaseError or OSError if the store is unavailable."""
        for kind in KINDS:
            for made, _ in self._below(f"{kind}/{subject}", quietly=False):
                self._remove(made)

    def expire(self, now: datetime) -> int:
        """Remove documents that were stored more than `STORED_FOR` before `now`; return their number.

        0 if the store cannot be listed. Raise BaseError or OSError if it becomes unavailable while removing.
        """
        expired = [made for kind in KINDS for made, at in self._below(kind) if at < now - STORED_FOR]
        for made in expired:
            self._remove(made)
        return len(expired)

    def _remove(self, made: MadeDocument) -> None:
        with contextlib.suppress(FileNotFoundError):
            obstore.delete(self._store, made.key)

    def _below(self, prefix: str, *, quietly: bool = True) -> Iterator[tuple[MadeDocument, datetime]]:
        """Yield the documents under a prefix with their times; errors of the store end it if `quietly`."""
        try:
            for batch in obstore.list(self._store, prefix):
                for entry in batch:
                    yield MadeDocument(entry["path"]), entry["last_modified"]
        except _UNAVAILABLE:
            if not quietly:
                raise


def open_made_documents(place: str | None, home: Path) -> MadeDocuments:
    """Return the store of generated documents: `made` in the object store `place`, or else in `home`."""
    if place is not None and place.startswith(REMOTE):
        return MadeDocuments(from_url(f"{place.rstrip('/')}/made", retry_config=_SHORT_RETRY))
    folder = home / "made"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return MadeDocuments(LocalStore(folder, automatic_cleanup=True))
