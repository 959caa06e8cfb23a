"""Code that every room needs: settings, database sessions, Valkey, clock, errors, identifiers."""
