// Small parts of sentences.

/** `1 run`, `2 runs`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;

/** A clause as a sentence begins: `the buckets allow …` is `The buckets allow …`. */
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A number and its unit stay on one line: what the server writes has plain spaces. */
export const unbroken = (text: string): string =>
  text.replaceAll(/(\d) (%|ns|µs|ms|s|min|h|GB|TB)(?![\w%])/g, "$1\u00a0$2");
