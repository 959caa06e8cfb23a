"""A read-only server of the Model Context Protocol: each answer is a sentence of limited length.

It speaks JSON-RPC 2.0 on standard input and output, one message a line. No tool changes anything. Source:
https://modelcontextprotocol.io/specification/2025-06-18.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import IO, Any

import httpx

from tailroom_client import sentences
from tailroom_client.client import Client, Refused
from tailroom_client.models import MissingFromRun
from tailroom_client.sentences import SentenceAnswer

PROTOCOL_VERSIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
_PARSE_ERROR, _INVALID_REQUEST, _UNKNOWN_METHOD, _INVALID_PARAMS = -32700, -32600, -32601, -32602
_INSTRUCTIONS = (
    "Answers come from the records of a Tailroom installation. Repeat numbers, bounds and reservations as"
    " they are; what an answer does not say is not on record."
)
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class McpTool:
    """A tool of the server; `arguments` maps names to descriptions, all values are strings."""

    name: str
    description: str
    arguments: Mapping[str, str]
    answer: Callable[..., SentenceAnswer]

    def document(self) -> Json:
        """Return the tool as an entry of `tools/list`."""
        properties = {name: {"type": "string", "description": text} for name, text in self.arguments.items()}
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": {
                "type": "object",
                "properties": properties,
                "required": list(properties),
                "additionalProperties": False,
            },
            "annotations": {"readOnlyHint": True, "openWorldHint": False},
        }


_RUN_ID = "id of a run, as find_runs links it"
TOOLS = (
    McpTool(
        "find_runs",
        "The latest runs whose title or facts hold a text, with their verdicts.",
        {"text": "words to look for; empty for the latest"},
        sentences.runs_found,
    ),
    McpTool(
        "run_verdicts",
        "Does a run keep its budgets? Verdicts with what was measured beside what was asked.",
        {"run_id": _RUN_ID},
        sentences.verdicts_of_run,
    ),
    McpTool(
        "run_figure",
        "Between which ends does a figure of a run lie?",
        {
            "run_id": _RUN_ID,
            "operation": "such as read",
            "quantity": "such as latency_p99_ns or throughput_per_s",
        },
        sentences.figure_of_run,
    ),
    McpTool(
        "drive",
        "Which load does a drive hold, tested by whom and when?",
        {"slug": "of a drive of the catalogue, such as intel-dc-s3700"},
        sentences.drive_in_words,
    ),
    McpTool(
        "compare_runs",
        "What does a run show against another?",
        {"base": _RUN_ID, "other": _RUN_ID},
        sentences.comparison_of_runs,
    ),
)
_BY_NAME = {tool.name: tool for tool in TOOLS}


class _Problem(Exception):
    """A request that cannot be answered, with its JSON-RPC error code."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def serve(client: Client, requests: IO[str], answers: IO[str]) -> None:
    """Answer every request until the input ends."""
    for line in requests:
        for answer in answers_to(client, line):
            answers.write(json.dumps(answer, ensure_ascii=False) + "\n")
            answers.flush()


def answers_to(client: Client, line: str) -> Iterator[Json]:
    """Yield the response to a line; nothing for a notification or an empty line."""
    if not line.strip():
        return
    try:
        request = json.loads(line)
    except (ValueError, RecursionError):
        yield _refusal(None, _PARSE_ERROR, "no JSON")
        return
    is_request = isinstance(request, dict) and isinstance(request.get("method"), str)
    if not is_request:
        yield _refusal(None, _INVALID_REQUEST, "no request")
        return
    if "id" not in request:
        return
    try:
        result = _result(client, request["method"], request.get("params") or {})
    except _Problem as problem:
        yield _refusal(request["id"], problem.code, str(problem))
    else:
        yield {"jsonrpc": "2.0", "id": request["id"], "result": result}


def _result(client: Client, method: str, parameters: Any) -> Json:
    """Return the result of a method. Raise _Problem for an unknown method or invalid parameters."""
    if not isinstance(parameters, dict):
        raise _Problem(_INVALID_PARAMS, "`params` is no object")
    if method == "initialize":
        proposed = parameters.get("protocolVersion")
        return {
            "protocolVersion": proposed if proposed in PROTOCOL_VERSIONS else PROTOCOL_VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "tailroom", "version": version("tailroom-client")},
            "instructions": _INSTRUCTIONS,
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [tool.document() for tool in TOOLS]}
    if method == "tools/call":
        return _called(client, parameters)
    raise _Problem(_UNKNOWN_METHOD, f"there is no method {method[:100]}")


def _called(client: Client, parameters: Json) -> Json:
    """Call a tool and return its result; a refusal or an unreachable installation is an error result."""
    tool = _BY_NAME.get(str(parameters.get("name")))
    if tool is None:
        raise _Problem(_INVALID_PARAMS, f"there is no tool; there are {', '.join(_BY_NAME)}")
    arguments = parameters.get("arguments") or {}
    is_right = isinstance(arguments, dict) and arguments.keys() == tool.arguments.keys()
    if not is_right or not all(isinstance(value, str) for value in arguments.values()):
        raise _Problem(_INVALID_PARAMS, f"{tool.name} takes {', '.join(tool.arguments)}, all of them text")
    try:
        answer = tool.answer(client, **arguments)
    except (Refused, MissingFromRun) as refusal:
        return _content(f"Not answered: {refusal}", is_error=True)
    except httpx.HTTPError as error:
        return _content(f"Not answered: the installation cannot be reached ({error}).", is_error=True)
    links = " ".join(f"{client.address}{path}" for path in answer.paths)
    return _content(f"{answer.text}\n{links}", is_error=False)


def _content(text: str, *, is_error: bool) -> Json:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def _refusal(request_id: Any, code: int, message: str) -> Json:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}
