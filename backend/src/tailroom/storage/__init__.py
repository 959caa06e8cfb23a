"""SQLAlchemy models, one file for each aggregate, and nothing else. Import the models from their files."""
