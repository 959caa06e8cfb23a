"""Debian packages that some tests need.

They provide tools for file systems, volumes and encryption, a clock that can be set for one process, and
libraries that print PDFs. As a script, install missing packages as root on a system with apt-get, unless
TAILROOM_TEST_TOOLS is `no`. The script never fails: a test without its tool is skipped and names it. Standard
library only.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

PACKAGES: Mapping[str, str] = {
    "mkfs.xfs": "xfsprogs",
    "mkfs.btrfs": "btrfs-progs",
    "mkfs.vfat": "dosfstools",
    "pvcreate": "lvm2",
    "cryptsetup": "cryptsetup-bin",
    "faketime": "faketime",
}
"""Package of each program."""

LIBRARIES: Mapping[str, str] = {
    "libpangoft2-1.0.so.0": "libpangoft2-1.0-0",
    "libharfbuzz-subset.so.0": "libharfbuzz-subset0",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf": "fonts-dejavu-core",
}
"""Package of each library or file that the renderer of reports loads."""

SWITCH = "TAILROOM_TEST_TOOLS"
_PATH = os.pathsep.join(["/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin"])
"""The PATH of users other than root often lacks the folders of such tools."""


def is_there(name: str) -> bool:
    """Return whether a library can be loaded, or a file with this path exists."""
    if name.startswith("/"):
        return Path(name).exists()
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def missing_packages(path: str = _PATH, has: Callable[[str], bool] = is_there) -> list[str]:
    """Return the packages whose program (searched in `path`), library or file is missing.

    `has`: whether a library or file is there.
    """
    programs = [package for program, package in PACKAGES.items() if shutil.which(program, path=path) is None]
    return programs + [package for name, package in LIBRARIES.items() if not has(name)]


def obstacle(environment: Mapping[str, str], user_id: int, apt_get: str | None) -> str | None:
    """Return the reason why nothing can be installed here; None if there is none.

    `apt_get`: path of apt-get, None without one.
    """
    if environment.get(SWITCH) == "no":
        return f"{SWITCH} is no"
    if user_id != 0:
        return "only root may install packages"
    if apt_get is None:
        return "there is no apt-get"
    return None


def main() -> int:
    """Install missing packages if possible; always return 0."""
    packages = missing_packages()
    if not packages:
        print("everything is there")
        return 0
    apt_get = shutil.which("apt-get", path=_PATH)
    why = obstacle(os.environ, os.geteuid(), apt_get)
    if why is None and apt_get is not None:
        patient = [apt_get, "-q", "-o", "DPkg::Lock::Timeout=120"]
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "PATH": _PATH}
        for command in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
            subprocess.run([*patient, *command], env=environment, stdin=subprocess.DEVNULL, check=False)  # noqa: S603
        packages = missing_packages()
        why = "see above"
    if packages:
        print(f"not installed: {', '.join(packages)} ({why}); the tests that need them skip")
    return 0


def script() -> str:
    """Return the path of this file."""
    return str(Path(__file__).resolve())


if __name__ == "__main__":
    sys.exit(main())
