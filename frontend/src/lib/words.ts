// Small parts of sentences.

/** `1 run`, `2 runs`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;

/** A clause as a sentence begins: `the buckets allow …` is `The buckets allow …`. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const APART =
  /(\d[kMG]?) (%|×|[nµm]?s|min|h|d|(?:ops|reads)\/s|IOPS|[kMGT]i?B(?:\/s)?|[MG]bit\/s|GbE|W|Hz|°C)(?![\w%/])/g;

/** A sentence of the server as a page writes it: a number and its unit stay on one line, and names have no marks of code. */
export const unbroken = (text: string): string => text.replaceAll("`", "").replaceAll(APART, "$1\u00a0$2");
