"""Ways in which output is copied: what collectors, terminals, chats, editors and archives make of it."""

import gzip
import html
import io
import json
import re
import tarfile
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import zstandard

Copy = Callable[[bytes], bytes]

TEXT_SAMPLES = (
    "act/act66_storage_3x_1dev_us_90s.log",
    "asbench/a2.stdout.txt",
    "aerospike_java/j1.stdout.txt",
    "fio/randread.json",
    "hdr_log/memtier_SET_command_run_1.hgrm",
    "memtier/given1.json",
    "memtier/given3.stdout.txt",
    "pgbench/tpcb.txt",
    "redis_benchmark/r1_csv_get_set.txt",
    "sysbench/s3_oltp_read_write_pgsql.txt",
    "ycsb/y1.stdout.txt",
)


def _lines(data: bytes) -> list[bytes]:
    """By line feeds, with them."""
    return [line for line in re.split(rb"(?<=\n)", data) if line]


def _each_line(add: Callable[[bytes], bytes]) -> Copy:
    return lambda data: b"".join(add(line) for line in _lines(data))


def _numbered(add: Callable[[int, bytes], bytes]) -> Copy:
    return lambda data: b"".join(add(number, line) for number, line in enumerate(_lines(data), 1))


def _clocked(form: str) -> Copy:
    """A clock that goes on by a tenth of a second a line."""

    def stamped(number: int, line: bytes) -> bytes:
        at = datetime(2026, 11, 23, 10, 0, tzinfo=UTC) + timedelta(milliseconds=100 * number)
        return at.strftime(form).encode() + line

    return _numbered(stamped)


def _bare(copy: Copy) -> Copy:
    """Blanks at the ends of lines are lost."""
    # Each run of blanks is tried once, because a damaged line may hold two million.
    return lambda data: re.sub(rb"(?<![ \t])[ \t]++(?=\r?\n)", b"", copy(data))


def _json_line(number: int, line: bytes) -> bytes:
    text = line.decode("utf-8", "surrogateescape")
    return (
        json.dumps({"log": text, "stream": "stdout", "time": f"2026-11-23T10:00:{number % 60:02}Z"}).encode()
        + b"\n"
    )


def _cut_json_line(number: int, line: bytes) -> bytes:
    """Docker cuts long lines and ends only the last piece with a line feed."""
    return b"".join(_json_line(number, line[at : at + 100]) for at in range(0, len(line), 100))


def _journal_line(_: int, line: bytes) -> bytes:
    text = line.rstrip(b"\r\n").decode()
    return json.dumps({"_HOSTNAME": "bench-1", "MESSAGE": text, "PRIORITY": "6"}).encode() + b"\n"


def _escaped(data: bytes) -> bytes:
    return html.escape(data.decode()).encode()


def _page(data: bytes) -> bytes:
    return (
        b"<!DOCTYPE html>\n<html><head><title>A run</title></head>\n<body>\n<h1>A run</h1>\n<pre>"
        + _escaped(data)
        + b"</pre>\n</body></html>\n"
    )


def _console(data: bytes) -> bytes:
    """A page with an element for each line, as consoles of build servers have."""
    lines = b"".join(
        b'<span class="line">' + _escaped(line.rstrip(b"\n")) + b"</span>\n" for line in _lines(data)
    )
    return b'<pre class="console-output">\n' + lines + b"</pre>\n"


def _tabs_as_blanks(data: bytes) -> bytes:
    return data.expandtabs(8)


def tarred(data: bytes) -> bytes:
    """A file in a folder of an archive."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo("results/x.log")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def _zip(data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("results/x.log", data)
    return packed.getvalue()


_BEFORE = b"Hi all,\n\nthis is what I see on my machine:\n\n"
_AFTER = b"\nIs that what you would expect of it?\n\nThanks,\nJo\n"


def _ended(data: bytes) -> bytes:
    return data if data.endswith(b"\n") else data + b"\n"


def _in_a_message(add: bytes) -> Copy:
    """A block in a message, with something before each of its lines and prose around it."""
    set_in = _each_line(lambda line: add + line if line.strip() else line)
    return lambda data: _BEFORE + set_in(_ended(data)) + _AFTER


def _issue(data: bytes) -> bytes:
    """A form of a tracker, filled in."""
    return (
        b"### Description of the bug\n\nIt is slower than it was with the version before.\n\n"
        b"### Environment\n\n- Debian\n\n### Output\n\n```\n"
        + _ended(data)
        + b"```\n\n### Additional context\n\n_No response_\n"
    )


COPIES: dict[str, Copy] = {
    "colours": _each_line(lambda line: b"\x1b[32;1m" + line[:7] + b"\x1b[0m" + line[7:]),
    "title of the window": lambda data: b"\x1b]0;root@host\x07" + data,
    "fence": lambda data: b"```text\n" + data + (b"" if data.endswith(b"\n") else b"\n") + b"```\n",
    "message, blanks before": _in_a_message(b"    "),
    "message, a tab before": _in_a_message(b"\t"),
    "message, quoted": _in_a_message(b"> "),
    "message, fence in a list": lambda data: (
        _BEFORE
        + b"1. Fast:\n\n   ```\n"
        + _each_line(lambda line: b"   " + line)(_ended(data))
        + b"   ```\n"
        + _AFTER
    ),
    "form of a tracker": _issue,
    "prompt": lambda data: b"root@host:~/bench# ./run.sh --all\n" + data + b"\nroot@host:~/bench# \n",
    "prompt of another shell": lambda data: b"$ ./run.sh\n" + data,
    "prompt of Windows": lambda data: b"PS C:\\bench> .\\run.exe\r\n" + data,
    "four blanks": _each_line(lambda line: b"    " + line if line.strip() else line),
    "a tab": _each_line(lambda line: b"\t" + line),
    "quoted": _each_line(lambda line: b"> " + line),
    "quoted twice": _each_line(lambda line: b">> " + line),
    "quoted, blanks lost": _bare(_each_line(lambda line: b"> " + line)),
    "a blank": _each_line(lambda line: b" " + line),
    "tabs as blanks": _tabs_as_blanks,
    "double-spaced": _each_line(lambda line: line.rstrip(b"\r\n") + b"\n\n"),
    "double-spaced by carriage returns": lambda data: re.sub(rb"\r?\n", b"\r\r\n", data),
    "carriage returns": lambda data: re.sub(rb"\r?\n", b"\r", data),
    "docker logs -t": _clocked("%Y-%m-%dT%H:%M:%S.%f000Z "),
    "docker logs -t, blanks lost": _bare(_clocked("%Y-%m-%dT%H:%M:%S.%f000Z ")),
    "file of a container": _clocked("%Y-%m-%dT%H:%M:%S.%f000Z stdout F "),
    "ts": _clocked("%b %d %H:%M:%S "),
    "clock and zone": _clocked("%Y-%m-%d %H:%M:%S+01:00 "),
    "clock in brackets": _clocked("[%Y-%m-%dT%H:%M:%S.%fZ] "),
    "time": _clocked("%H:%M:%S "),
    "time in brackets": _clocked("[%H:%M:%S] "),
    "Jenkins": _clocked("%H:%M:%S  "),
    "syslog": _clocked("%b %d %H:%M:%S bench-1 run.sh[812]: "),
    "syslog, RFC 5424": _clocked("<14>1 %Y-%m-%dT%H:%M:%SZ bench-1 run.sh 812 - - "),
    "rsyslog": _clocked("%Y-%m-%dT%H:%M:%S.%f+00:00 bench-1 run.sh: "),
    "journalctl": lambda data: (
        b"-- Logs begin at Mon 2026-11-23 09:00:00 UTC. --\n"
        + _clocked("%b %d %H:%M:%S bench-1 run.sh[812]: ")(data)
    ),
    "journalctl -o short-full": _clocked("%a %Y-%m-%d %H:%M:%S UTC bench-1 run.sh[812]: "),
    "journalctl -o short-monotonic": _each_line(lambda line: b"[   12.345678] bench-1 run.sh[812]: " + line),
    "journalctl -o json": _numbered(_journal_line),
    "docker compose": _each_line(lambda line: b"bench-1  | " + line),
    "docker compose -t": lambda data: _each_line(lambda line: b"bench-1  | " + line)(
        _clocked("%Y-%m-%dT%H:%M:%S.%f000Z ")(data)
    ),
    "kubectl --prefix": _each_line(lambda line: b"[pod/bench-x7f/run] " + line),
    "kubectl --prefix --timestamps": _clocked("[pod/bench-x7f/run] %Y-%m-%dT%H:%M:%S.%fZ "),
    "docker's file": _numbered(_json_line),
    "docker's file, lines cut": _numbered(_cut_json_line),
    "cat -n": _numbered(lambda number, line: b"%6d\t" % number + line),
    "cat -n, tab as blanks": _numbered(lambda number, line: b"%6d  " % number + line),
    "less -N": _numbered(lambda number, line: b"%7d " % number + line),
    "grep -n": _numbered(lambda number, line: b"%d:" % number + line),
    "numbers of an editor": _numbered(lambda number, line: b"%4d | " % number + line),
    "sed": _numbered(lambda number, line: b"%3d \xe2\x94\x82 " % (number + 500) + line),
    "HTML page": _page,
    "console of a page": _console,
    "HTML entities": _escaped,
    "quoted file with a clock": lambda data: _each_line(lambda line: b"> " + line)(
        _clocked("%Y-%m-%dT%H:%M:%SZ ")(data)
    ),
    "numbers, double-spaced": lambda data: _each_line(lambda line: line.rstrip(b"\r\n") + b"\n\n")(
        _numbered(lambda number, line: b"%6d\t" % number + line)(data)
    ),
    "CRLF": lambda data: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "UTF-16 without a mark": lambda data: data.decode().encode("utf-16-le"),
    "UTF-16, big end first": lambda data: b"\xfe\xff" + data.decode().encode("utf-16-be"),
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
    "tar": tarred,
    "tar.gz": lambda data: gzip.compress(tarred(data)),
    "tar.zst": lambda data: zstandard.compress(tarred(data)),
    "zip": _zip,
}
