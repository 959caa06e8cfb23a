"""Publications and their printed numbers: read from the package, stored in the database."""
