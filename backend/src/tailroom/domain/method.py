"""Which version of the method a verdict was reached by; it grows with every change that can change a verdict."""

METHOD_VERSION = 1
