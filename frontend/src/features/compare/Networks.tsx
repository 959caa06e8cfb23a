// Comparison of two networks, phase by phase: findings of a report, and the link share that its rates need.
import { useQuery } from "@tanstack/react-query";
import { type Publication, publicationQuery } from "@/api/publications";
import { formatCount } from "@/lib/format";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { PublicationLink } from "@/ui/links";
import { QueryView } from "@/ui/states";
import { TemplateHead } from "./Templates";

const DOCUMENT = "demartek-fraud-r730xd-2015";

const LINKS_BITS_PER_S = [10e9, 40e9] as const;

const COLUMNS: Columns<Phase> = [
  { header: "Phase", accessorKey: "label", meta: { isRowHeader: true } },
  { header: "Reads", accessorFn: ({ readsPerS }) => `${formatCount(readsPerS)}/s`, meta: RIGHT },
  { header: "Updates", accessorFn: ({ updatesPerS }) => `${formatCount(updatesPerS)}/s`, meta: RIGHT },
  {
    header: "Sent at least",
    accessorFn: ({ bitsPerS }) => `${(Math.floor(bitsPerS / 1e8) / 10).toFixed(1)}\u00a0Gbit/s`,
    meta: RIGHT,
  },
  ...LINKS_BITS_PER_S.map((link) => ({
    header: `Of ${link / 1e9}\u00a0GbE`,
    accessorFn: ({ bitsPerS }: Phase) => fillText(bitsPerS, link),
    meta: RIGHT,
  })),
];

export function Networks() {
  const publication = useQuery(publicationQuery(DOCUMENT));
  if (publication.data === undefined)
    return <QueryView query={publication} what="the comparison" lines={4} height={96} />;
  const phases = phasesOf(publication.data);
  return (
    <>
      <TemplateHead question="Does a faster network help?" answer={networksSentence(phases)}>
        <p className="measure muted">
          The report says that 10 and 40&nbsp;GbE do not differ significantly in any phase, and elsewhere that
          40&nbsp;GbE lowers latency. Its charts are pictures without figures, so neither can be recomputed.
        </p>
        <p>
          <PublicationLink slug={DOCUMENT} hash="findings">
            What the checks found in this report
          </PublicationLink>
        </p>
      </TemplateHead>
      <section className="stack-12" aria-label="Load of the network by phase">
        <h2>By phase, what one server sends at least</h2>
        <DataTable label="Load of the network by phase" plain="cards" columns={COLUMNS} rows={phases} />
        <p className="dim">
          Objects of 900 bytes that are read, divided evenly among four servers. Headers, updates and copies between the
          servers come on top.
        </p>
      </section>
    </>
  );
}

const BITS = 8;

export type Phase = {
  row: string;
  label: string;
  readsPerS: number;
  updatesPerS: number;
  /** Payload of the reads per server in bits per second, assuming equal servers; a lower bound, without headers. */
  bitsPerS: number;
};

const printedValue = (publication: Publication, table: string, row: string, key: string): number | null =>
  publication.tables
    .find((candidate) => candidate.id === table)
    ?.rows.find((candidate) => candidate.row === row)
    ?.claims.find((claim) => claim.key === `${row}/${key}`)?.printed.lower ?? null;

/** Returns the phases with reads; empty if the object size or the number of servers is not printed. */
export function phasesOf(publication: Publication): Phase[] {
  const size = printedValue(publication, "params", "object-size", "value");
  const servers = printedValue(publication, "params", "nodes", "value");
  if (size === null || servers === null || servers <= 0) return [];
  return (publication.tables.find((table) => table.id === "phases")?.rows ?? []).flatMap(({ row, label }) => {
    const readsPerS = printedValue(publication, "phases", row, "reads");
    if (readsPerS === null) return [];
    const updatesPerS = printedValue(publication, "phases", row, "updates") ?? 0;
    return [{ row, label: label ?? row, readsPerS, updatesPerS, bitsPerS: (readsPerS * size * BITS) / servers }];
  });
}

/** Returns the used share of a link, rounded down: `18 %`. */
export const fillText = (bitsPerS: number, link: number): string => `${Math.floor((100 * bitsPerS) / link)}\u00a0%`;

export function networksSentence(phases: readonly Phase[]): string {
  if (phases.length === 0) return "Whether the faster network is faster is not shown.";
  const most = Math.max(...phases.map((phase) => phase.bitsPerS));
  return `Whether 40\u00a0GbE is faster is not shown: no figure of either is printed, and reads fill ${fillText(most, LINKS_BITS_PER_S[0])} of 10\u00a0GbE at least.`;
}
