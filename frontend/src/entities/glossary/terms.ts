// Glossary terms of the product, as in docs/language.md.
/** Word and meaning of each term, by group and id. */
export const TERMS = {
  Verdicts: {
    pass: ["PASS", "The question is met: in this run by its counts, or proven for the next run."],
    fail: ["FAIL", "The question is not met: in this run by its counts, or proven for the next run."],
    proven: [
      "Proven, in this run",
      "In this run: counted, with the bounds of its buckets. Proven: the same system would do it again, with 95\u00a0% confidence.",
    ],
    indeterminate: [
      "Undecided (INDETERMINATE)",
      "The record does not decide it, even for this run. Beside it stand the reason and what would decide it.",
    ],
    evidence: ["Evidence", "What supports a verdict: operations counted, time measured, facts stated."],
    bounds: ["Bounds", "The two ends that a quantity surely lies between, by the counts in the buckets."],
    disclosure: ["Disclosure", "The facts that others need to repeat a run: drive, host, load, versions."],
    bucket: ["Bucket", "A range of latencies in which operations are counted."],
  },
  Questions: {
    transaction: [
      "Transaction",
      "One request of an application. It makes several operations, one after another or at once.",
    ],
    window: ["Window and deadline", "The time a transaction may take. Its end is the deadline."],
    headroom: [
      "Headroom, room left",
      "The window minus the time kept for other work minus the time that the operations take.",
    ],
    objective: [
      "Objective and success rate",
      "The share of transactions that must end inside the deadline, and the share that does.",
    ],
    limits: ["Limits", "The largest share of operations that may take longer than a given time."],
    budget: ["Budget", "A question with a name and a version, by which runs are judged."],
  },
  Measurements: {
    run: ["Run", "One measurement: one load for one time, by an agent or from result files."],
    load: [
      "1x, 3x, 145x",
      "The load of the ACT test. 1x is 2,000 reads and 1,000 writes of 1.5 KB a second on one drive.",
    ],
    slice: ["Slice", "A fixed piece of a run’s time."],
    "response-time": ["Response time", "From the moment that the schedule intended the operation until it completed."],
    "service-time": ["Service time", "From sending the operation until it completed, without waiting before."],
    "closed-loop": [
      "Closed loop",
      "The tool waits for each answer before it sends again. Slow moments are counted too seldom, so nothing passes.",
    ],
    "unreliable-slice": [
      "Unreliable slice",
      "A slice in which the load generator was late or short of processor time. It proves no FAIL.",
    ],
    "late-generator": [
      "Load generator late",
      "The agent could not keep its schedule, so the drive had less load than intended.",
    ],
  },
  Drives: {
    conditions: ["Conditions", "What must be equal for two tests to be compared."],
    rank: ["Rank 1–4", "The tests cannot separate these drives more closely: it may be first or fourth."],
    op: ["Over-provisioning", "A part of the flash that is left empty, so that the drive keeps its pace."],
    dwpd: ["DWPD", "Drive writes per day: how often a drive may be written full each day."],
    ktps: ["kTPS", "1,000 operations a second at the highest load that a drive holds."],
  },
} as const satisfies Record<string, Record<string, readonly [word: string, meaning: string]>>;

type Terms = typeof TERMS;
export type TermId = { [Group in keyof Terms]: keyof Terms[Group] }[keyof Terms];

export function entryOf(id: TermId): { word: string; meaning: string } {
  const [word, meaning] = Object.assign({}, ...Object.values(TERMS))[id];
  return { word, meaning };
}
