"""First program of every `make` command: find a recent Python, then run `checkout.py`.

Run by path with any `python3`, before anything is installed. Old versions of Python must be able to parse
this file, so that they print an explanation instead of a syntax error.
"""

import os
import shutil
import sys

OLDEST = (3, 11)
CANDIDATES = ("python3.14", "python3.13", "python3.12", "python3.11")


def main():  # type: () -> int
    """Run the command and return its exit code; replace a Python that is too old by a newer version first.

    Return 2 if there is no newer version.
    """
    if sys.version_info[:2] < OLDEST:
        for name in CANDIDATES:
            path = shutil.which(name)
            if path is not None:
                os.execv(path, [path, os.path.abspath(__file__)] + sys.argv[1:])  # noqa: RUF005, PTH100, S606
        # An old interpreter has no f-strings.
        sys.stderr.write(
            "Tailroom needs Python 3.11 or newer and this is %d.%d: install python3.11 or newer, "  # noqa: UP031
            "or name one with `make PYTHON=/path/to/python3`.\n" % sys.version_info[:2]
        )
        return 2
    here = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
    root = os.path.dirname(os.path.dirname(here))  # noqa: PTH120
    # Running as a script puts this folder first on the path, where it could shadow other modules.
    sys.path[:1] = [root, os.path.join(root, "backend", "src")]  # noqa: PTH118
    from backend.tooling import checkout  # noqa: PLC0415 - only readable by a newer Python

    return checkout.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
