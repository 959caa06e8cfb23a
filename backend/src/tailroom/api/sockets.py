"""The sockets of one port, one for each process behind it. Taken before anything else is loaded, so that who
comes second is told so at once.
"""

import socket
from collections.abc import Sequence


def sockets_of(host: str, port: int, count: int) -> Sequence[socket.socket]:
    """Bound, and not listening yet: nobody connects to what cannot answer.

    Raises OSError where somebody else has the port, also one who would share it.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, socket.SOCK_STREAM) as alone:
        alone.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        alone.bind(address)
        address = alone.getsockname()
    found = []
    for _ in range(count):
        one = socket.socket(family, socket.SOCK_STREAM)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        one.bind(address)
        found.append(one)
    return found
