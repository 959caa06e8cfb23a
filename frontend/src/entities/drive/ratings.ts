// Texts for ratings of drives: result by load, conditions, and certainty of the rank. Untested loads are named, never
// interpolated.
import type { LeaderboardRow, Schemas } from "@/api/types";
import { formatExactLatency, formatExactPercent, formatPercent, formatSpan, joinParts, plural } from "@/lib/format";
import { toFigures } from "@/lib/rounding";
import { shareEndText, shareText } from "@/lib/shares";

const NBSP = "\u00a0";

export type CellState = "passed" | "failed" | "undecided" | "bounded" | "untested";

/** Cell states in the order of the legend. */
export const CELL_STATES: readonly CellState[] = ["passed", "failed", "undecided", "bounded", "untested"];

export const CELL_WORDS: Record<CellState, { readonly word: string; readonly meaning: string }> = {
  passed: { word: "passed", meaning: "tested, and keeps every limit" },
  failed: { word: "failed", meaning: "tested, and breaks a limit" },
  undecided: { word: "undecided", meaning: "tested, but the record does not decide it" },
  bounded: { word: "bounded", meaning: "not tested; neighbouring loads leave a part open" },
  untested: { word: "never tested", meaning: "and no neighbour says anything" },
};

/** Formats a load, `6x` or `62.5x`: a multiple of 2,000 reads and 1,000 writes per second. */
export const loadText = (load: number): string => `${String(Number(load.toPrecision(4)))}x`;

export const LOAD_MEANING = "1x is 2,000 reads and 1,000 writes of 1.5 KB per second on one device";

export type RatingLike = Pick<Schemas["RatingOut"], "passed_load" | "failed_load" | "never_tested_above">;

/** Returns a rating for lists, `Holds 3x · fails 6x`; `null` if no test decides. */
export function ratingText({ passed_load: passed, failed_load: failed }: RatingLike): string | null {
  if (passed === null) return failed === null ? null : `Fails ${loadText(failed)}`;
  return `Holds ${loadText(passed)}${failed === null ? "" : ` · fails ${loadText(failed)}`}`;
}

/** Returns a rating in words: `passed at 3x, failed at 6x`. */
export function ratingMeaning({ passed_load: passed, failed_load: failed, never_tested_above }: RatingLike): string {
  if (passed === null) {
    if (failed === null) return "no test decides it";
    // Lower loads can be tested but undecided.
    return `failed at ${loadText(failed)}; no lower load is known that it passes`;
  }
  const held = `passed at ${loadText(passed)}`;
  if (failed !== null) return `${held}, failed at ${loadText(failed)}`;
  return never_tested_above ? `${held}, never tested above` : `${held}; above it no test decides`;
}

type TestedLike = Pick<LeaderboardRow, "rating" | "cells">;

/** Returns the result above the highest passed load: `6x`, `undecided 12x` or `untested`. */
export function beyondText({ rating, cells }: TestedLike): string {
  if (rating.failed_load !== null) return loadText(rating.failed_load);
  const undecided = cells.find(
    ({ load, state, test_ids }) => test_ids.length > 0 && state === "undecided" && load > (rating.passed_load ?? 0),
  );
  return undecided === undefined ? "untested" : `undecided ${loadText(undecided.load)}`;
}

/** Returns the share over the first threshold at the deciding load: the highest passed, else the lowest failed. */
export function decidingRange({ rating, cells }: TestedLike): RangeLike | null {
  const load = rating.passed_load ?? rating.failed_load;
  return cells.find((cell) => cell.load === load)?.exceedances[0] ?? null;
}

type DatedRow = Pick<LeaderboardRow, "tested_year" | "published_year">;

/** Age in years above which a test says little about drives on sale. */
export const OLD_YEARS = 5;

/** Returns the year of the latest test, or of its publication; `null` if no source states a date. */
export const latestYear = (row: DatedRow): number | null => row.tested_year ?? row.published_year;

/** Returns whether the latest test is older than five years; false without a date. */
export function isOld(row: DatedRow, year: number): boolean {
  const latest = latestYear(row);
  return latest !== null && year - latest > OLD_YEARS;
}

/** Returns the year of the latest test: `2012`, `by 2019` if only the document has a date, or `not stated`. */
export const testYearText = (row: DatedRow): string =>
  row.tested_year !== null
    ? String(row.tested_year)
    : row.published_year === null
      ? "not stated"
      : `by ${row.published_year}`;

/** Returns the length of the longest test: `24 h` or `not stated`. */
export const testLengthText = ({ longest_test_ns: length }: Pick<OriginLike, "longest_test_ns">): string =>
  length === null ? "not stated" : formatSpan(length);

/** Returns the testers: `its vendor`, publishers, `me`, or a number of organisations; several if the tests differ. */
export const testedByText = ({ tested_by: testers }: Pick<OriginLike, "tested_by">): string =>
  testers.join(", ") || "not stated";

type OriginLike = DatedRow & Pick<LeaderboardRow, "tested_by" | "longest_test_ns" | "firmwares" | "standing">;

/** Returns testers, year, length and other stated facts: `tested by: its vendor · year: by 2019 · length: 24 h`. */
export const originText = (row: OriginLike): string =>
  joinParts([
    `tested by: ${testedByText(row)}`,
    `year: ${testYearText(row)}`,
    `length: ${testLengthText(row)}`,
    row.firmwares.length === 0 ? null : `firmware: ${row.firmwares.join(", ")}`,
    row.standing.standing === "self-reported" ? null : row.standing.standing,
    triesText(row.standing),
  ]);

type StandingLike = Schemas["StandingOut"];

/** Returns `5 runs made, 1 published`; `null` if all runs are published or their number is unknown. */
export const triesText = ({
  runs_made: made,
  runs_published: published,
}: Pick<StandingLike, "runs_made" | "runs_published">): string | null =>
  made === null || made <= published ? null : `${plural(made, "run")} made, ${published} published`;

/** Returns the reason for a row's standing, its numbers of tests and testers, and the spread between its drives. */
export function standingText(standing: StandingLike): string {
  const { reason, tests, testers, serials, spread_ratio: spread } = standing;
  const counts = [plural(tests, "test"), plural(testers, "tester"), serials > 0 ? plural(serials, "drive") : null];
  const apart = spread === null ? "" : ` Drives differ by ${formatPercent(spread)} of the first limit.`;
  const tries = triesText(standing);
  return `${reason} ${counts.filter((count) => count !== null).join(", ")}.${tries === null ? "" : ` ${tries}.`}${apart}`;
}

/** Returns a rating as a sentence without full stop. */
export function ratingSentence({ passed_load: passed, failed_load: failed, never_tested_above }: RatingLike): string {
  if (passed === null) {
    if (failed === null) return "No test decides it";
    return `Fails at ${loadText(failed)}; no load is known that it passes`;
  }
  if (failed !== null) return `Holds ${loadText(passed)}, fails at ${loadText(failed)}`;
  return never_tested_above
    ? `Holds ${loadText(passed)}; never tested above`
    : `Holds ${loadText(passed)}; above it no test decides`;
}

export type RankLike = { readonly best: number; readonly worst: number; readonly among: number };

/** Returns the rank, `1–4`, or `3` if its bounds are equal. */
export const rankText = ({ best, worst }: RankLike): string =>
  best === worst ? String(best) : `${String(best)}–${String(worst)}`;

export const rankMeaning = ({ best, worst, among }: RankLike): string =>
  best === worst
    ? `place ${best} of ${among}`
    : `anywhere from place ${best} to ${worst} of ${among}: the tests cannot separate them`;

export type RangeLike = { readonly threshold_ns: number; readonly lower_ratio: number; readonly upper_ratio: number };

/** Distance from 0 or 1 below which a bound is left out. */
const NEGLIGIBLE_RATIO = 1e-6;

export type LimitOfRating = { readonly threshold_ns: number; readonly limit_ratio: number };

/**
 * Formats a share with bounds: `5.35–5.45 %`, `≤ 5.4 %`, `≥ 5 %`; `null` if neither bound is informative. Rounding never
 * moves a bound across the limit for its threshold: 4.985 % is `4.99 %` where less than 5 % is asked.
 */
export function shareRangeText(range: RangeLike, limits: readonly LimitOfRating[]): string | null {
  const { threshold_ns, lower_ratio: lower, upper_ratio: upper } = range;
  const limit = limits.find((candidate) => candidate.threshold_ns === threshold_ns)?.limit_ratio ?? null;
  // A bound printed as 0 or 100 % carries no information.
  const open = { below: lower < NEGLIGIBLE_RATIO, above: upper > 1 - NEGLIGIBLE_RATIO };
  if (lower === upper) return shareEndText(lower, "nearest", { limit });
  if (open.below && open.above) return null;
  if (open.below) return `≤${NBSP}${shareEndText(upper, "up", { limit })}`;
  if (open.above) return `≥${NBSP}${shareEndText(lower, "down", { limit })}`;
  return shareText(lower, upper, { limit });
}

/** Returns a limit in words: `< 5 % over 1 ms`. A read that takes exactly the threshold counts as over it. */
export const limitWords = ({ threshold_ns, limit_ratio }: LimitOfRating): string =>
  `<${NBSP}${formatExactPercent(limit_ratio)} over ${formatExactLatency(threshold_ns)}`;

type DriveLike = { readonly vendor: string; readonly name: string };

/** Returns a drive's name with its vendor, unless it already begins with it: `Intel DC S3700`. */
export const driveName = ({ vendor, name }: DriveLike): string =>
  vendor === "unknown" || name.toLowerCase().startsWith(vendor.toLowerCase()) ? name : `${vendor} ${name}`;

const METRICS: Record<string, { name: string; meaning: string }> = {
  total: { name: "response time (total)", meaning: "with the time that reads wait in queues" },
  device: { name: "service time (device only)", meaning: "on the drive alone" },
  unstated: { name: "timing not stated", meaning: "the source does not say what was timed" },
};

export const metricName = (metric: string): string => METRICS[metric]?.name ?? metric;
export const metricMeaning = (metric: string): string =>
  METRICS[metric]?.meaning ?? "a class that this page does not know";

const OVER_PROVISIONING: Record<string, string> = {
  none: "no over-provisioning",
  over_provisioned: "over-provisioned",
  unstated: "over-provisioning not stated",
};

export const overProvisioningName = (op: string): string => OVER_PROVISIONING[op] ?? op;

const GENERATIONS: Record<string, string> = {
  "before-2.0": "ACT before 2.0",
  "2-5": "ACT 2 to 5",
  "6+": "ACT 6 and later",
  unstated: "generation of the tool not stated",
};

export const generationName = (generation: string): string => GENERATIONS[generation] ?? generation;

const EVIDENCE_WORDS: Record<string, { name: string; short: string }> = {
  measured_24h: { name: "measured for 24\u00a0h or more", short: "measured 24\u00a0h" },
  measured: { name: "measured for less than 24\u00a0h", short: "measured" },
  uploaded: { name: "uploaded log", short: "uploaded" },
  third_party: { name: "tested by a third party", short: "third party" },
  vendor: { name: "tested by its vendor", short: "its vendor" },
};

export const evidenceName = (evidence: string): string => EVIDENCE_WORDS[evidence]?.name ?? evidence;
export const evidenceShort = (evidence: string): string => EVIDENCE_WORDS[evidence]?.short ?? evidence;

const DRIVE_UNITS = ["B", "kB", "MB", "GB", "TB", "PB"] as const;
const TERABYTES = DRIVE_UNITS.indexOf("TB");

/** Formats a capacity in decimal units, as on drive labels: `400 GB`, `1.6 TB`, `15.36 TB`. */
export function formatCapacity(bytes: number): string {
  let size = bytes;
  let step = 0;
  while (size >= 1000 && step < DRIVE_UNITS.length - 1) {
    size /= 1000;
    step += 1;
  }
  return `${Number(step < TERABYTES ? toFigures(size) : size.toFixed(2))}${NBSP}${DRIVE_UNITS[step]}`;
}

/** Returns a row's drive name and capacity: `Intel DC P4610 6.4 TB`. */
export const rowName = ({
  drive,
  capacity_bytes: bytes,
}: {
  drive: DriveLike;
  capacity_bytes: number | null;
}): string => (bytes === null ? driveName(drive) : `${driveName(drive)} ${formatCapacity(bytes)}`);
