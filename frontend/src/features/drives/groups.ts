// Rows grouped by comparable conditions: same kind of drive, same test conditions. Current tests come first, older
// groups are folded. Rows are ranked only inside a group.
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
import { formatExactPercent, joinParts, sentence } from "@/lib/format";
import { groupBy } from "@/lib/groupBy";

export type Group = {
  readonly key: string;
  readonly title: string;
  readonly conditions: string;
  /** Result of the group in a sentence: `Intel DC P4610 held the most, 100x; no test went higher.` */
  readonly finding: string;
  /** Whether the tests are current or the reader's own; such groups are open from the start. */
  readonly isCurrent: boolean;
  readonly rows: readonly LeaderboardRow[];
  /** Rows tested more than five years ago, if other rows of the board are younger; otherwise empty. */
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

/** Highest number of drives listed by name; more are counted. */
const MOST_NAMED = 2;

/** Returns the drives of a group that held the highest load, and whether a test went higher, as a sentence. */
function findingOf(rows: readonly LeaderboardRow[]): string {
  const most = Math.max(0, ...rows.map(({ rating }) => rating.passed_load ?? 0));
  const failed = rows.filter(({ rating }) => rating.failed_load !== null).length;
  if (most === 0) {
    if (failed === 0) return "No test decides it.";
    return rows.length === 1
      ? "Its test failed; it is not known to hold a load."
      : `None is known to hold a load: ${countsText(rows).replace(" · ", ", ")}.`;
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

/** Returns the number of rows by result: `4 held · 1 failed · 4 undecided`. */
export const countsText = (rows: readonly LeaderboardRow[]): string =>
  COUNTED.map(({ text, is }) => ({ text, count: rows.filter(is).length }))
    .filter(({ count }) => count > 0)
    .map(({ text, count }) => `${count} ${text}`)
    .join(" · ");

/** Returns the usable share of the flash of a group that differs from most in it. */
const usableText = ({ usable_cluster, over_provisioning: { usable_ratio } }: LeaderboardRow): string =>
  !usable_cluster || usable_ratio === null ? "" : `, ${formatExactPercent(usable_ratio)} usable`;

/** Returns the record size in words; empty for rows of old editions, which do not have it. */
function recordText(bytes: number | null | undefined): string {
  if (bytes === undefined) return "";
  return bytes === null ? "record size not stated" : `records of ${bytes / 1024}\u00a0KB`;
}

/** Returns the groups of the rows; `year`: current year, from which the age of a test is counted. */
export function groupsOf(rows: readonly LeaderboardRow[], year: number): Group[] {
  // If all rows are old, they are not folded, which would leave the page empty.
  const hasYounger = rows.some((row) => latestYear(row) !== null && !isOld(row, year));
  const byConditions = groupBy(rows, (row) => {
    const { over_provisioning, metric_class, generation, usable_cluster, record_bytes } = row;
    const tested = [over_provisioning.class, metric_class, generation, usable_cluster, record_bytes ?? "not stated"];
    return [kindOf(row), ...tested].join(" ");
  });
  return [...byConditions]
    .map(([key, own]): Group & { kind: string } => {
      const [first] = own;
      const kind = kindOf(first);
      const old = hasYounger ? own.filter((row) => isOld(row, year)) : [];
      const evidence = [...new Set(own.flatMap((row) => row.evidence))].map(evidenceShort).join(", ");
      return {
        key,
        kind,
        title: `${kind}, ${overProvisioningName(first.over_provisioning.class)}${usableText(first)}`,
        conditions: joinParts([
          ...[sentence(generationName(first.generation)), metricName(first.metric_class)],
          ...[recordText(first.record_bytes), evidence],
        ]),
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
