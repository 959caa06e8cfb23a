"""compose.cluster.yml for real: four API processes, workers of four hosts, three servers of the broker with
their sentinels, files in moto's object storage.
"""

import json
import secrets
import time
import urllib.request
from collections.abc import Callable
from typing import TYPE_CHECKING

from backend.deploy.deployment import Deployment
from backend.deploy.steps import TrialFailed, run, step

if TYPE_CHECKING:
    from backend.tests.kit.s3_server import Holds

# Addresses in here are our own.
# ruff: noqa: S310

FILES = "docker-compose.yml:compose.cluster.yml"
SCALE = {"api": 4, "worker": 4, "background": 2, "beat": 2}
SERVICES = (
    *("database", "broker", "broker-replica-1", "broker-replica-2", "sentinel-1", "sentinel-2", "sentinel-3"),
    *(*SCALE, "web"),
)
FILE = b'{"fio version": "fio-3.36", "jobs": []}\n'
_NEW_MASTER_WITHIN_S = 60.0
Measure = Callable[[str], str]


def many_of_everything(
    deployment: Deployment, measure: Measure, verdicts: Callable[[str, str], object]
) -> None:
    """`measure` lets an agent send with a token and returns the run's id; `verdicts` waits for its end, with
    the token of a reader.
    """
    # Of the packages of a checkout; a trial of one host needs none.
    from backend.tests.kit.s3_server import BUCKET, environment, s3_server  # noqa: PLC0415

    gateway = ["docker", "network", "inspect", "bridge", "--format", "{{(index .IPAM.Config 0).Gateway}}"]
    host = run(gateway, environment=deployment.environment, capture=True).strip()
    with s3_server(host) as (address, holds):
        password = deployment.environment["TAILROOM_DATABASE_PASSWORD"]
        deployment.environment |= environment(address) | {
            "COMPOSE_FILE": FILES,
            "TAILROOM_DATABASE_URL": f"postgresql+psycopg://tailroom:{password}@database:5432/tailroom",
            "TAILROOM_RAW_FILES": f"s3://{BUCKET}/files",
        }
        step("build the images", lambda: deployment.compose("build", "--quiet"))
        scale = [word for name, count in SCALE.items() for word in ("--scale", f"{name}={count}")]
        try:
            step("bring many up", lambda: deployment.compose("up", "-d", *scale))
            step("every container healthy", lambda: deployment.wait_until_healthy(600, SERVICES))
            agent, engineer = deployment.token("agent"), deployment.token("engineer")

            def measured() -> None:
                verdicts(engineer, measure(agent))

            step("an agent measures, the run ends in a verdict", measured)
            step("a file goes to the object storage", lambda: _upload(deployment, engineer, holds))
            step("the master of the broker dies, another becomes it", lambda: _lose_the_master(deployment))
            step("an agent measures, the run ends in a verdict", measured)
            for service in ("api", "worker", "background", "beat"):
                _kill_one(deployment, service)
            step("with one of each killed, too", measured)
        finally:
            down = ("down", "--volumes", "--timeout", "20")
            step("take it down with its volumes", lambda: deployment.compose(*down))


def _upload(deployment: Deployment, token: str, holds: "Holds") -> None:
    boundary = secrets.token_hex(8)
    disposition = b'Content-Disposition: form-data; name="files"; filename="fio.json"'
    body = b"\r\n".join([f"--{boundary}".encode(), disposition, b"", FILE, f"--{boundary}--".encode(), b""])
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": f"multipart/form-data; boundary={boundary}",
    }
    request = urllib.request.Request(f"{deployment.url}/api/v1/uploads", body, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        json.load(answer)
    if FILE not in (there := holds()).values():
        raise TrialFailed(f"the object storage holds {list(there)} and not the file that was sent")


def _lose_the_master(deployment: Deployment) -> None:
    before = _master(deployment)
    deployment.compose("kill", before)
    until = time.monotonic() + _NEW_MASTER_WITHIN_S
    while (now := _master(deployment)) == before:
        if time.monotonic() > until:
            raise TrialFailed(f"the sentinels still say that {now} is the master")
        time.sleep(0.5)
    print(f"  {before} was it, {now} is it")


def _master(deployment: Deployment) -> str:
    command = ["exec", "-T", "sentinel-1", "valkey-cli", "-p", "26379", "sentinel", "get-master-addr-by-name"]
    return deployment.compose(*command, "tailroom", capture=True).split()[0]


def _kill_one(deployment: Deployment, service: str) -> None:
    container = deployment.compose("ps", "-q", service, capture=True).split()[0]
    run(["docker", "kill", container], environment=deployment.environment, capture=True)
