"""Version and command line, which YCSB prints before it starts."""

import re

from tailroom.importers.parsed_run import Value
from tailroom.importers.printed import parameter_value

VERSION = re.compile(r"YCSB Client (\S{1,60})")
COMMAND = re.compile(r"Command line: (.*)")
_SECRET = re.compile(r"passw|secret|token|credential|apikey|api_key", re.IGNORECASE)
_MAX_TEXT = 200
_MAX_PARAMETERS = 200


def parameters_of(command: str) -> dict[str, Value]:
    """Return the first 200 options and properties of a command line by name; other words are ignored.

    Values of passwords and other secrets are replaced by `(not kept)`, paths of workload
    files cut to their names.
    """
    words = command.split()
    parameters: dict[str, Value] = {}
    position = 0
    while position < len(words) and len(parameters) < _MAX_PARAMETERS:
        word, following = words[position], words[position + 1] if position + 1 < len(words) else ""
        if word in ("-threads", "-target", "-db", "-l"):
            parameters[{"-l": "label"}.get(word, word[1:])] = parameter_value(following)
            position += 2
        elif word == "-p" and "=" in following:
            name, _, text = following.partition("=")
            parameters[name[:80]] = "(not kept)" if _SECRET.search(name) else parameter_value(text)
            position += 2
        elif word == "-P":
            parameters["workload_file"] = following.rsplit("/", 1)[-1][:_MAX_TEXT]
            position += 2
        elif word in ("-load", "-t"):
            parameters["phase"] = "load" if word == "-load" else "run"
            position += 1
        else:
            position += 1
    return parameters
