"""A small virtual machine with emulated NVMe drives: real log pages, real refusals, no data.

QEMU emulates the processor (KVM is not needed), so times in there mean nothing. Needs the Debian packages of
`PROGRAMS`; the kernel comes from the distribution's package, once.
"""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

PROGRAMS = {"qemu-system-x86_64": "qemu-system-x86", "busybox": "busybox-static", "cpio": "cpio"}
"""What has to be installed, with the packages of Debian that have it."""
KERNEL_PACKAGE = "linux-image-cloud-amd64"
BLKID = "/sbin/blkid"
"""The agent asks it before it writes."""
BEGIN, END = "@begin", "@end"
LONGEST_S = 280


def missing_programs() -> list[str]:
    """Return the packages that have to be installed first."""
    return [package for program, package in PROGRAMS.items() if shutil.which(program) is None]


def cache_folder() -> Path:
    """Return where the kernel is stored."""
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "tailroom-nvme-machine"


def kernel() -> Path | None:
    """Return the kernel of an earlier call; None where there is none."""
    return next(iter(sorted(cache_folder().glob("boot/vmlinuz-*"))), None)


def fetch_kernel() -> Path:
    """Return the kernel, from the distribution's package where no earlier call has done so."""
    present = kernel()
    if present is not None:
        return present
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    depends = subprocess.run(
        ["apt-cache", "depends", KERNEL_PACKAGE], capture_output=True, text=True, check=True
    ).stdout
    package = re.search(r"Depends: (linux-image\S+)", depends)
    if package is None:
        raise RuntimeError(f"apt-cache knows no package of {KERNEL_PACKAGE}; apt-get update may help")
    subprocess.run(["apt-get", "download", "-qq", package[1]], cwd=cache, check=True)
    for archive in cache.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", archive, cache], check=True)
        archive.unlink()
    fetched = kernel()
    if fetched is None:
        raise RuntimeError(f"the package {package[1]} holds no kernel")
    return fetched


def run(
    script: str, *, programs: list[Path], drives: int = 2, size: str = "64M", has_divided: bool = False
) -> str:
    """Return what a script prints in a machine with these programs and with drives LAB0001, … The last may be
    divided into two namespaces.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        for name in ("bin", "sbin", "proc", "sys", "dev", "tmp", "run", "etc", "root"):
            (root / name).mkdir(parents=True)
        shutil.copy(shutil.which("busybox") or "busybox", root / "bin" / "busybox")
        for program in programs:
            _copy_program(program, root / "bin" / program.name, root)
        _copy_program(Path(BLKID), root / "sbin" / "blkid", root)
        init = root / "init"
        init.write_text(_INIT.format(script=script, begin=BEGIN, end=END))
        init.chmod(0o755)
        initrd = Path(folder) / "initrd"
        names = "\n".join(str(path.relative_to(root)) for path in root.rglob("*"))
        with initrd.open("wb") as archive:
            subprocess.run(
                ["cpio", "-o", "-H", "newc", "--quiet"],
                cwd=root,
                input=names.encode(),
                stdout=archive,
                check=True,
            )
        return _boot(Path(folder), initrd, [1] * (drives - 1) + [2 if has_divided else 1], size)


_INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin:/sbin HOME=/root
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
ip link set lo up 2>/dev/null
echo 1 > /proc/sys/kernel/printk
echo "{begin}"
( {script}
)
code=$?
echo
echo "{end} $code"
poweroff -f
"""


def _copy_program(program: Path, place: Path, root: Path) -> None:
    shutil.copy(program, place)
    libraries = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    for library in re.findall(r"/\S+", libraries):
        copied = root / library.lstrip("/")
        copied.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, copied)


def _boot(folder: Path, initrd: Path, namespaces: list[int], size: str) -> str:
    """Return what was printed in a machine with drives of so many namespaces."""
    devices: list[str] = []
    for number, count in enumerate(namespaces, 1):
        devices += ["-device", f"nvme,id=c{number},serial=LAB{number:04}"]
        for namespace in range(1, count + 1):
            name = f"d{number}n{namespace}"
            image = folder / f"{name}.img"
            subprocess.run(["truncate", "-s", size, image], check=True)
            devices += ["-drive", f"file={image},if=none,id={name},format=raw,cache=unsafe"]
            devices += ["-device", f"nvme-ns,drive={name},bus=c{number},nsid={namespace}"]
    done = subprocess.run(
        [
            *("qemu-system-x86_64", "-machine", "q35,accel=tcg", "-cpu", "max", "-m", "1024", "-smp", "2"),
            *("-nographic", "-no-reboot", "-nic", "none", "-kernel", str(fetch_kernel())),
            *("-initrd", str(initrd), "-append", "console=ttyS0 quiet panic=1", *devices),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=LONGEST_S,
        check=False,
    )
    printed = done.stdout.replace("\r", "")
    match = re.search(rf"{BEGIN}\n(.*?)^{END} (\d+)$", printed, re.DOTALL | re.MULTILINE)
    if match is None:
        raise RuntimeError(f"the machine did not reach its end: {printed[-2000:]}{done.stderr[-500:]}")
    if match[2] != "0":
        raise RuntimeError(f"the script ended with {match[2]}: {match[1][-3000:]}")
    return match[1]
