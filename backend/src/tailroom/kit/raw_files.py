"""Store of uploaded files, unchanged, under the SHA-256 of their bytes.

An arriving file is written to a staging file and then stored: it is on disk before the upload is
acknowledged. Storing the same bytes again changes nothing. Reading compares the bytes with their SHA-256 and
raises an error before the last chunk if they differ. The database has the owners of the files.

The local folder uses plain system calls, because only those guarantee that the bytes are on disk;
S3-compatible stores use obstore (docs/adr/0011).
"""

import contextlib
import fcntl
import hashlib
import os
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO
from uuid import uuid4

import obstore
from obstore.exceptions import BaseError
from obstore.store import ObjectStore, S3Store, from_url

if TYPE_CHECKING:
    from obstore import BytesStream

CHUNK_BYTES = 1 << 20
SWEEP_EVERY_S = 1800.0
_LEFT_AFTER_S = 1800.0
LEFT_AT_MOST_S = SWEEP_EVERY_S + _LEFT_AFTER_S
"""Longest time until a staging file of a killed process is removed: an hour."""
_PRIVATE_FOLDER, _PRIVATE_FILE = 0o700, 0o600
REMOTE = ("s3://", "s3a://", "https://", "memory:///")
"""Prefixes of addresses of object stores; every other address is a local folder."""


class RawFileMissing(Exception):
    """The store has no file of this content."""


class RawFilesUnavailable(Exception):
    """The store cannot be written or read now: the disk is full, the service is away."""


class RawFileDamaged(RawFilesUnavailable):
    """The stored bytes differ from those that were accepted."""


class StagedFile:
    """A file that is arriving, at `path`: hashed and counted while it is written.

    It is locked until `discard`, which shows other processes that it is still needed. Raise
    RawFilesUnavailable if it cannot be created.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size_bytes = 0
        self._digest = hashlib.sha256()
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE)
        except OSError as error:
            raise RawFilesUnavailable(f"no file can be made: {error.strerror}") from error
        self._lock = os.fdopen(os.dup(descriptor), "wb")
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        self._out = os.fdopen(descriptor, "wb", buffering=CHUNK_BYTES)

    def write(self, chunk: bytes | memoryview) -> None:
        """Append a chunk, and count and hash it. Raise RawFilesUnavailable if it cannot be written."""
        self._digest.update(chunk)
        self.size_bytes += len(chunk)
        try:
            self._out.write(chunk)
        except OSError as error:
            raise RawFilesUnavailable(f"the file cannot be written: {error.strerror}") from error

    @property
    def sha256(self) -> bytes:
        """SHA-256 of all chunks written so far, 32 bytes."""
        return self._digest.digest()

    def complete(self) -> None:
        """Sync the file to disk and close it, if open. Raise RawFilesUnavailable if that fails."""
        if self._out.closed:
            return
        try:
            self._out.flush()
            os.fsync(self._out.fileno())
            self._out.close()
        except OSError as error:
            raise RawFilesUnavailable(f"the file cannot be written: {error.strerror}") from error

    def discard(self) -> None:
        """Close and unlock the file, and remove it from `path`, unless it was moved from there."""
        with contextlib.suppress(OSError):
            self._out.close()
        self.path.unlink(missing_ok=True)
        self._lock.close()

    def __enter__(self) -> "StagedFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()


class RawFiles(ABC):
    """Store of raw files, by SHA-256; arriving files are in the local folder `incoming`. Thread-safe."""

    def __init__(self, incoming: Path) -> None:
        self._incoming = incoming

    def stage(self) -> StagedFile:
        """Create an empty file in `incoming` and return it. Raise RawFilesUnavailable if that fails."""
        try:
            _make_folder(self._incoming.parent)
            _make_folder(self._incoming)
        except OSError as error:
            raise RawFilesUnavailable(f"{self._incoming.name} cannot be used: {error.strerror}") from error
        return StagedFile(self._incoming / uuid4().hex)

    def sweep(self) -> int:
        """Remove staging files that killed processes left, 30 minutes old or more; return their number."""
        removed, oldest = 0, time.time() - _LEFT_AFTER_S
        for path in self._incoming.iterdir() if self._incoming.is_dir() else ():
            with contextlib.suppress(OSError), path.open("rb") as file:
                if path.stat().st_mtime < oldest:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    path.unlink()
                    removed += 1
        return removed

    @abstractmethod
    def store(self, staged: StagedFile) -> Path:
        """Store a staged file under its SHA-256, unless that is stored already.

        Return a path to its bytes, valid at least until the staged file is discarded. Raise
        RawFilesUnavailable if the store cannot be written.
        """

    @abstractmethod
    def chunks(self, sha256: bytes) -> Iterator[bytes]:
        """Yield the bytes of a file, by SHA-256, in chunks.

        Raise RawFileMissing at the call if it is not stored, RawFilesUnavailable if the store cannot be read,
        and RawFileDamaged instead of the last chunk if the bytes have another SHA-256.
        """

    def address(self, sha256: bytes, valid_s: float) -> str | None:  # noqa: ARG002 - S3 has one
        """Return a URL for downloading the file, valid for `valid_s` seconds; None unless the store is S3."""
        return None

    @abstractmethod
    def on_disk(self, sha256: bytes) -> contextlib.AbstractContextManager[Path]:
        """Return a context with a path of the file on this machine, which is valid within the context.

        Raise RawFileMissing if it is not stored, RawFilesUnavailable if the store cannot be read. Wrong bytes
        raise RawFileDamaged only if the file has to be copied.
        """

    @abstractmethod
    def has(self, sha256: bytes) -> bool:
        """Return whether the file is stored. Raise RawFilesUnavailable if a remote store does not answer."""

    @abstractmethod
    def remove(self, sha256: bytes) -> None:
        """Remove a file; no error if it is not stored. Raise RawFilesUnavailable if that fails."""


def open_raw_files(place: str | None, home: Path) -> RawFiles:
    """Return the store in a folder or at an address such as `s3://bucket/prefix`.

    None: the folder `raw-files` in `home`. Credentials and the address of an S3-compatible service come from
    the usual `AWS_…` variables.
    """
    if place is not None and place.startswith(REMOTE):
        return ObjectRawFiles(from_url(place), home / "raw-files-arriving")
    return LocalRawFiles(home / "raw-files" if place is None else Path(place))


class LocalRawFiles(RawFiles):
    """Store in the folder `root`: `ab/ab12…` for each file, `incoming` for files that are arriving."""

    def __init__(self, root: Path) -> None:
        super().__init__(root / "incoming")
        self._root = root

    def store(self, staged: StagedFile) -> Path:
        """Move the staged file to its place, unless the same bytes are stored; return that place."""
        staged.complete()
        path = self._path(staged.sha256)
        try:
            if not path.exists():
                _make_folder(path.parent)
                # A name determines the content, so a second writer replaces it by the same bytes.
                staged.path.replace(path)
            for folder in (path.parent, self._root):
                _sync_folder(folder)
        except OSError as error:
            raise RawFilesUnavailable(f"the file cannot be stored: {error.strerror}") from error
        return path

    def chunks(self, sha256: bytes) -> Iterator[bytes]:
        """Yield the bytes of the file in the folder."""
        try:
            stream = self._path(sha256).open("rb")
        except FileNotFoundError:
            raise _missing(sha256) from None
        except OSError as error:
            raise RawFilesUnavailable(f"the file cannot be read: {error.strerror}") from error
        return _verify_chunks(_local_chunks(stream), sha256)

    @contextlib.contextmanager
    def on_disk(self, sha256: bytes) -> Iterator[Path]:
        """Yield the path of the stored file itself; its bytes are not compared with the hash."""
        if not self.has(sha256):
            raise _missing(sha256)
        yield self._path(sha256)

    def has(self, sha256: bytes) -> bool:
        """Return whether the folder has a file of this hash."""
        return self._path(sha256).is_file()

    def remove(self, sha256: bytes) -> None:
        """Remove the file from the folder."""
        try:
            self._path(sha256).unlink(missing_ok=True)
        except OSError as error:
            raise RawFilesUnavailable(f"the file cannot be removed: {error.strerror}") from error

    def _path(self, sha256: bytes) -> Path:
        return self._root / _key(sha256)


class ObjectRawFiles(RawFiles):
    """Store in an object store. The key is the hash of the whole file, so it is staged locally first."""

    def __init__(self, store: ObjectStore, incoming: Path) -> None:
        super().__init__(incoming)
        self._store = store

    def store(self, staged: StagedFile) -> Path:
        """Copy the staged file to the object store, unless it is there; return the path of the local file."""
        staged.complete()
        if not self.has(staged.sha256):
            with _translate_store_errors("the object store refused the file"):
                obstore.put(self._store, _key(staged.sha256), staged.path)
        return staged.path

    def chunks(self, sha256: bytes) -> Iterator[bytes]:
        """Yield the bytes of the file in the object store."""
        try:
            with _translate_store_errors("the object store does not answer"):
                content = obstore.get(self._store, _key(sha256))
        except FileNotFoundError:
            raise _missing(sha256) from None
        return _verify_chunks(_remote_chunks(content.stream(min_chunk_size=CHUNK_BYTES)), sha256)

    def address(self, sha256: bytes, valid_s: float) -> str | None:
        """Return a signed URL, valid for `valid_s` seconds; None unless the store is S3."""
        if not isinstance(self._store, S3Store):
            return None
        return obstore.sign(self._store, "GET", _key(sha256), timedelta(seconds=valid_s))

    @contextlib.contextmanager
    def on_disk(self, sha256: bytes) -> Iterator[Path]:
        """Yield the path of a local copy, which is removed after the context."""
        chunks = self.chunks(sha256)
        with self.stage() as copy:
            for chunk in chunks:
                copy.write(chunk)
            copy.complete()
            yield copy.path

    def has(self, sha256: bytes) -> bool:
        """Return whether the object store has a file of this hash."""
        try:
            with _translate_store_errors("the object store does not answer"):
                obstore.head(self._store, _key(sha256))
        except FileNotFoundError:
            return False
        return True

    def remove(self, sha256: bytes) -> None:
        """Remove the file from the object store."""
        with (
            contextlib.suppress(FileNotFoundError),
            _translate_store_errors("the object store does not answer"),
        ):
            obstore.delete(self._store, _key(sha256))


def _missing(sha256: bytes) -> RawFileMissing:
    return RawFileMissing(f"no file of SHA-256 {sha256.hex()} is stored")


@contextlib.contextmanager
def _translate_store_errors(reason: str) -> Iterator[None]:
    """Turn errors of the object store into RawFilesUnavailable, except a missing file (FileNotFoundError)."""
    try:
        yield
    except BaseError as error:
        text = str(error).partition("\n")[0][:300]
        raise RawFilesUnavailable(f"{reason}: {text}") from error


def _key(sha256: bytes) -> str:
    """Return the name of a file in the store: `ab/ab12…`, from its SHA-256."""
    name = sha256.hex()
    return f"{name[:2]}/{name}"


def _make_folder(folder: Path) -> None:
    """Create a private folder and its parents if it is missing, and sync its name to disk."""
    if not folder.is_dir():
        folder.mkdir(mode=_PRIVATE_FOLDER, parents=True, exist_ok=True)
        _sync_folder(folder.parent)


def _sync_folder(folder: Path) -> None:
    """Sync a folder to disk: a new file name is durable only when its folder is."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _verify_chunks(chunks: Iterator[bytes], sha256: bytes) -> Iterator[bytes]:
    """Yield the chunks. Raise RawFileDamaged instead of the last if all bytes have another SHA-256."""
    digest, last = hashlib.sha256(), b""
    for chunk in chunks:
        if last:
            yield last
        digest.update(chunk)
        last = chunk
    if digest.digest() != sha256:
        raise RawFileDamaged(f"the stored file {sha256.hex()} is damaged: its bytes have another SHA-256")
    if last:
        yield last


def _remote_chunks(stream: "BytesStream") -> Iterator[bytes]:
    """Yield the chunks of a file in the object store. Raise RawFilesUnavailable if it stops answering."""
    with _translate_store_errors("the object store stopped answering"):
        for chunk in stream:
            yield bytes(chunk)


def _local_chunks(stream: BinaryIO) -> Iterator[bytes]:
    with stream:
        while chunk := stream.read(CHUNK_BYTES):
            yield chunk
