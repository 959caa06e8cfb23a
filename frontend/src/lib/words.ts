// Small parts of sentences.

/** `1 run`, `2 runs`. */
export const plural = (count: number, singular: string, many = `${singular}s`): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? singular : many}`;

/** A name of a file or of a setting at the beginning of a clause, which keeps its letters. */
const NAME = /^[^\s]*[._/=\d][^\s]*[a-z\d](?=\s|:|,|$)/;

/** A clause as a sentence begins: `the buckets allow …` is `The buckets allow …`, and `pgl.5494 ends …` stays. */
export const sentence = (text: string): string =>
  NAME.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

const APART =
  /(\d[kMG]?) (%|×|[nµm]?s|min|h|d|(?:ops|reads)\/s|IOPS|[kMGT]i?B(?:\/s)?|[MG]bit\/s|GbE|W|Hz|°C)(?![\w%/])/g;

/** A sentence of the server as a page writes it: a number and its unit stay on one line, and names have no marks of code. */
export const unbroken = (text: string): string => text.replaceAll("`", "").replaceAll(APART, "$1\u00a0$2");
