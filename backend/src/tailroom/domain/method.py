"""Which version of the method a verdict was reached by; any change that can change a verdict raises it."""

METHOD_VERSION = 1
