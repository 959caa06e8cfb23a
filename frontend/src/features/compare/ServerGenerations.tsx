// Comparison of a new server with its predecessor, workload by workload, from the rounded figures of a vendor's brief.
import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type Comparison, comparisonQuery, type Gain } from "@/api/comparisons";
import { searchOf } from "@/entities/comparison/subjects";
import { ACTIONS, type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { PublicationLink } from "@/ui/links";
import { Failed, Loading } from "@/ui/states";
import { TemplateHead } from "./Templates";
import { baseText, inFlightText, newText } from "./words";

const QUESTION = "How much more does the new server do?";
const DOCUMENT = "kioxia-cd8p-ycsb-2025";
const WORKLOADS = [
  { row: "test1-r1", name: "Half reads, half updates", letter: "A" },
  { row: "test1-r2", name: "95\u00a0% reads, 5\u00a0% updates", letter: "B" },
  { row: "test1-r3", name: "Reads only", letter: "C" },
  { row: "test1-r4", name: "95\u00a0% reads, 5\u00a0% inserts", letter: "D" },
  { row: "test1-r5", name: "Half reads, half read-modify-write", letter: "F" },
] as const;
const subjectsOfRow = (row: string): string[] =>
  ["CD6-R", "CD8P-R"].map((drive) => `publication:${DOCUMENT}#${row}/${drive}`);

const gainOf = (comparison: Comparison, quantity: string) =>
  comparison.pairs[0]?.gains.find((gain) => gain.quantity === quantity) ?? null;

type Row = (typeof WORKLOADS)[number] & { comparison: Comparison | undefined };

/** Returns the column of a gain; its cell is empty if the document does not print the quantity. */
const gain = (header: string, quantity: string, text: (gain: Gain) => string) => ({
  id: header,
  header,
  accessorFn: ({ comparison }: Row) => {
    const gain = comparison === undefined ? null : gainOf(comparison, quantity);
    return gain === null ? null : text(gain);
  },
  meta: RIGHT,
});
const RATE = "throughput_ops_per_s";
const TAIL = "latency_p99_ns";
const isUnequal = ({ comparison }: Row) => comparison?.pairs[0]?.comparable === false;
const TAIL_RATIO = gain("New ÷ old", TAIL, ({ ratio_text }) => ratio_text);

const COLUMNS: Columns<Row> = [
  {
    header: "Workload",
    accessorFn: ({ name, letter }) => (
      <>
        {name}
        <div className="dim">workload {letter}</div>
      </>
    ),
    meta: ROW_HEADER,
  },
  gain("Throughput, old", RATE, baseText),
  gain("Throughput, new", RATE, newText),
  gain("More", RATE, percentText),
  { header: "In flight, old", accessorFn: ({ comparison }) => inFlightText(comparison?.subjects[0]), meta: RIGHT },
  { header: "In flight, new", accessorFn: ({ comparison }) => inFlightText(comparison?.subjects[1]), meta: RIGHT },
  gain("p99 of reads, old", TAIL, baseText),
  gain("p99 of reads, new", TAIL, newText),
  {
    ...TAIL_RATIO,
    accessorFn: (row) => (isUnequal(row) ? "unequal load" : TAIL_RATIO.accessorFn(row)),
    meta: { ...RIGHT, cell: (row) => ({ "data-faint": isUnequal(row) || undefined }) },
  },
  {
    ...ACTIONS,
    accessorFn: ({ row, letter }) => (
      <Link
        to="/compare"
        search={{ ...searchOf(subjectsOfRow(row)), operation: "read" }}
        aria-label={`Compare workload ${letter}`}
      >
        Compare
      </Link>
    ),
    meta: { className: "no-print" },
  },
];

export function ServerGenerations() {
  const answers = useQueries({
    queries: WORKLOADS.map(({ row }) => comparisonQuery(subjectsOfRow(row), { operation: "read" })),
  });
  const failed = answers.filter((answer) => answer.error !== null);
  const retry = () => {
    for (const answer of failed) void answer.refetch();
  };
  if (failed[0] !== undefined) return <Failed error={failed[0].error} what="The comparison" onRetry={retry} />;
  const comparisons = answers.flatMap((answer) => (answer.data === undefined ? [] : [answer.data]));
  if (comparisons.length < WORKLOADS.length)
    return (
      <>
        <p className="muted wrap-anywhere">{QUESTION}</p>
        <Loading what="five workloads of a published document, old server against new" lines={4} height={96} />
      </>
    );
  const rates = comparisons.flatMap((comparison) => gainOf(comparison, RATE) ?? []);
  return (
    <>
      <TemplateHead question={QUESTION} answer={generationsSentence(rates)}>
        <p>
          Old: Dell R740xd with KIOXIA CD6-R. New: Dell R770 with KIOXIA CD8P-R. Published by{" "}
          <PublicationLink slug={DOCUMENT}>KIOXIA, 2025</PublicationLink>.
        </p>
        <p className="measure muted">
          Processor, memory and drive differ: the drive alone is not shown to be the reason. Each figure is a mean of
          runs whose spread is not published, so no difference is called significant.
        </p>
        <p>
          <PublicationLink slug={DOCUMENT} hash="findings">
            In three of the five workloads the old server had more operations in flight
          </PublicationLink>
          : part of its waiting is queueing.
        </p>
      </TemplateHead>
      <section className="stack-12" aria-label="Gains by workload">
        <h2>By workload, new against old</h2>
        <DataTable
          label="Gains by workload"
          plain="cards"
          className="dense"
          columns={COLUMNS}
          rows={WORKLOADS.map((workload, index) => ({ ...workload, comparison: comparisons[index] }))}
        />
      </section>
    </>
  );
}

const percents = (gain: Gain): readonly [number, number] | null => {
  const { record_ratio_lower: lower, record_ratio_upper: upper } = gain;
  return lower === null || upper === null ? null : [100 * (lower - 1), 100 * (upper - 1)];
};

/** Returns a gain in whole percent: `79 %`, `44–45 %`. */
function percentText(gain: Gain): string {
  const ends = percents(gain);
  if (ends === null) return "not known";
  const [low, high] = ends.map(Math.round) as [number, number];
  return low === high ? `${low}\u00a0%` : `${low}–${high}\u00a0%`;
}

function generationsSentence(gains: readonly Gain[]): string {
  const ends = gains.flatMap((gain) => percents(gain) ?? []);
  if (ends.length === 0) return "The throughput of the two servers is not known.";
  const [low, high] = [Math.round(Math.min(...ends)), Math.round(Math.max(...ends))];
  return `The new server does ${low}–${high}\u00a0% more operations a second, by workload.`;
}
