"""Operation of an installation: failures, retention, deletion, backups, export and import."""
