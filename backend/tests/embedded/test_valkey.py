"""The embedded Valkey: durable on a socket, throw-away on a port, gone with its starter."""

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
import redis
from backend.tests.waiting import is_gone, until
from redis.backoff import NoBackoff
from redis.retry import Retry

from tailroom.embedded.valkey import EmbeddedValkey

STARTER = """
import sys, time
from tailroom.embedded.valkey import EmbeddedValkey
valkey = EmbeddedValkey.start_throw_away()
print(valkey.process.pid, flush=True)
time.sleep(60)
"""


def test_what_the_broker_was_told_survives_a_restart(tmp_path: Path) -> None:
    folder = tmp_path / "with space" / ("x" * 150)
    folder.mkdir(parents=True)
    with EmbeddedValkey.start(folder / "data", folder / "log") as valkey:
        redis.Redis.from_url(valkey.url).set("kept", "yes")
        server = psutil.Process(valkey.process.pid)
        assert not [c for c in server.net_connections("inet") if c.status == psutil.CONN_LISTEN]
        if os.geteuid() == 0:
            assert server.uids().effective != 0
    with EmbeddedValkey.start(folder / "data", folder / "log") as valkey:
        assert redis.Redis.from_url(valkey.url).get("kept") == b"yes"


def test_a_throw_away_instance_needs_its_password_and_listens_on_loopback() -> None:
    with EmbeddedValkey.start_throw_away() as valkey:
        assert valkey.address is not None
        host, _, port = valkey.address.partition(":")
        assert host == "127.0.0.1"
        with pytest.raises(redis.AuthenticationError):
            redis.Redis(host=host, port=int(port), retry=Retry(NoBackoff(), 0)).get("x")
        assert redis.Redis.from_url(valkey.url).ping()
        assert valkey.password is not None
        command_line = " ".join(psutil.Process(valkey.process.pid).cmdline())
        assert valkey.password not in command_line


def test_a_dead_broker_is_started_again_under_the_same_url(tmp_path: Path) -> None:
    with EmbeddedValkey.start(tmp_path / "data", tmp_path / "log") as valkey:
        url = valkey.url
        psutil.Process(valkey.process.pid).kill()
        valkey.process.wait(60)
        valkey.restart()
        assert valkey.url == url
        assert redis.Redis.from_url(url).ping()


def test_it_dies_with_its_starter() -> None:
    starter = subprocess.Popen([sys.executable, "-c", STARTER], stdout=subprocess.PIPE)
    assert starter.stdout is not None
    pid = int(starter.stdout.readline())
    starter.kill()
    starter.wait()
    until(lambda: is_gone(pid))
