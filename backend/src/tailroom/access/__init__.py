"""Access control: scopes and capabilities, tokens, browser sessions, authentication of requests."""
