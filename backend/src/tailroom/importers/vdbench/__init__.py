"""The importer of vdbench."""
