"""Hints reach the broker once in a moment, at once when it matters, and never raise."""

import os
import signal
import time

import msgspec
import redis
from backend.tests.waiting import until

from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.lanes import JUDGING
from tailroom.kit.task_queue import WORK, TaskQueue
from tailroom.kit.valkey import TIMEOUT_S


def test_hints_are_sent_once_in_a_moment(throw_away_valkey: EmbeddedValkey) -> None:
    queue = TaskQueue(throw_away_valkey.url, deduplicate_ms=60_000)
    assert queue.hint(WORK, ["run-1"], queue=JUDGING) is True
    assert queue.hint(WORK, ["run-1"], queue=JUDGING) is False
    assert queue.hint(WORK, ["run-2"], queue=JUDGING) is True
    assert queue.hint(WORK, ["run-1"], queue=JUDGING, deduplicate=False) is True
    client = redis.Redis.from_url(throw_away_valkey.url)
    messages = [msgspec.json.decode(one) for one in client.lrange(JUDGING, 0, -1)]
    client.close()
    queue.close()
    assert [one["headers"]["task"] for one in messages] == [WORK] * 3
    assert sorted(one["headers"]["argsrepr"] for one in messages) == ["['run-1']", "['run-1']", "['run-2']"]


def test_without_a_broker_a_hint_is_given_up_soon(throw_away_valkey: EmbeddedValkey) -> None:
    queue = TaskQueue(throw_away_valkey.url)
    throw_away_valkey.stop()
    began = time.monotonic()
    assert [queue.hint(WORK, ["run-1"], queue=JUDGING, deduplicate=False) for _ in range(50)] == [False] * 50
    # Without the pause after a failure, each hint could wait for a connection and for its answer.
    assert time.monotonic() - began < 50 * TIMEOUT_S
    queue.close()


def test_hints_are_sent_again_when_the_broker_is_back(throw_away_valkey: EmbeddedValkey) -> None:
    queue = TaskQueue(throw_away_valkey.url)
    assert queue.hint(WORK, ["run-1"], queue=JUDGING) is True
    os.kill(throw_away_valkey.process.pid, signal.SIGKILL)
    throw_away_valkey.process.wait(60)
    assert queue.hint(WORK, ["run-2"], queue=JUDGING) is False
    throw_away_valkey.restart()
    until(lambda: queue.hint(WORK, ["run-3"], queue=JUDGING))
    queue.close()
