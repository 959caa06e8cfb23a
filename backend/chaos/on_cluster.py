"""The product as `tailroom up` starts it, but on a database of a Citus cluster, whose nodes can be killed.

`python -m backend.chaos.on_cluster COORDINATOR`, with the URL of a superuser; ends with SIGINT, as
`tailroom up` does, and takes its database along.
"""

import contextlib
import signal
import sys
from types import SimpleNamespace
from typing import Any

from backend.tests.citus import CitusCluster

from tailroom.embedded.console import Console
from tailroom.embedded.product import DATABASE, Product
from tailroom.kit.settings import get_settings


class ProductOnCluster(Product):
    """Everything of a product but its PostgreSQL."""

    cluster: CitusCluster

    def _start_postgres(self) -> Any:
        self.cluster.create_database(DATABASE)
        return SimpleNamespace(url=self.cluster.url)

    def _prepare_database(self, url: str) -> None:
        super()._prepare_database(url)
        self.cluster.distribute(DATABASE)


def main() -> int:
    """The exit code."""
    product = ProductOnCluster(get_settings(), Console(), "tailroom.cli.reference", "tailroom.cli.people")
    product.cluster = CitusCluster(sys.argv[1])
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt):
        product.start()
        signal.pause()
    product.stop()
    product.cluster.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
