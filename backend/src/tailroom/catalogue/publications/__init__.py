"""Published documents and their numbers: read from the package, stored in the database."""
