"""`tailroom serve`: the API and the pages, in one process or several behind one port."""

import os
import shutil
import tempfile
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

import typer

from tailroom.api.sockets import sockets_of
from tailroom.cli.terminal import stop
from tailroom.kit.exit_codes import ExitCode
from tailroom.kit.memory import gc_paused
from tailroom.kit.settings import get_settings

_COUNTERS_PREFIX = "tailroom-metrics-"


def serve(
    host: Annotated[str | None, typer.Option(help="address to listen on; default TAILROOM_HOST")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="port; default TAILROOM_PORT")] = None,
    processes: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="processes behind the port; default TAILROOM_API_PROCESSES"),
    ] = None,
) -> None:
    """Serve the API and the pages until it is asked to stop."""
    settings = get_settings()
    address = settings.host if host is None else host
    number = settings.port if port is None else port
    count = settings.api_process_count if processes is None else processes
    if settings.local_access and not is_loopback(address):
        stop(
            f"TAILROOM_LOCAL_ACCESS lets everybody who reaches {address} read without a token; it is for this"
            " machine alone. Listen on 127.0.0.1, or unset it and make tokens with `tailroom token create`."
        )
    try:
        sockets = sockets_of(address, number, count)
    except OSError as error:
        stop(
            f"Port {number} of {address} cannot be used ({error.strerror}): stop what uses it, or set"
            " TAILROOM_PORT or TAILROOM_HOST to another.",
            ExitCode.FAULT,
        )
    if count == 1:
        with gc_paused():
            from tailroom.api.server import run

        run(settings, address, number, sockets)
        return
    _remove_stale_counters()
    with tempfile.TemporaryDirectory(prefix=f"{_COUNTERS_PREFIX}{os.getpid()}-") as folder:
        # Folder of the shared counters; prometheus_client reads the variable when it is imported.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        with gc_paused():
            from tailroom.api.processes import run_several

        code = run_several(settings, address, number, sockets)
    raise typer.Exit(code)


def _remove_stale_counters() -> None:
    """Remove the folders of shared counters that killed processes left."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_COUNTERS_PREFIX}*"):
        pid = folder.name.removeprefix(_COUNTERS_PREFIX).partition("-")[0]
        if pid.isdecimal() and not Path("/proc", pid).exists():
            shutil.rmtree(folder, ignore_errors=True)


def is_loopback(address: str) -> bool:
    """Return whether only this machine can reach the address; False for other names than `localhost`."""
    if address == "localhost":
        return True
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
