"""The application: where every part is put together and served."""
