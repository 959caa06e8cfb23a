// The words of the wire about verdicts, in the words of the reader.

const REASONS: Record<string, string> = {
  resolution: "the buckets are too coarse",
  samples: "too few samples",
  dependence: "slow reads are clustered",
  duration: "the run is too short",
  generator: "the load generator was late",
  metadata: "facts about the run are missing",
};

/** Why a verdict is undecided, in a few words; the verdict's own sentence says more. */
export const reasonName = (reason: string): string => REASONS[reason] ?? reason;
