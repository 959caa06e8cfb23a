"""Which version of the method a verdict was reached by; any change that can change a verdict raises it.

1: all operations of a run thrown together and taken as independent.
2: the mixture over pieces of time decides where the course is known (`docs/adr/0010`); a generator that waits
   for answers proves no PASS; published figures without a number of operations prove nothing.
"""

METHOD_VERSION = 2
