// Example questions.

/** A transaction that published tests can decide: their share over 64 ms bounds ten reads, but not 250. */
export const FEW_READS = { reads: 10, window: "1 s", reserve: "300 ms", objective: 99.9 } as const;
export const FEW_READS_TEXT = "10 reads in 1\u00a0s, with 300\u00a0ms for scoring";
