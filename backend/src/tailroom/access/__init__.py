"""Who may do what: scopes and capabilities, access tokens, sessions of browsers, and the one door that every
request passes.
"""
