"""`tailroom mcp`: a real process, asked as an assistant does; nothing beyond the record is answered."""

import itertools
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest
from backend.tests.reports.storing import stored

from tailroom.cli.reference import bring_reference
from tailroom.kit.db import Database
from tailroom_client import Client
from tailroom_client.mcp_server import PROTOCOL_VERSIONS, TOOLS, answers_to

QUESTIONS = 80
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?")


@dataclass
class Assistant:
    """The process and its pipes."""

    process: "subprocess.Popen[str]"
    numbers: Iterator[int]

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a request."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        number = next(self.numbers)
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", number)
        return dict(answer)

    def call(self, tool: str, **arguments: str) -> tuple[str, bool]:
        """The text of a tool's answer, and whether it is a refusal."""
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        (content,) = result["content"]
        return content["text"], result["isError"]


@pytest.fixture
def store(database: Database, organisation: str) -> Iterator[Callable[..., UUID]]:
    with stored(database, organisation) as add:
        yield add


@pytest.fixture
def token(make_token: Callable[..., str]) -> str:
    return make_token("viewer")


@pytest.fixture
def assistant(server_address: str, token: str) -> Iterator[Assistant]:
    """The command, speaking to a real server."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tailroom.cli.main", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TAILROOM_SERVER": server_address, "TAILROOM_TOKEN": token},
    )
    with process:
        yield Assistant(process, itertools.count(1))
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_an_assistant_begins_and_finds_tools_that_only_read(assistant: Assistant) -> None:
    begun = assistant.ask("initialize", protocolVersion=PROTOCOL_VERSIONS[-1], capabilities={})["result"]
    assert begun["protocolVersion"] == PROTOCOL_VERSIONS[-1]
    assert (
        assistant.ask("initialize", protocolVersion="1999-01-01")["result"]["protocolVersion"]
        == (PROTOCOL_VERSIONS[0])
    )
    assert begun["serverInfo"]["name"] == "tailroom"
    assert assistant.process.stdin is not None
    assistant.process.stdin.write('{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    assert assistant.ask("ping")["result"] == {}
    tools = assistant.ask("tools/list")["result"]["tools"]
    assert [tool["name"] for tool in tools] == [tool.name for tool in TOOLS]
    assert all(tool["annotations"]["readOnlyHint"] for tool in tools)


def test_answers_are_one_sentence_with_the_page_behind_it(
    assistant: Assistant, store: Callable[..., UUID], server_address: str
) -> None:
    first, second = store(title="nightly one"), store(title="nightly two")
    text, is_error = assistant.call("find_runs", text="nightly")
    sentence, _, links = text.partition("\n")
    assert not is_error
    assert "nightly one: " in sentence
    assert set(links.split()) == {f"{server_address}/runs/{run_id}" for run_id in (first, second)}
    text, _ = assistant.call("run_verdicts", run_id=str(first))
    assert text.startswith("nightly one: ")
    assert text.endswith(f".\n{server_address}/runs/{first}")
    text, _ = assistant.call("compare_runs", base=str(first), other=str(second))
    assert text.startswith("read: ")
    assert text.endswith(f"\n{server_address}/compare?of=run:{first},run:{second}")
    text, _ = assistant.call("find_runs", text="there is none of this name")
    assert text.startswith("No run that you may see matches")


def test_refusals_say_why(assistant: Assistant, store: Callable[..., UUID]) -> None:
    run_id = str(store())
    for tool, arguments in (
        ("run_verdicts", {"run_id": "019b76da-a800-7d41-9c3e-5f0a1b2c3d40"}),
        ("run_verdicts", {"run_id": "no id"}),
        ("run_figure", {"run_id": run_id, "operation": "fsync", "quantity": "latency_p99_ns"}),
        ("drive", {"slug": "no/such drive"}),
    ):
        text, is_error = assistant.call(tool, **arguments)
        assert is_error, text
        assert text.startswith("Not answered: ")
    assert assistant.ask("tools/call", name="delete_run", arguments={})["error"]["code"] == -32602
    assert assistant.ask("tools/call", name="drive", arguments={"slug": 1})["error"]["code"] == -32602
    assert assistant.ask("resources/list")["error"]["code"] == -32601


def test_what_is_no_request_is_refused_and_notifications_are_not_answered() -> None:
    with Client("http://127.0.0.1:1", "unused") as client:
        (answer,) = answers_to(client, "{")
        assert answer["error"]["code"] == -32700
        (answer,) = answers_to(client, "[]")
        assert answer["error"]["code"] == -32600
        (answer,) = answers_to(client, '{"id": 1, "method": "ping", "params": []}')
        assert answer["result"] == {}
        assert (
            list(answers_to(client, '{"method": "notifications/cancelled", "params": {"requestId": 1}}'))
            == []
        )
        assert list(answers_to(client, "\n")) == []
        call = {"id": 2, "method": "tools/call", "params": {"name": "drive", "arguments": {"slug": "a"}}}
        (answer,) = answers_to(client, json.dumps(call))
        assert answer["result"]["isError"]
        assert "cannot be reached" in answer["result"]["content"][0]["text"]


def test_many_questions_are_answered_with_nothing_beyond_the_record(
    assistant: Assistant, store: Callable[..., UUID], server_address: str, token: str
) -> None:
    """Every number of an answer is one of the API's, and every pair of ends is that of the figure."""
    asked = 0
    with Client(server_address, token) as client:
        for turn in itertools.count():
            run_id = store(title=f"held back {turn}")
            figures = client.figures(run_id)
            for operation, figure in (
                (of_clock.operation, figure)
                for of_clock in figures.operations
                # An answer is about the first clock of an operation.
                if of_clock is figures.of_operation(of_clock.operation)
                for figure in of_clock.figures
            ):
                text, is_error = assistant.call(
                    "run_figure", run_id=str(run_id), operation=operation, quantity=figure.quantity
                )
                asked += 1
                assert not is_error, text
                sentence = text.partition("\n")[0]
                for words in (figure.quantity, f"held back {turn}", figure.why_no_limits):
                    sentence = sentence.replace(words, "") if words else sentence
                ends = {figure.lower, figure.upper, figure.lower_limit, figure.upper_limit}
                numbers = {float(number) for number in _NUMBER.findall(sentence)}
                assert numbers, text
                assert numbers <= ends, text
            if asked >= QUESTIONS:
                break


def test_drives_and_verdicts_are_told_with_no_number_beyond_the_documents_of_the_api(
    assistant: Assistant,
    store: Callable[..., UUID],
    server_address: str,
    token: str,
    database: Database,
) -> None:
    """Every drive of the catalogue, and verdicts and comparisons of runs: their numbers are the API's."""
    with database.transaction() as session:
        bring_reference(session)
    base, other = store(title="one"), store(title="another")
    headers = {"Authorization": f"Bearer {token}"}
    questions: list[tuple[str, dict[str, str], str]] = []
    with httpx.Client(base_url=f"{server_address}/api/v1", headers=headers, timeout=60) as api:
        for drive in api.get("/drives", params={"limit": 500}).json()["drives"]:
            questions.append(("drive", {"slug": drive["slug"]}, f"/drives/{drive['slug']}"))
        for run_id in (base, other):
            questions.append(("run_verdicts", {"run_id": str(run_id)}, f"/runs/{run_id}"))
        pair = f"/comparisons?subject=run:{base}&subject=run:{other}"
        questions.append(("compare_runs", {"base": str(base), "other": str(other)}, pair))
        told = 0
        for tool, arguments, place in questions:
            text, is_error = assistant.call(tool, **arguments)
            assert not is_error, text
            document = api.get(place)
            assert document.status_code == 200, document.text
            on_record = {float(number) for number in _NUMBER.findall(document.text)}
            numbers = [float(number) for number in _NUMBER.findall(text.partition("\n")[0])]
            assert set(numbers) <= on_record, (text, sorted(set(numbers) - on_record))
            told += bool(numbers)
    assert len(questions) >= 20
    assert told >= 20
