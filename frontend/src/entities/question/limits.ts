// Limits on shares as URL text: `1ms_5*8ms_1` means less than 5 % of reads over 1 ms and less than 1 % over 8 ms. Parts
// are stored as typed, so that an invalid part can be explained beside its field.

import { type LimitOfRating, limitWords } from "@/entities/drive/ratings";
import { parseDuration, parsePercent, writeDuration, writePercent } from "@/lib/parse";

export type LimitText = { readonly threshold: string; readonly percent: string };

export const MOST_LIMITS = 8;

export function readLimitTexts(text: string): LimitText[] {
  if (text === "") return [];
  return text.split("*").map((part) => {
    const [threshold = "", ...percent] = part.split("_");
    return { threshold: spaced(threshold), percent: percent.join("_") };
  });
}

/** Removes the two separators, which cannot be part of a field. */
const plain = (text: string): string => text.trim().replaceAll(/[_*\s]+/g, "");

export const writeLimitTexts = (limits: readonly LimitText[]): string =>
  limits.map(({ threshold, percent }) => `${plain(threshold)}_${plain(percent)}`).join("*");

const spaced = (time: string): string => time.replace(/(?<=\d)(?=[a-zµμ])/, " ");

export const textsOf = (limits: readonly LimitOfRating[]): LimitText[] =>
  limits.map(({ threshold_ns, limit_ratio }) => ({
    threshold: spaced(writeDuration(threshold_ns)),
    percent: writePercent(limit_ratio),
  }));

type LimitProblems = { readonly threshold?: string; readonly percent?: string };

export type LimitsState = {
  readonly limits: readonly LimitOfRating[] | null;
  readonly problems: readonly LimitProblems[];
};

export function readLimits(texts: readonly LimitText[]): LimitsState {
  const seen = new Set<number>();
  const limits: LimitOfRating[] = [];
  const problems = texts.map((text, index): LimitProblems => {
    const problem: { threshold?: string; percent?: string } = {};
    const threshold = parseDuration(text.threshold);
    const percent = parsePercent(text.percent);
    if (threshold.problem !== null) problem.threshold = threshold.problem;
    else if (threshold.value === 0) problem.threshold = "Every read takes longer than nothing.";
    else if (seen.has(threshold.value)) problem.threshold = "There is a limit at this time already.";
    else if (index >= MOST_LIMITS) problem.threshold = `At most ${MOST_LIMITS} limits.`;
    if (percent.problem !== null) problem.percent = percent.problem;
    if (threshold.value !== null) seen.add(threshold.value);
    if (threshold.value !== null && percent.value !== null)
      limits.push({ threshold_ns: threshold.value, limit_ratio: percent.value });
    return problem;
  });
  const broken = texts.length === 0 || problems.some((problem) => Object.keys(problem).length > 0);
  return { limits: broken ? null : limits, problems };
}

/** Returns limits as API parameter: `1000000:0.05,8000000:0.01`. */
export const limitsParameter = (limits: readonly LimitOfRating[]): string =>
  limits.map(({ threshold_ns, limit_ratio }) => `${threshold_ns}:${limit_ratio}`).join(",");

/** Returns limits in words: `< 5 % over 1 ms, < 1 % over 8 ms`. */
export const limitsText = (limits: readonly LimitOfRating[]): string => limits.map(limitWords).join(", ");

export const limitsDocument = (limits: readonly LimitOfRating[]) => ({
  kind: "exceedance" as const,
  name: "my-limits",
  version: 1,
  title: "My limits",
  question: `Slow reads: ${limitsText(limits)}?`,
  operation: "read",
  limits: limits.map(({ threshold_ns, limit_ratio }) => ({ threshold_ns, ratio: limit_ratio })),
});

/** The limits of ACT, offered as defaults. */
export const USUAL_LIMITS: readonly LimitText[] = [
  { threshold: "1 ms", percent: "5" },
  { threshold: "8 ms", percent: "1" },
  { threshold: "64 ms", percent: "0.1" },
];
