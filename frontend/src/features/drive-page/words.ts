// Text for a rating and its conditions.

import {
  formatCapacity,
  generationName,
  loadText,
  metricName,
  overProvisioningName,
  type RankLike,
  type RatingLike,
} from "@/entities/drive/ratings";
import { plainSentence, type Sentence } from "@/entities/verdict/answer";
import type { Judged } from "@/entities/verdict/words";
import { dayAsPrinted, formatExactPercent } from "@/lib/format";

const under = (count: number, total: number): string =>
  total === 1 ? "" : ` under ${count} of ${total} sets of conditions`;

/** Returns the answer over all ratings: highest load held, number of sets of conditions, lowest failed load. */
export function answerOf(rows: readonly { readonly rating: RatingLike }[]): {
  readonly of: Judged;
  readonly sentence: Sentence;
  readonly fact: string | null;
} {
  const held = rows.map(({ rating }) => rating.passed_load ?? 0);
  const failures = rows.flatMap(({ rating }) => rating.failed_load ?? []);
  const [least, most, lowestFailure] = [Math.min(...held), Math.max(...held), Math.min(...failures)];
  const fact =
    failures.length === 0
      ? null
      : `fails at ${loadText(lowestFailure)}${under(failures.filter((load) => load === lowestFailure).length, rows.length)}`;
  if (most === 0)
    return {
      of: { verdict: failures.length === 0 ? "INDETERMINATE" : "FAIL", strength: "observed" },
      sentence: plainSentence("No load is known that it passes."),
      fact,
    };
  const count = held.filter((load) => load === most).length;
  const rest = least > 0 && least < most ? `, ${loadText(least)} under all` : "";
  return {
    of: { verdict: "PASS", strength: "observed" },
    sentence: { before: "Holds ", key: loadText(most), after: `${under(count, rows.length)}${rest}.` },
    fact: fact ?? "no test failed",
  };
}

/** Returns the rank, or its range: `rank 3 of 10`, `rank 1–4 of 10`; null without a rank. */
export function rankSentence(rank: RankLike | null): string | null {
  if (rank === null) return null;
  if (rank.among === 1) return "the only one under these conditions";
  const place = rank.best === rank.worst ? String(rank.best) : `${rank.best}–${rank.worst}`;
  return `rank ${place} of ${rank.among} under these conditions`;
}

export type ConditionsLike = {
  readonly capacity_bytes: number | null;
  readonly over_provisioning: { readonly class: string; readonly usable_ratio: number | null };
  readonly metric_class: string;
  readonly generation: string;
  readonly firmware?: string | null;
};

const PARTS = {
  capacity: ({ capacity_bytes: bytes }: ConditionsLike) =>
    bytes === null ? "capacity not stated" : formatCapacity(bytes),
  op: ({ over_provisioning: op }: ConditionsLike) =>
    op.usable_ratio === null || op.class !== "over_provisioned"
      ? overProvisioningName(op.class)
      : `${overProvisioningName(op.class)}, ${formatExactPercent(op.usable_ratio)} usable`,
  metric: ({ metric_class }: ConditionsLike) => metricName(metric_class),
  generation: ({ generation }: ConditionsLike) => generationName(generation),
  firmware: ({ firmware }: ConditionsLike) => (firmware == null ? "" : `firmware ${firmware}`),
} as const;

type Part = keyof typeof PARTS;

const NAMES = Object.keys(PARTS) as Part[];

/** Returns the given conditions of a row as text, without those that are not stated. */
const wordsOf = (parts: readonly Part[], row: ConditionsLike): string =>
  parts
    .map((part) => PARTS[part](row))
    .filter((text) => text !== "")
    .join(" · ");

export const conditionWords = (row: ConditionsLike): string => wordsOf(NAMES, row);

/** Returns texts for conditions that differ between the rows (`own`) and that all rows share (`shared`). */
export function splitConditions(rows: readonly ConditionsLike[]): {
  own: (row: ConditionsLike) => string;
  shared: string;
} {
  const differing = NAMES.filter((part) => new Set(rows.map(PARTS[part])).size > 1);
  const [first] = rows;
  const same = NAMES.filter((part) => !differing.includes(part));
  return {
    own: (row) => wordsOf(differing, row),
    shared: first === undefined ? "" : wordsOf(same, first),
  };
}

/** Returns the name of a test in a list. */
export const testName = (test: ConditionsLike & { readonly load: number }): string =>
  `${loadText(test.load)} · ${conditionWords(test)}`;

type Dated = { readonly tested_at: string | null; readonly source: { readonly published_at: string | null } };

/** Returns the date of a test, or of its document: `dated 24 Sep 2019`. */
export function dateText({ tested_at: tested, source: { published_at: published } }: Dated): string {
  if (tested !== null) return `dated ${dayAsPrinted(tested)}`;
  return published === null ? "date not stated" : `published ${dayAsPrinted(published)}`;
}
