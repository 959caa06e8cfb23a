"""Version of the method of a verdict; any change that can change a verdict raises it.

1: all operations of a run are pooled and taken as independent.
2: the mixture over slices of time decides if a record has slices (`docs/adr/0010`); a generator that waits
   for answers proves no PASS; published figures without a number of operations prove nothing. Records that
   state how late and how busy their generator was came with the rule about unreliable slices
   (`docs/adr/0017`); it does not affect earlier records, so the version did not change.
3: related questions get related answers (`docs/adr/0010`): slices, groups and limits belong to the record and
   not to the question, measured transactions count for every plan that they dominate, and a model that
   measured transactions refute decides nothing.
4: slow periods that are shorter than joined slices are visible too (`docs/adr/0010`): slices of 1,000
   operations are used beside those of 10,000, and bounds enclose both. The grid for records with wide buckets
   is only as fine as their buckets allow (`docs/adr/0010`).
5: whether measured transactions refute the model is computed once for a record, over the whole time axis
   and where hardly any are late, not at the window of the question (`docs/adr/0010`). Between exact
   counters the larger design effect of the two nearest edges of the record counts.
6: bounds by moments take the better of the record's own buckets and of the wider ones of quick answers, which
   now and then said more (`docs/adr/0010`). Limits rise or stay; no other figure changes.
7: measured transactions with several reads at a time count like those of reads one after another
   (`docs/adr/0009`): for their own plan, for plans beside it, and against the model.
8: every budget is answered twice (docs/method.md section 11): for this run, whose counts are the whole
   population, and for the next one, with confidence. A verdict has a strength: proven, or observed in this
   run. Confidence limits of plans come from disjoint blocks of operations (section 12).
9: mean and largest latency of a whole record count together (section 1.2). Lower limits rise or stay.
10: a pool of k is bounded by waves of k, before by waves of the largest power of two up to k (section 1.4).
   Lower limits of pools rise or stay.
11: a percentile that a source without a number of operations prints at or over a limit fails that limit
   (section 1.2); before, it stayed undecided where only shares were compared.
"""

METHOD_VERSION = 11
