// Printed figures of each phase of a document about two networks, and the share of each link that its reads need.
import type { Publication } from "@/api/publications";

export const LINKS_BITS_PER_S = [10e9, 40e9] as const;
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
