"""Signing in at the provider of an organisation, by OpenID Connect (docs/adr/0130)."""
