"""Result files of the agent itself: what `tailroom-agent run --result` writes."""
