// Rows of all conditions in groups that may be compared: drives of one kind, tested under the same conditions. Groups of current tests
// come first; older ones are folded. Nothing is ranked across groups.
import type { LeaderboardRow } from "@/api/types";
import {
  beyondText,
  evidenceShort,
  generationName,
  isOld,
  latestYear,
  loadText,
  metricName,
  overProvisioningName,
  rowName,
} from "@/entities/drive/ratings";
import { sentence } from "@/lib/words";

export type Group = {
  readonly key: string;
  readonly title: string;
  readonly conditions: string;
  /** `Intel DC P4610 held the most, 100x; no test went higher.` Only of these rows, which may be compared. */
  readonly finding: string;
  /** Tests of today's tools, or one's own: open from the start. */
  readonly isCurrent: boolean;
  readonly rows: readonly LeaderboardRow[];
  /** Of these, those tested more than five years ago, where the board has younger rows. */
  readonly old: readonly LeaderboardRow[];
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
  rows.some((row) => row.evidence.some((kind) => OWN.has(kind))) ||
  (kind !== OTHER && rows.some((row) => CURRENT_TOOLS.has(row.generation)));

/** Named one by one; more than these are counted. */
const MOST_NAMED = 2;

/** What the rows of a group say together: who held the most, and whether a test went higher. */
function findingOf(rows: readonly LeaderboardRow[]): string {
  const most = Math.max(0, ...rows.map(({ rating }) => rating.passed_load ?? 0));
  const failed = rows.filter(({ rating }) => rating.failed_load !== null).length;
  if (most === 0) {
    if (failed === 0) return "No test decides it.";
    return rows.length === 1
      ? "Its test failed; it is not known to hold a load."
      : `None is known to hold a load: ${failed} failed, ${rows.length - failed} undecided.`;
  }
  const leading = rows.filter(({ rating }) => rating.passed_load === most);
  const named = leading.slice(0, MOST_NAMED).map(rowName);
  const names =
    leading.length > MOST_NAMED
      ? `${leading.length} drives`
      : named.join(" and ") + (leading.length > 1 ? " both" : "");
  const tops = leading.map((row) => beyondText(row));
  const beyond = tops.every((text) => text === "untested")
    ? "no test went higher"
    : leading.length === 1
      ? tops[0]?.startsWith("undecided")
        ? `${tops[0].replace("undecided", "undecided at")}`
        : `it failed at ${tops[0]}`
      : `${tops.filter((text) => !/^u/.test(text)).length} of them failed above`;
  return `${names} held ${rows.length === 1 ? "" : "the most, "}${loadText(most)}; ${beyond}.`;
}

const COUNTED = [
  { text: "held", is: ({ rating }: LeaderboardRow) => rating.passed_load !== null },
  {
    text: "failed",
    is: ({ rating }: LeaderboardRow) => rating.passed_load === null && rating.failed_load !== null,
  },
  {
    text: "undecided",
    is: ({ rating }: LeaderboardRow) => rating.passed_load === null && rating.failed_load === null,
  },
] as const;

/** `4 held · 1 failed · 4 undecided`. */
export const countsText = (rows: readonly LeaderboardRow[]): string =>
  COUNTED.map(({ text, is }) => ({ text, count: rows.filter(is).length }))
    .filter(({ count }) => count > 0)
    .map(({ text, count }) => `${count} ${text}`)
    .join(" · ");

/** `year`: this year, for the age of a row. */
export function groupsOf(rows: readonly LeaderboardRow[], year: number): Group[] {
  // Where every row is old, folding them would leave an empty page; the page says their age instead.
  const hasYounger = rows.some((row) => latestYear(row) !== null && !isOld(row, year));
  const byConditions = new Map<string, LeaderboardRow[]>();
  for (const row of rows) {
    const key = [kindOf(row), row.over_provisioning.class, row.metric_class, row.generation].join(" ");
    byConditions.set(key, [...(byConditions.get(key) ?? []), row]);
  }
  return [...byConditions]
    .map(([key, own]): Group & { kind: string } => {
      const [first] = own as [LeaderboardRow];
      const kind = kindOf(first);
      const old = hasYounger ? own.filter((row) => isOld(row, year)) : [];
      const evidence = [...new Set(own.flatMap((row) => row.evidence))].map(evidenceShort).join(", ");
      return {
        key,
        kind,
        title: `${kind}, ${overProvisioningName(first.over_provisioning.class)}`,
        conditions: `${sentence(generationName(first.generation))} · ${metricName(first.metric_class)} · ${evidence}`,
        finding: findingOf(own),
        isCurrent: isCurrent(kind, own) && old.length < own.length,
        rows: own,
        old,
      };
    })
    .sort(
      (a, b) =>
        Number(b.isCurrent) - Number(a.isCurrent) ||
        placeOf(a.kind) - placeOf(b.kind) ||
        (b.rows[0]?.rating.passed_load ?? 0) - (a.rows[0]?.rating.passed_load ?? 0),
    );
}
