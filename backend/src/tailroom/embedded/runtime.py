"""Where the sockets of embedded services live, and which user they run as.

A Unix socket path may have at most 107 bytes, so sockets never live inside the checkout but in a short,
new folder of their own, removed when the service ends.

PostgreSQL refuses to run as root. Started by root, services run as `nobody`, without adding a user and
without opening a parent folder to anyone: the service reaches its data and its socket folder through
inherited directory descriptors (`/proc/self/fd/N`), which need no search permission on the folders above,
and its programs are copied into the short folder, because a checkout below a private home cannot be
executed from.
"""

import importlib.util
import os
import pwd
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from tailroom.embedded.process import Identity, ProcessError

_UNPRIVILEGED_USER = "nobody"
_PREFIX = "tailroom-"
_LONGEST_FOLDER_BYTES = 60
SOCKET_PATH_LIMIT_BYTES = 107


def service_identity() -> Identity | None:
    """The user services must run as: `nobody` when we are root, otherwise None (our own user)."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam(_UNPRIVILEGED_USER)
    except KeyError:
        raise ProcessError(
            "PostgreSQL does not run as root and this machine has no user 'nobody': run as a normal user"
        ) from None
    return Identity(entry.pw_uid, entry.pw_gid)


def short_folder(accept: Callable[[Path], bool] = lambda _path: True) -> Path:
    """Make a new folder with a short path for sockets (and, as root, for copied programs).

    `accept` may refuse a candidate, for instance because its file system forbids execution.

    Raises:
        ProcessError: none of the usual places for temporary files will do.
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
    """Make `path` a private folder of `identity` (ours when None) and return a descriptor of it."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    if identity is not None and os.fstat(descriptor).st_uid != identity.uid:
        give_tree(path, identity)
    os.fchmod(descriptor, 0o700)
    return descriptor


def give_tree(path: Path, identity: Identity) -> None:
    """Give a folder and all in it to `identity`; needed once, when a checkout changed hands to root."""
    os.chown(path, identity.uid, identity.gid)
    for folder, names, files in os.walk(path):
        for name in (*names, *files):
            os.lchown(os.path.join(folder, name), identity.uid, identity.gid)  # noqa: PTH118 - hot and plain


def package_folder(name: str) -> Path:
    """The folder of an installed package, found without running the package's own code."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise ProcessError(
            f"the package {name} is not installed: run `make up` again to install what is missing"
        )
    return Path(spec.origin).parent


def descriptor_path(descriptor: int) -> str:
    """The path by which a process that inherited `descriptor` reaches it, whatever lies above the folder."""
    return f"/proc/self/fd/{descriptor}"
