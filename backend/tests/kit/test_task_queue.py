"""Hints reach the broker once in a moment, at once when it matters, and never raise."""

import os
import signal
import time

import msgspec
import redis

from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.task_queue import ROLLUP_RUN, TaskQueue


def test_hints_are_sent_once_in_a_moment(throw_away_valkey: EmbeddedValkey) -> None:
    queue = TaskQueue(throw_away_valkey.url, deduplicate_ms=60_000)
    assert queue.hint(ROLLUP_RUN, ["run-1"]) is True
    assert queue.hint(ROLLUP_RUN, ["run-1"]) is False
    assert queue.hint(ROLLUP_RUN, ["run-2"]) is True
    assert queue.hint(ROLLUP_RUN, ["run-1"], deduplicate=False) is True
    client = redis.Redis.from_url(throw_away_valkey.url)
    messages = [msgspec.json.decode(one) for one in client.lrange("celery", 0, -1)]
    client.close()
    queue.close()
    assert [one["headers"]["task"] for one in messages] == [ROLLUP_RUN] * 3
    assert sorted(one["headers"]["argsrepr"] for one in messages) == ["['run-1']", "['run-1']", "['run-2']"]


def test_without_a_broker_a_hint_is_given_up_soon(throw_away_valkey: EmbeddedValkey) -> None:
    queue = TaskQueue(throw_away_valkey.url)
    throw_away_valkey.stop()
    began = time.monotonic()
    assert [queue.hint(ROLLUP_RUN, ["run-1"], deduplicate=False) for _ in range(50)] == [False] * 50
    assert time.monotonic() - began < 3
    queue.close()


def test_hints_are_sent_again_when_the_broker_is_back(throw_away_valkey: EmbeddedValkey) -> None:
    queue = TaskQueue(throw_away_valkey.url)
    assert queue.hint(ROLLUP_RUN, ["run-1"]) is True
    os.kill(throw_away_valkey.process.pid, signal.SIGKILL)
    throw_away_valkey.process.wait(5)
    assert queue.hint(ROLLUP_RUN, ["run-2"]) is False
    throw_away_valkey.restart()
    until = time.monotonic() + 10
    while not queue.hint(ROLLUP_RUN, ["run-3"]):
        assert time.monotonic() < until
        time.sleep(0.1)
    queue.close()
