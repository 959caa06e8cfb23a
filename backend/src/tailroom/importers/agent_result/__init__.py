"""Result files of the agent itself, which `tailroom-agent run --result` writes."""
