// What is on the page as files: the rows of the question in their order, the columns that are shown, every number exact and in
// the unit that its header names.
import type { Leaderboard, LeaderboardRow, WithdrawnTest } from "@/api/types";
import { loadText } from "@/entities/drive/ratings";
import type { Cell } from "@/lib/csv";
import type { Column, ColumnKey } from "./columns";
import { type Measure, measureOf, shareName } from "./measure";

type Part = { readonly header: string; readonly value: (row: LeaderboardRow) => Cell };

/** What says which row it is; hidden columns do not take it away. */
const IDENTITY: readonly Part[] = [
  { header: "row_id", value: (row) => row.row_id },
  { header: "drive", value: (row) => row.drive.name },
  { header: "vendor", value: (row) => row.drive.vendor },
  { header: "capacity_bytes", value: (row) => row.capacity_bytes },
  { header: "over_provisioning", value: (row) => row.over_provisioning.class },
  { header: "usable_ratio", value: (row) => row.over_provisioning.usable_ratio },
  { header: "timed", value: (row) => row.metric_class },
  { header: "tool_generation", value: (row) => row.generation },
  { header: "visibility", value: (row) => row.visibility },
  { header: "marks", value: (row) => row.marks.join(" ") },
  { header: "withdrawn_load", value: () => null },
  { header: "withdrawn_at", value: () => null },
  { header: "withdrawal_reason", value: () => null },
];

const VALUES: Record<Column["key"], readonly Part[]> = {
  rating: [
    { header: "rating_passed_load", value: (row) => row.rating.passed_load },
    { header: "rating_failed_load", value: (row) => row.rating.failed_load },
    { header: "never_tested_above", value: (row) => String(row.rating.never_tested_above) },
  ],
  rank: [
    { header: "rank_best", value: (row) => row.rank?.best ?? null },
    { header: "rank_worst", value: (row) => row.rank?.worst ?? null },
    { header: "rank_among", value: (row) => row.rank?.among ?? null },
  ],
  exceedance: [
    { header: "common_load", value: (row) => row.exceedance_at_common?.load ?? null },
    { header: "common_threshold_ns", value: (row) => row.exceedance_at_common?.threshold_ns ?? null },
    { header: "common_lower_ratio", value: (row) => row.exceedance_at_common?.lower_ratio ?? null },
    { header: "common_upper_ratio", value: (row) => row.exceedance_at_common?.upper_ratio ?? null },
  ],
  // Capacity says which row it is, and stands there already.
  capacity: [],
  interface: [{ header: "interface", value: (row) => row.interface }],
  form_factor: [{ header: "form_factor", value: (row) => row.form_factor }],
  dwpd: [{ header: "dwpd", value: (row) => row.dwpd }],
  power: [{ header: "power_w", value: (row) => row.power_w }],
  price: [
    { header: "price", value: (row) => row.price?.value ?? null },
    { header: "price_currency", value: (row) => row.price?.currency ?? null },
    { header: "price_date", value: (row) => row.price?.date ?? null },
    { header: "price_source", value: (row) => row.price?.source ?? null },
  ],
  price_per_ktps: [{ header: "price_per_ktps", value: (row) => row.price_per_ktps }],
  price_per_thousand_transactions: [
    { header: "price_per_thousand_transactions", value: (row) => row.price_per_thousand_transactions },
  ],
  watts_per_ktps: [{ header: "watts_per_ktps", value: (row) => row.watts_per_ktps }],
  evidence: [{ header: "evidence", value: (row) => row.evidence.join(" ") }],
  tests: [{ header: "tests", value: (row) => row.test_count }],
};

/** The state of each load, and the bounds of each share that a limit is about. */
function loadParts(loads: readonly number[], measure: Measure): Part[] {
  return loads.flatMap((load, index): Part[] => [
    { header: loadText(load), value: (row) => row.cells[index]?.state ?? null },
    ...measure.limits.flatMap(({ threshold_ns }): Part[] => {
      const range = (row: LeaderboardRow) =>
        row.cells[index]?.exceedances.find((one) => one.threshold_ns === threshold_ns);
      const name = `${loadText(load)} ${shareName(measure, threshold_ns).replace("\u00a0", " ")}`;
      return [
        { header: `${name} lower_ratio`, value: (row) => range(row)?.lower_ratio ?? null },
        { header: `${name} upper_ratio`, value: (row) => range(row)?.upper_ratio ?? null },
      ];
    }),
  ]);
}

/** What is left of a withdrawn test, by column. */
const leftOf = (one: WithdrawnTest): Record<string, Cell> => ({
  drive: one.drive.name,
  vendor: one.drive.vendor,
  capacity_bytes: one.capacity_bytes,
  visibility: "retracted",
  withdrawn_load: one.load,
  withdrawn_at: one.withdrawn_at,
  withdrawal_reason: one.reason,
});

export function tableOf(answer: Leaderboard, chosen: readonly ColumnKey[]): { header: string[]; rows: Cell[][] } {
  const parts = [
    ...IDENTITY,
    ...chosen.flatMap((key) => (key === "loads" ? loadParts(answer.loads, measureOf(answer)) : VALUES[key])),
  ];
  return {
    header: parts.map(({ header }) => header),
    rows: [
      ...answer.rows.map((row) => parts.map(({ value }) => value(row))),
      ...answer.withdrawn.map((one) => parts.map(({ header }) => leftOf(one)[header] ?? null)),
    ],
  };
}

/** The answer itself: the question, the conditions and every row, as the API gives them. */
export const documentOf = ({ next_cursor: _, ...answer }: Leaderboard): string =>
  `${JSON.stringify(answer, null, 2)}\n`;
