// Glossary terms of the product, as in docs/language.md.
type Entry = { readonly id: string; readonly word: string; readonly meaning: string };
type Group = { readonly title: string; readonly terms: readonly Entry[] };

export const TERMS = [
  {
    title: "Verdicts",
    terms: [
      {
        id: "pass",
        word: "PASS",
        meaning: "The question is met: in this run by its counts, or proven for the next run.",
      },
      {
        id: "fail",
        word: "FAIL",
        meaning: "The question is not met: in this run by its counts, or proven for the next run.",
      },
      {
        id: "proven",
        word: "Proven, in this run",
        meaning:
          "In this run: counted, with the bounds of its buckets. Proven: the same system would do it again, with 95\u00a0% confidence.",
      },
      {
        id: "indeterminate",
        word: "Undecided (INDETERMINATE)",
        meaning:
          "The record does not decide it, even for this run. Beside it stand the reason and what would decide it.",
      },
      {
        id: "evidence",
        word: "Evidence",
        meaning: "What supports a verdict: operations counted, time measured, facts stated.",
      },
      {
        id: "bounds",
        word: "Bounds",
        meaning: "The two ends that a quantity surely lies between, by the counts in the buckets.",
      },
      {
        id: "disclosure",
        word: "Disclosure",
        meaning: "The facts that others need to repeat a run: drive, host, load, versions.",
      },
      { id: "bucket", word: "Bucket", meaning: "A range of latencies in which operations are counted." },
    ],
  },
  {
    title: "Questions",
    terms: [
      {
        id: "transaction",
        word: "Transaction",
        meaning: "One request of an application. It makes several operations, one after another or at once.",
      },
      {
        id: "window",
        word: "Window and deadline",
        meaning: "The time a transaction may take. Its end is the deadline.",
      },
      {
        id: "headroom",
        word: "Headroom, room left",
        meaning: "The window minus the time kept for other work minus the time that the operations take.",
      },
      {
        id: "objective",
        word: "Objective and success rate",
        meaning: "The share of transactions that must end inside the deadline, and the share that does.",
      },
      {
        id: "limits",
        word: "Limits",
        meaning: "The largest share of operations that may take longer than a given time.",
      },
      { id: "budget", word: "Budget", meaning: "A question with a name and a version, by which runs are judged." },
    ],
  },
  {
    title: "Measurements",
    terms: [
      { id: "run", word: "Run", meaning: "One measurement: one load for one time, by an agent or from result files." },
      {
        id: "load",
        word: "1x, 3x, 145x",
        meaning: "The load of the ACT test. 1x is 2,000 reads and 1,000 writes of 1.5 KB a second on one drive.",
      },
      { id: "slice", word: "Slice", meaning: "A fixed piece of a run’s time." },
      {
        id: "response-time",
        word: "Response time",
        meaning: "From the moment that the schedule intended the operation until it completed.",
      },
      {
        id: "service-time",
        word: "Service time",
        meaning: "From sending the operation until it completed, without waiting before.",
      },
      {
        id: "closed-loop",
        word: "Closed loop",
        meaning:
          "The tool waits for each answer before it sends again. Slow moments are counted too seldom, so nothing passes.",
      },
      {
        id: "unreliable-slice",
        word: "Unreliable slice",
        meaning: "A slice in which the load generator was late or short of processor time. It proves no FAIL.",
      },
      {
        id: "late-generator",
        word: "Load generator late",
        meaning: "The agent could not keep its schedule, so the drive had less load than intended.",
      },
    ],
  },
  {
    title: "Drives",
    terms: [
      { id: "conditions", word: "Conditions", meaning: "What must be equal for two tests to be compared." },
      {
        id: "rank",
        word: "Rank 1–4",
        meaning: "The tests cannot separate these drives more closely: it may be first or fourth.",
      },
      {
        id: "op",
        word: "Over-provisioning",
        meaning: "A part of the flash that is left empty, so that the drive keeps its pace.",
      },
      { id: "dwpd", word: "DWPD", meaning: "Drive writes per day: how often a drive may be written full each day." },
      { id: "ktps", word: "kTPS", meaning: "1,000 operations a second at the highest load that a drive holds." },
    ],
  },
] as const satisfies readonly Group[];

export type TermId = (typeof TERMS)[number]["terms"][number]["id"];

export function entryOf(id: TermId): Entry {
  for (const group of TERMS) for (const entry of group.terms) if (entry.id === id) return entry;
  throw new Error(`no term ${id}`);
}
