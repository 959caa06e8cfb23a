// Helpers for building sentences.

/** Returns a count with its noun: `1 run`, `2 runs`. */
export const plural = (count: number, singular: string, many = `${singular}s`): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? singular : many}`;

/** A file or setting name at the start of a clause. Its case must not change. */
const NAME = /^[^\s]*[._/=\d][^\s]*[a-z\d](?=\s|:|,|$)/;

/** Capitalises a clause as a sentence, except for a leading file or setting name: `pgl.5494 ends …` is unchanged. */
export const sentence = (text: string): string =>
  NAME.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

const APART =
  /(\d[kMG]?) (%|×|[nµm]?s|min|h|d|(?:ops|reads)\/s|IOPS|[kMGT]i?B(?:\/s)?|[MG]bit\/s|GbE|W|Hz|°C)(?![\w%/])/g;

/** Prepares a server sentence for display: removes backticks, and joins numbers and units with no-break spaces. */
export const unbroken = (text: string): string => text.replaceAll("`", "").replaceAll(APART, "$1\u00a0$2");
