"""A node of a cluster on this machine: it can be killed, and is started again as it was."""

import os
import shlex
import subprocess
import threading
import time
from pathlib import Path

import psutil
import psycopg

_AWAY_FOR_S = 1.5


class Node:
    """One PostgreSQL, known by the folder of its data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    @classmethod
    def of_cluster(cls, coordinator: str) -> "list[Node]":
        """Every node of a Citus cluster, the coordinator first; they are on this machine."""
        with psycopg.connect(coordinator, autocommit=True) as connection:
            places = connection.execute(
                "SELECT nodename, nodeport FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid"
            ).fetchall()
        nodes = []
        for host, port in places:
            with psycopg.connect(coordinator, host=host, port=port, autocommit=True) as connection:
                row = connection.execute("SHOW data_directory").fetchone()
                assert row is not None  # noqa: S101 - there is one
                nodes.append(cls(Path(row[0])))
        return nodes

    def kill(self) -> int:
        """Kills all of it as a power cut does; it starts again a moment later. How many processes it had."""
        with self._lock:
            try:
                postmaster = psutil.Process(int((self._folder / "postmaster.pid").read_text().split()[0]))
                family = [postmaster, *postmaster.children(recursive=True)]
            except (OSError, psutil.Error):
                return 0
            for process in family:
                try:
                    process.kill()
                except psutil.NoSuchProcess:
                    continue
            psutil.wait_procs(family, timeout=10)
        threading.Timer(_AWAY_FOR_S, self.start).start()
        return len(family)

    def start(self) -> None:
        """Starts it, as the user whose folder it is, if it does not run."""
        with self._lock:
            owner = self._folder.stat()
            command = shlex.split((self._folder / "postmaster.opts").read_text())
            for _ in range(20):
                with (self._folder / "log").open("ab") as log:
                    os.chown(log.name, owner.st_uid, owner.st_gid)
                    process = subprocess.Popen(  # noqa: S603 - as it was started before
                        command,
                        stdin=subprocess.DEVNULL,
                        stdout=log,
                        stderr=log,
                        user=owner.st_uid,
                        group=owner.st_gid,
                        cwd=self._folder,
                        start_new_session=True,
                    )
                time.sleep(0.5)
                if process.poll() is None:
                    return
