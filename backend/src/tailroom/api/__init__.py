"""The application: all parts composed and served."""
