"""Folders of the sockets of embedded services, and the users they run as.

A Unix socket path may have at most 107 bytes, so sockets are in a short temporary folder outside the
checkout, removed when the service ends.

PostgreSQL refuses to run as root. Started by root, each service runs under a user id that no account and no
process has, so that other programs can neither enter its folders nor inspect its processes. It reaches its
data through inherited directory descriptors (`/proc/self/fd/N`), which need no permission on the folders
above, and its programs are copied into the short folder (ADR 3).
"""

import contextlib
import grp
import importlib.util
import os
import pwd
import secrets
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from tailroom.embedded.process import Identity, ProcessError

_UNUSED_IDS = range(61_184, 65_520)
"""Ids set aside for users that exist only while a service runs (systemd's `DynamicUser=`)."""
_QUIET_ACCOUNTS = ("games", "news", "uucp", "bin", "sys", "nobody")
"""Accounts of every Linux that run no processes; the last is used only if there is no other."""
_PREFIX = "tailroom-"
_LONGEST_FOLDER_BYTES = 60


def service_identity(data_path: Path | None = None) -> Identity | None:
    """Return the user that a service must run as: an unused user id for root, None for any other user.

    The owner of `data_path` is used again if it is such an id, so its files keep their owner. Raise
    ProcessError if no user id is free, as in some containers.
    """
    if os.geteuid() != 0:
        return None
    used = _used_ids()
    # A random start: two services that start at the same moment must not choose the same id.
    offset = secrets.randbelow(len(_UNUSED_IDS))
    candidates = [*_UNUSED_IDS[offset:], *_UNUSED_IDS[:offset]]
    with contextlib.suppress(OSError):
        if data_path is not None and (owner := data_path.stat().st_uid) in _UNUSED_IDS:
            candidates.insert(0, owner)
    for number in candidates:
        if number not in used and _is_mapped(number, "uid") and _is_mapped(number, "gid"):
            return Identity(number, number)
    raise ProcessError(
        "PostgreSQL does not run as root, and this container has no unused user number between "
        f"{_UNUSED_IDS[0]} and {_UNUSED_IDS[-1]}: run as a normal user"
    )


def named_account() -> Identity | None:
    """Return the ids of the first of `_QUIET_ACCOUNTS` without processes, else of the last; None if not root.

    For `initdb`, which needs a user with a name. Raise ProcessError if none of these accounts exists.
    """
    if os.geteuid() != 0:
        return None
    busy = _ids_of_processes()
    account = None
    for name in _QUIET_ACCOUNTS:
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            account = Identity(entry.pw_uid, entry.pw_gid)
            if entry.pw_uid not in busy:
                return account
    if account is None:
        raise ProcessError(
            "PostgreSQL does not run as root and this machine has no user 'nobody': run as a normal user"
        )
    return account


def _used_ids() -> set[int]:
    accounts = {number for entry in pwd.getpwall() for number in (entry.pw_uid, entry.pw_gid)}
    return accounts | {group.gr_gid for group in grp.getgrall()} | _ids_of_processes()


def _ids_of_processes() -> set[int]:
    """Return the user ids (real, effective, saved, file system) of all readable processes."""
    numbers: set[int] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            # The owner of the folder is root for a process that may not be looked into.
            status = (folder / "status").read_text()
            numbers.update(int(number) for number in status.partition("\nUid:")[2].split("\n")[0].split())
    return numbers


def _is_mapped(number: int, kind: str) -> bool:
    """Return whether this user namespace has the user or group id; `kind` is `uid` or `gid`."""
    rows = Path(f"/proc/self/{kind}_map").read_text().splitlines()
    starts = [(int(first), int(count)) for first, _outside, count in (row.split() for row in rows)]
    return any(first <= number < first + count for first, count in starts)


def short_folder(accept: Callable[[Path], bool] = lambda _path: True) -> Path:
    """Make and return a new folder with a short path for sockets (and, as root, for copied programs).

    A folder for which `accept` returns False is removed, and the next parent is tried: the folder for
    temporary files, then `/tmp`, `/var/tmp`, `/dev/shm`. Raise ProcessError if all fail.
    """
    tried = []
    for parent in dict.fromkeys([tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm"]):  # noqa: S108 - mkdtemp
        if len(os.fsencode(parent)) > _LONGEST_FOLDER_BYTES:
            continue
        try:
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        except OSError as error:
            tried.append(f"{parent} ({error.strerror})")
            continue
        if accept(folder):
            return folder
        tried.append(f"{parent} (programs cannot be executed there)")
        shutil.rmtree(folder)
    raise ProcessError(
        "no short folder for the sockets of PostgreSQL and Valkey: set TMPDIR to a writable folder with a "
        f"path of at most {_LONGEST_FOLDER_BYTES} bytes that allows programs to run; "
        f"tried {', '.join(tried) or 'none'}"
    )


def open_folder(path: Path, identity: Identity | None) -> int:
    """Make `path` a private folder of `identity` (None: ours) and return an open descriptor of it.

    If the folder has another owner, all in it is given to `identity`.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    if identity is not None and os.fstat(descriptor).st_uid != identity.uid:
        give_tree(path, identity)
    os.fchmod(descriptor, 0o700)
    return descriptor


def give_tree(path: Path, identity: Identity) -> None:
    """Change the owner of a folder and all in it to `identity`."""
    os.chown(path, identity.uid, identity.gid)
    for folder, names, files in os.walk(path):
        for name in (*names, *files):
            os.lchown(os.path.join(folder, name), identity.uid, identity.gid)  # noqa: PTH118 - hot and plain


def configuration_file(name: str, text: str) -> int:
    """Return the descriptor of a new file in memory with this text, for processes that inherit it."""
    descriptor = os.memfd_create(name)
    os.write(descriptor, text.encode())
    os.fchmod(descriptor, 0o444)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it. Raise ProcessError if not installed."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise ProcessError(
            f"the package {name} is not installed: run `make up` again to install what is missing"
        )
    return Path(spec.origin).parent


def descriptor_path(descriptor: int) -> str:
    """Return the path by which a process that inherited `descriptor` reaches the file or folder."""
    return f"/proc/self/fd/{descriptor}"
