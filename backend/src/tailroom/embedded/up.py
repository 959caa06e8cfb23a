"""`tailroom up`: start Tailroom on this machine, measure it once, and print the verdicts.

The first start measures, later ones only with `--measure yes`. If nothing is measured and there is no run,
the simulated example is uploaded, so that the first page is not empty. Ctrl-C ends every process within five
seconds; a second Ctrl-C ends them at once.
"""

import os
import signal
import threading
import time
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tailroom.embedded.console import Console, duration
from tailroom.embedded.private_file import write_private
from tailroom.embedded.process import ProcessError, SettingUnusable
from tailroom.embedded.words import STRENGTHS, verdict_lines
from tailroom.kit.exit_codes import ExitCode

if TYPE_CHECKING:
    from tailroom.embedded.measurement import AgentRun, Measurement
    from tailroom.embedded.product import Product

ROOT = Path(__file__).resolve().parents[4]
AGENT_BUILD_LOG = ROOT / ".tailroom" / "log" / "agent-build.log"
STARTED_VARIABLE = "TAILROOM_UP_STARTED"
AGENT_BUILD_VARIABLE = "TAILROOM_AGENT_BUILD"
"""Variable with the ID of the process that builds the agent, if `make up` began one."""
_INTERRUPTED = 130
_LOG_CHARACTERS = 4_000
_REFERENCE = "tailroom.cli.reference"
_PEOPLE = "tailroom.cli.people"
"""Modules for `Product`, imported late because they need SQLAlchemy."""
_LIVE_LINK = "watch it live"


class Measure(StrEnum):
    """Values of the option `--measure`."""

    AUTO = "auto"
    YES = "yes"
    NO = "no"


class _StopRequested(BaseException):
    """Raised by the first signal to stop: Ctrl-C, the end of the terminal, or a request to end."""


def up(
    measure: Annotated[
        Measure, typer.Option(help="auto: only when this machine has no finished run yet.")
    ] = Measure.AUTO,
    exit_after_measure: Annotated[
        bool, typer.Option("--exit-after-measure", help="Stop the product after the measurement.")
    ] = False,
    seconds: Annotated[int, typer.Option(min=1, max=86_400, help="Duration of each of the two runs.")] = 30,
    engine: Annotated[
        str, typer.Option(help="How the device is read: auto, io_uring, sync, or null (no device).")
    ] = "auto",
    keys: Annotated[int, typer.Option(min=1, help="Keys loaded for the fraud run.")] = 100_000,
    *,
    example: Annotated[
        bool, typer.Option("--example/--no-example", help="A simulated day where there is no run yet.")
    ] = True,
) -> None:
    """Start everything on this machine, measure it, show the verdicts."""
    from tailroom.embedded.local_api import ApiUnavailable
    from tailroom.embedded.measurement import Measurement
    from tailroom.embedded.product import Product
    from tailroom.kit.settings import read_settings

    console = Console()
    try:
        product = Product(read_settings(), console, _REFERENCE, _PEOPLE)
        measurement = Measurement(duration_s=seconds, engine=engine, keys=keys)
    except (ProcessError, ValueError) as error:
        console.line(f"Tailroom cannot start: {error}")
        raise typer.Exit(ExitCode.UNUSABLE) from None
    stop_on_signals(product)
    code = 0
    try:
        code = _run(product, measure, measurement, example=example, stay=not exit_after_measure)
    except (ProcessError, ApiUnavailable, TimeoutError) as error:
        console.live("")
        console.line(f"\nTailroom cannot go on: {error}")
        code = ExitCode.UNUSABLE if isinstance(error, SettingUnusable) else ExitCode.FAULT
    except _StopRequested:
        code = 0 if not exit_after_measure else _INTERRUPTED
    console.live("")
    started = time.monotonic()
    product.stop()
    console.line(
        f"stopped in {duration(time.monotonic() - started)}; the data stays in {product.folders.home}"
    )
    raise typer.Exit(code)


def stop_on_signals(product: "Product") -> None:
    """Make the first signal raise _StopRequested, and the second kill all processes and exit at once."""
    requested = threading.Event()

    def handle(_number: int, _frame: FrameType | None) -> None:
        if requested.is_set():
            product.supervisor.kill()
            os._exit(_INTERRUPTED)
        requested.set()
        raise _StopRequested

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, handle)


def _run(
    product: "Product", measure: Measure, measurement: "Measurement", *, example: bool, stay: bool
) -> int:
    """Start Tailroom, deliver what an earlier agent left, and measure as `measure` selects.

    With `example`, upload the example runs. With `stay`, wait until a signal raises; else return the exit
    code: 0 if the measurement succeeded and is delivered, else 1. Without a measurement it is 0 if all that
    an earlier agent left is delivered.
    """
    from tailroom.embedded.measurement import drain

    console = product.console
    console.heading("Tailroom: starting")
    product.start()
    console.line(
        f"\n  Tailroom runs at {console.bold(product.api.origin)} ({_since_start()} after the start)\n"
    )
    console.line("  Open it as its owner: this link works once, within ten minutes.")
    console.line(f"  {console.bold(product.owner_link())}\n")
    has_example = False
    if os.environ.get(AGENT_BUILD_VARIABLE):
        if example and not _has_runs(product):
            _upload_example(product)
            has_example = True
        await_agent(console)
    agent = _agent_path()
    succeeded = drain(product, agent)
    if not succeeded:
        console.line("  An earlier measurement is not delivered yet; see the agent's log.")
    if measure is Measure.YES or (measure is Measure.AUTO and not _has_finished_runs(product)):
        succeeded = _measure(product, agent, measurement)
        if example and not has_example:
            _upload_example(product)
    elif measure is Measure.AUTO:
        console.line("  This machine was measured before; measure it again with `make up MEASURE=yes`.")
    elif example and not _has_runs(product):
        _upload_example(product)
    if not stay:
        return 0 if succeeded else 1
    console.line(f"\n  {product.api.origin} stays up until Ctrl-C.")
    while True:
        signal.pause()


def _measure(product: "Product", agent: Path, measurement: "Measurement") -> bool:
    """Make both runs, also if one fails, and print the verdicts; return whether both were delivered."""
    from tailroom.embedded.machine_checks import check_measure_folder
    from tailroom.embedded.measurement import AgentRun, device_run, fraud_run
    from tailroom.embedded.valkey import EmbeddedValkey

    console = product.console
    runs = []
    succeeded, is_judged = True, False
    try:
        folder = check_measure_folder(_measure_folder(product))
        runs.append(_measure_run(product, AgentRun(product, agent, device_run(measurement, folder))))
    except ProcessError as error:
        succeeded = False
        console.line(f"  The device was not measured: {error}")
    try:
        with EmbeddedValkey.start_throw_away(product.folders.log / "valkey-measured.log") as valkey:
            password_file = product.folders.measure / "valkey.password"
            write_private(password_file, valkey.password or "")
            planned = fraud_run(measurement, valkey, password_file)
            runs.append(_measure_run(product, AgentRun(product, agent, planned)))
    except ProcessError as error:
        succeeded = False
        console.line(f"  The fraud check was not measured: {error}")
    for run, delivered in runs:
        if not delivered:
            succeeded = False
            console.line(f"  Not everything of {run.link} is delivered; the next `make up` sends the rest.")
            continue
        _print_verdicts(console, run, run.verdicts())
        is_judged = True
    if is_judged:
        console.line(f"\n  {STRENGTHS}")
    return succeeded


def _measure_run(product: "Product", run: "AgentRun") -> "tuple[AgentRun, bool]":
    console = product.console

    def announced() -> None:
        console.line(f"  {console.bold(run.link)}  {_LIVE_LINK} ({_since_start()} after the start)")

    console.line(f"  {run.title}")
    return run, run.measure(announced)


def _print_verdicts(console: Console, run: "AgentRun", detail: dict[str, Any]) -> None:
    console.line()
    console.heading(f"  {detail['title']}")
    # The page has every question; the terminal ends with the answer of each run.
    for line in verdict_lines(detail["verdicts"][0], console):
        console.line(f"  {line}")
    console.line(f"    {run.link}")


def _upload_example(product: "Product") -> None:
    """Upload the simulated day, and print its link or why it is missing; not during a measurement."""
    from tailroom.embedded.local_api import ApiUnavailable

    # Imported only now: starting does not wait for numpy.
    example = import_module("tailroom.embedded.example")
    try:
        sent = product.api.upload(example.FILE_NAME, example.result_file())
    except (ApiUnavailable, TimeoutError) as error:
        product.console.line(f"  The simulated example is missing: {error}")
        return
    for run in sent["runs"]:
        product.console.line(f"\n  A simulated day, as an example: {product.api.origin}/runs/{run['run_id']}")


def _has_runs(product: "Product") -> bool:
    return bool(product.api.get("/api/v1/runs?scope=mine&limit=1")["runs"])


def _has_finished_runs(product: "Product") -> bool:
    """Return whether an agent's run is among the 200 newest finished runs; uploads do not count."""
    runs = product.api.get("/api/v1/runs?state=finished&scope=mine&limit=200")["runs"]
    return any(run["source"] == "agent" for run in runs)


def _measure_folder(product: "Product") -> Path:
    folder = os.environ.get("TAILROOM_MEASURE_DIR")
    return Path(folder).resolve() if folder else product.folders.measure


def await_agent(console: Console) -> None:
    """Wait until the process of `make up` has built the agent. Raise ProcessError if the build failed."""
    process_id = int(os.environ[AGENT_BUILD_VARIABLE])
    try:
        with console.step("agent (release build)"):
            _, status = os.waitpid(process_id, 0)
            if os.waitstatus_to_exitcode(status) != 0:
                raise ProcessError(f"the agent could not be built; {_build_log()}")
    except _StopRequested:
        os.kill(process_id, signal.SIGTERM)
        raise


def _build_log() -> str:
    if not AGENT_BUILD_LOG.exists():
        return f"there is no log at {AGENT_BUILD_LOG}"
    return f"the end of its log:\n{AGENT_BUILD_LOG.read_text(errors='replace')[-_LOG_CHARACTERS:]}"


def _agent_path() -> Path:
    path = Path(os.environ.get("TAILROOM_AGENT", ROOT / "target" / "release" / "tailroom-agent"))
    if not path.is_file():
        raise ProcessError(f"there is no agent at {path}: start with `make up`, which builds it")
    return path


def _since_start() -> str:
    """Return the time since `make up` was started, or else since this command was, as text."""
    started = os.environ.get(STARTED_VARIABLE)
    return duration(time.monotonic() - (float(started) if started else _PROCESS_STARTED))


_PROCESS_STARTED = time.monotonic()
