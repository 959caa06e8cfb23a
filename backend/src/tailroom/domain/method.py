"""Which version of the method a verdict was reached by; any change that can change a verdict raises it.

1: all operations of a run thrown together and taken as independent.
2: the mixture over pieces of time decides where the course is known (`docs/adr/0010`); a generator that waits
   for answers proves no PASS; published figures without a number of operations prove nothing. Records that
   say how late and how busy their generator was came with the rule about slices in doubt
   (`docs/adr/0017`); it leaves every record from before them as it was, so the version stayed.
"""

METHOD_VERSION = 2
