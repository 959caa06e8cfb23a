// Rows of all conditions in groups that may be compared: drives of one kind, tested under the same conditions. Groups of current tests
// come first; older ones are folded. Nothing is ranked across groups.
import type { LeaderboardRow } from "@/api/types";
import { evidenceShort, generationName, metricName, overProvisioningName } from "@/entities/drive/ratings";
import { sentence } from "@/lib/words";

export type Group = {
  readonly key: string;
  readonly title: string;
  readonly conditions: string;
  /** Tests of today's tools, or one's own: open from the start. */
  readonly isCurrent: boolean;
  readonly rows: readonly LeaderboardRow[];
};

const KINDS = [
  { name: "NVMe", is: (row: LeaderboardRow) => /nvme/i.test(row.interface ?? "") },
  { name: "SATA and SAS", is: (row: LeaderboardRow) => /sata|sas/i.test(row.interface ?? "") },
  { name: "Cloud disks", is: (row: LeaderboardRow) => /cloud/i.test(row.form_factor ?? "") },
  { name: "Networked storage", is: (row: LeaderboardRow) => /network/i.test(row.form_factor ?? "") },
] as const;

const OTHER = "Other drives";

const kindOf = (row: LeaderboardRow): string => KINDS.find(({ is }) => is(row))?.name ?? OTHER;
const placeOf = (kind: string): number => {
  const place = KINDS.findIndex(({ name }) => name === kind);
  return place < 0 ? KINDS.length : place;
};

const CURRENT_TOOLS = new Set(["2-5", "6+"]);
const OWN = new Set(["measured_24h", "measured", "uploaded"]);

const isCurrent = (kind: string, rows: readonly LeaderboardRow[]): boolean =>
  rows.some((row) => row.evidence.some((one) => OWN.has(one))) ||
  (kind !== OTHER && rows.some((row) => CURRENT_TOOLS.has(row.generation)));

export function groupsOf(rows: readonly LeaderboardRow[]): Group[] {
  const found = new Map<string, LeaderboardRow[]>();
  for (const row of rows) {
    const key = [kindOf(row), row.over_provisioning.class, row.metric_class, row.generation].join(" ");
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return [...found]
    .map(([key, own]): Group & { kind: string } => {
      const [first] = own as [LeaderboardRow];
      const kind = kindOf(first);
      const evidence = [...new Set(own.flatMap((row) => row.evidence))].map(evidenceShort).join(", ");
      return {
        key,
        kind,
        title: `${kind}, ${overProvisioningName(first.over_provisioning.class)}`,
        conditions: `${sentence(generationName(first.generation))} · ${metricName(first.metric_class)} · ${evidence}`,
        isCurrent: isCurrent(kind, own),
        rows: own,
      };
    })
    .sort(
      (a, b) =>
        Number(b.isCurrent) - Number(a.isCurrent) ||
        placeOf(a.kind) - placeOf(b.kind) ||
        (b.rows[0]?.rating.passed_load ?? 0) - (a.rows[0]?.rating.passed_load ?? 0),
    );
}
