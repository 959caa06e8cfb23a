"""Who may do what: organisations, access tokens and sessions of browsers."""
