// Text of a matrix cell: its accessible name, and the details shown on hover and focus.
import type { LeaderboardCell, LeaderboardRow } from "@/api/types";
import { allowedText, type Measure, shareName, shareText } from "@/entities/drive/measure";
import {
  CELL_WORDS,
  evidenceName,
  formatCapacity,
  generationName,
  loadText,
  metricName,
  overProvisioningName,
  shareRangeText,
} from "@/entities/drive/ratings";
import { exactPercent, formatExactPercent, plural, sentence } from "@/lib/format";

/** Returns the accessible name of a cell: load, state and shares. */
export function cellName(cell: LeaderboardCell, measure: Measure): string {
  const shares = cell.exceedances
    .filter((range) => shareRangeText(range, measure.limits) !== null)
    .map((range) => shareText(measure, range));
  return [`${loadText(cell.load)} ${CELL_WORDS[cell.state].word}`, ...shares].join(", ");
}

export type ShareLine = {
  readonly name: string;
  readonly share: string;
  readonly exact: string;
  readonly limit: string;
};

/** Returns a line per threshold: exact share and limit. */
export function shareLines(cell: LeaderboardCell, measure: Measure): ShareLine[] {
  const thresholds = new Set([
    ...measure.limits.map((limit) => limit.threshold_ns),
    ...cell.exceedances.map((range) => range.threshold_ns),
  ]);
  return [...thresholds]
    .sort((a, b) => a - b)
    .map((threshold_ns): ShareLine => {
      const range = cell.exceedances.find((exceedance) => exceedance.threshold_ns === threshold_ns);
      return {
        name: shareName(measure, threshold_ns),
        share: range === undefined ? "not on record" : (shareRangeText(range, measure.limits) ?? "not known"),
        exact:
          range === undefined
            ? ""
            : range.lower_ratio === range.upper_ratio
              ? exactPercent(range.lower_ratio)
              : `${exactPercent(range.lower_ratio)} to ${exactPercent(range.upper_ratio)}`,
        limit: allowedText(measure, threshold_ns),
      };
    });
}

const BASIS: Record<string, string> = {
  every_hour: "Every full hour was judged.",
  whole_run: "The test was judged as a whole: its hours are not on record.",
};

/** Returns the reasons for a cell's state as sentences. */
export function cellNotes(cell: LeaderboardCell, row: LeaderboardRow): string[] {
  const tests = cell.test_ids.length;
  return [
    cell.reason === null ? null : endSentence(sentence(cell.reason)),
    cell.basis === null ? null : (BASIS[cell.basis] ?? null),
    cell.disagree ? "Tests of this load say different things." : null,
    tests === 0 ? null : `${plural(tests, "test")}: ${row.evidence.map(evidenceName).join(", ")}.`,
  ].filter((note) => note !== null);
}

const endSentence = (text: string): string => (/[.?]$/.test(text) ? text : `${text}.`);

/** Returns the conditions that distinguish rows of the same drive: `400 GB · over-provisioned`. */
export function rowConditions(row: LeaderboardRow, all: boolean): string {
  const op = row.over_provisioning;
  const usable =
    op.class === "over_provisioned" && op.usable_ratio !== null
      ? ` (${formatExactPercent(Number(op.usable_ratio.toPrecision(3)))} usable)`
      : "";
  return [
    row.capacity_bytes === null ? "capacity not stated" : formatCapacity(row.capacity_bytes),
    ...(row.firmware === null ? [] : [`firmware ${row.firmware}`]),
    ...(all
      ? [`${overProvisioningName(op.class)}${usable}`, metricName(row.metric_class), generationName(row.generation)]
      : []),
  ].join(" · ");
}
