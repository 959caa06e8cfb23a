"""Published documents as far as their numbers go: read from the package, kept in the database."""
