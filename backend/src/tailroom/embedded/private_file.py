"""Files that only their owner may read: tokens, passwords, and plans."""

import os
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Write a file that only our user may read, complete or not at all."""
    unfinished = path.with_name(path.name + ".new")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(text)
    unfinished.replace(path)
