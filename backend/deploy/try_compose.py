"""Brings the deployment of docker-compose.yml up for real, runs one journey against it, and takes it down.

Decides what a deployment must hold to count as working. Needs root. Standard library only, but for `--many`.

    python3 -m backend.deploy.try_compose [--keep] [--many]

With `--many` compose.cluster.yml lies over it (`backend/deploy/many.py`).

docs/deployment.md says what this proves and what it leaves untried.
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from backend.deploy.deployment import SECRETS, SERVICES, Deployment
from backend.deploy.engine import base_image, engine, install_missing
from backend.deploy.many import many_of_everything
from backend.deploy.steps import ROOT, TrialFailed, run, step

# Commands and addresses in here are our own.
# ruff: noqa: S310, S607

_VERDICT_WITHIN_S = 180.0  # patience on a shared machine, no measure of speed
AGENT = ROOT / "target" / "release" / "tailroom-agent"
PLAN = """\
title = "Deployed journey"
workload = "act-storage"
duration_s = 12
histogram_every_s = 2
[act_storage]
path = "{folder}/unused.dat"
engine = "null"
seed = 7
"""


def main(arguments: Sequence[str]) -> int:
    """Run the trial; 0 when everything held."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--keep", action="store_true", help="leave the engine's folder for another trial")
    parser.add_argument("--many", action="store_true", help="many of everything: compose.cluster.yml")
    options = parser.parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        _trial(keep=options.keep, many=options.many)
    except TrialFailed as error:
        print(f"\ntest-compose: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\ntest-compose: stopped", file=sys.stderr)
        return 130
    return 0


def _trial(*, keep: bool, many: bool) -> None:
    if os.geteuid() != 0:
        raise TrialFailed(
            "needs root to run a container engine: run it as root, on a machine made for trying things."
        )
    started = time.monotonic()
    install_missing()
    if not AGENT.exists():
        build = ["cargo", "build", "--release", "--locked", "--package", "tailroom-agent"]
        step("build the agent", lambda: run(build, environment=os.environ, capture=True))
    folder = Path(tempfile.gettempdir()) / "tailroom-compose"
    folder.mkdir(mode=0o700, exist_ok=True)
    try:
        with engine(folder) as environment:
            base_image(environment, folder)
            deployment = Deployment(environment, folder)
            if many:
                many_of_everything(
                    deployment,
                    lambda token: _measure(deployment, token, deployment.url),
                    lambda token, run_id: _verdicts(deployment, token, run_id),
                )
            else:
                _journeys(deployment)
    finally:
        if not keep:
            shutil.rmtree(folder, ignore_errors=True)
    print(f"test-compose: all held, {time.monotonic() - started:.0f} s")


def _journeys(deployment: Deployment) -> None:
    step("missing settings are refused by name", lambda: _refuses_missing_settings(deployment))
    step("build the images", lambda: deployment.compose("build", "--quiet"))
    try:
        step("bring it up", lambda: deployment.compose("up", "-d"))
        step("every service healthy", deployment.wait_until_healthy)
        agent_token = step("make an agent's token", lambda: deployment.token("agent"))
        viewer_token = step("make a viewer's token", lambda: deployment.token("viewer"))
        step("containers run without root, on read-only file systems", lambda: _hardened(deployment))
        step("the proxy answers, and refuses what it should", lambda: _answers(deployment))
        run_id = step(
            "an agent measures through the proxy", lambda: _measure(deployment, agent_token, deployment.url)
        )
        before = step("the run ends in a verdict", lambda: _verdicts(deployment, viewer_token, run_id))
        step("a browser signs in and sees it", lambda: _browser(deployment, viewer_token, run_id))
        step("take it down, keep the volumes, give it a certificate", lambda: _certify(deployment))
        step("bring it up again", lambda: _again(deployment))
        step("HTTPS answers, HTTP leads there", lambda: _https(deployment, viewer_token, run_id, before))
        secure = ("--ca-file", str(deployment.authority))
        step(
            "an agent measures over HTTPS",
            lambda: _measure(deployment, agent_token, deployment.secure_url, *secure),
        )
    finally:
        step(
            "take it down with its volumes",
            lambda: deployment.compose("down", "--volumes", "--timeout", "20"),
        )


def _refuses_missing_settings(deployment: Deployment) -> None:
    for name in (*SECRETS, "TAILROOM_PUBLIC_HOST"):
        environment = {key: value for key, value in deployment.environment.items() if key != name}
        done = subprocess.run(
            ["docker-compose", "config", "--quiet"],
            cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode == 0 or name not in done.stderr:
            raise TrialFailed(
                f"without {name} `docker-compose config` must fail and name it; it said: {done.stderr}"
            )


def _hardened(deployment: Deployment) -> None:
    for service in SERVICES:
        user = deployment.compose("exec", "-T", service, "id", "-u", capture=True).strip()
        if user == "0":
            raise TrialFailed(f"service {service} runs as root: give its image a USER")
        with contextlib.suppress(TrialFailed):
            deployment.compose("exec", "-T", service, "touch", "/usr/local/bin/x", capture=True)
            raise AssertionError(f"service {service} can write to its root file system")


def _answers(deployment: Deployment) -> None:
    _expect(_get(f"{deployment.url}/healthz")[0] == 200, "GET /healthz through the proxy does not answer 200")
    status, _ = _get(f"{deployment.url}/api/v1/runs")
    _expect(status == 401, f"GET /api/v1/runs without a token must be 401, not {status}")
    status, _ = _get(f"{deployment.url}/healthz", headers={"Host": "elsewhere.example"})
    _expect(status in {400, 421}, f"a request for another host name must be refused, it got {status}")
    too_large = urllib.request.Request(
        f"{deployment.url}/api/v1/runs",
        data=b" " * (10 * 2**20),
        headers={"Content-Type": "application/json"},
    )
    status, body = _open(too_large)
    _expect(
        status == 413 and b"body-too-large" in body,
        f"a body of 10 MiB must be 413 body-too-large, got {status}",
    )


def _measure(deployment: Deployment, token: str, url: str, *options: str) -> str:
    """Run the agent against `url` until everything is delivered, and return the run's id."""
    plan = deployment.folder / "plan.toml"
    plan.write_text(PLAN.format(folder=deployment.folder))
    output = run(
        [str(AGENT), "run", "--plan", str(plan), "--backend", url, *options,
         "--spool", str(deployment.folder / "spool"), "--progress", "json"],
        environment={**os.environ, "TAILROOM_AGENT_TOKEN": token},
        capture=True,
    )  # fmt: skip
    events = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    started = next(event for event in events if event["event"] == "started")
    _expect(events[-1].get("delivered") is True, f"the agent ended with {events[-1]}")
    return str(started["run_id"])


def _verdicts(deployment: Deployment, token: str, run_id: str) -> list[tuple[str, str]]:
    deadline = time.monotonic() + _VERDICT_WITHIN_S
    shown: dict[str, Any] = {}
    while time.monotonic() < deadline:
        status, body = _get(
            f"{deployment.url}/api/v1/runs/{run_id}", headers={"Authorization": f"Bearer {token}"}
        )
        _expect(status == 200, f"GET of the run must be 200, not {status}")
        shown = json.loads(body)
        verdicts = shown["verdicts"]
        if shown["state"] == "finished" and verdicts and not any(each["provisional"] for each in verdicts):
            _expect(shown["missing"] == [], f"intervals are missing: {shown['missing']}")
            return sorted((each["budget"]["name"], each["verdict"]) for each in verdicts)
        time.sleep(0.5)
    text = json.dumps(shown)[:2000]
    raise TrialFailed(f"no final verdict within {_VERDICT_WITHIN_S:.0f} s; the run: {text}")


def _browser(deployment: Deployment, token: str, run_id: str) -> None:
    run(
        ["npm", "run", "test:deployed", "--workspace", "e2e"],
        environment={
            **os.environ,
            "TAILROOM_E2E_URL": deployment.url,
            "TAILROOM_E2E_TOKEN": token,
            "TAILROOM_E2E_RUN": run_id,
        },
        capture=True,
    )


def _certify(deployment: Deployment) -> None:
    """Take the deployment down and give it a certificate of an authority made for the occasion."""
    deployment.compose("down", "--timeout", "20")
    folder, tls = deployment.folder, deployment.tls
    names = folder / "names.cnf"
    names.write_text("subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n")
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    authority = ["-CA", str(deployment.authority), "-CAkey", str(folder / "authority.key"), "-CAcreateserial"]
    commands = [
        ["req", "-x509", *new_key, "-days", "2", "-subj", "/CN=Trial authority",
         "-keyout", str(folder / "authority.key"), "-out", str(deployment.authority)],
        ["req", *new_key, "-subj", "/CN=localhost",
         "-keyout", str(tls / "privkey.pem"), "-out", str(folder / "server.csr")],
        ["x509", "-req", "-in", str(folder / "server.csr"), *authority, "-days", "2",
         "-extfile", str(names), "-out", str(tls / "fullchain.pem")],
    ]  # fmt: skip
    for command in commands:
        run(["openssl", *command], environment=os.environ, capture=True)
    for name in ("privkey.pem", "fullchain.pem"):
        os.chown(tls / name, 8403, 8403)


def _again(deployment: Deployment) -> None:
    deployment.compose("up", "-d")
    deployment.wait_until_healthy()


def _https(deployment: Deployment, token: str, run_id: str, before: list[tuple[str, str]]) -> None:
    trusted = ssl.create_default_context(cafile=str(deployment.authority))
    url = deployment.secure_url
    request = urllib.request.Request(
        f"{url}/api/v1/runs/{run_id}", headers={"Authorization": f"Bearer {token}"}
    )
    status, body = _open(request, trusted)
    _expect(status == 200, f"the run is not there over HTTPS after a restart: {status}")
    after = sorted((each["budget"]["name"], each["verdict"]) for each in json.loads(body)["verdicts"])
    _expect(after == before, f"verdicts changed over a restart: {before} became {after}")
    sign_in = urllib.request.Request(
        f"{url}/api/v1/session",
        data=json.dumps({"token": token}).encode(),
        headers={"Content-Type": "application/json", "Origin": url},
    )
    with urllib.request.urlopen(sign_in, context=trusted, timeout=10) as answer:
        cookie = answer.headers.get("Set-Cookie", "")
    for mark in ("Secure", "HttpOnly", "SameSite=strict"):
        _expect(
            mark.lower() in cookie.lower(), f"the session cookie lacks {mark}: {cookie.partition('=')[0]}"
        )
    status, _ = _get(f"{deployment.url}/runs", follow=False)
    _expect(status == 308, f"plain HTTP must lead to HTTPS with 308, it answered {status}")


def _expect(held: bool, message: str) -> None:
    if not held:
        raise TrialFailed(message)


def _get(url: str, *, headers: Mapping[str, str] | None = None, follow: bool = True) -> tuple[int, bytes]:
    return _open(urllib.request.Request(url, headers=dict(headers or {})), follow=follow)


def _open(
    request: urllib.request.Request, context: ssl.SSLContext | None = None, *, follow: bool = True
) -> tuple[int, bytes]:
    handlers: list[urllib.request.BaseHandler] = [
        urllib.request.ProxyHandler({}),
        urllib.request.HTTPSHandler(context=context),
    ]
    if not follow:
        handlers.append(_NoRedirect())
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=10) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_arguments: object, **_named: object) -> None:
        return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
