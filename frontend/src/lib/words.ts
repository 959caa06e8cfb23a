// Small parts of sentences.

/** `1 run`, `2 runs`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;

/** A clause as a sentence begins: `the buckets allow …` is `The buckets allow …`. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
