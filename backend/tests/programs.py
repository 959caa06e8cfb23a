"""Programs of the agent's workspace that tests start."""

from pathlib import Path

AGENT = Path(__file__).parents[2] / "target" / "debug" / "tailroom-agent"
"""The agent as `make test` builds it: a debug build, which `cargo test` needs too."""
