"""Result files of other tools, and of our own agent: bytes in, a ParsedRun with located problems out."""
