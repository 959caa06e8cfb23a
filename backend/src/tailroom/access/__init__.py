"""Access control: scopes and capabilities, access tokens, sessions of browsers, and authentication of
requests.
"""
