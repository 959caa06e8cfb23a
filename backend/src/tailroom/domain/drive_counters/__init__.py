"""The counters of measured drives: the document that agents send, and what follows from its differences."""
