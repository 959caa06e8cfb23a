"""What every room needs and none owns: settings, database sessions, Valkey, clock, errors, identifiers."""
