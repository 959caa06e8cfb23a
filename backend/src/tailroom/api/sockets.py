"""The sockets of one port, one for each process; bound before modules are loaded, to fail early."""

import socket


def sockets_of(host: str, port: int, count: int) -> list[socket.socket]:
    """Return `count` sockets bound to one port that do not listen yet, so that no client connects too early.

    `port` 0: a free port. Raise OSError if another process has the port, even if it would share it.
    """
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    with socket.socket(family, socket.SOCK_STREAM) as exclusive:
        exclusive.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        exclusive.bind(address)
        address = exclusive.getsockname()
    sockets = []
    for _ in range(count):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listener.bind(address)
        sockets.append(listener)
    return sockets
