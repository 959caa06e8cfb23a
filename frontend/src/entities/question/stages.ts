// Further stages of a transaction in the form of the address: `2_write*10_read_pool_5_2ms` is two writes one after another,
// then ten reads, at most five under way at a time, and 2 ms besides. Fields stay as typed, so that an unreadable field
// can be explained.

export type StageText = {
  readonly count: string;
  readonly operation: string;
  readonly scheduling: string;
  readonly fanOut: string;
  readonly overhead: string;
};

export const MOST_FURTHER_STAGES = 7;

export const NEW_STAGE: StageText = { count: "1", operation: "read", scheduling: "", fanOut: "", overhead: "" };

export function readStages(text: string): StageText[] {
  if (text === "") return [];
  return text.split("*").map((stage) => {
    const [count = "", operation = "", scheduling = "", fanOut = "", ...overhead] = stage.split("_");
    return { count, operation, scheduling, fanOut, overhead: overhead.join("_") };
  });
}

/** The two signs that separate stages and fields cannot be part of one. */
const plain = (text: string): string => text.trim().replaceAll(/[_*\s]+/g, "-");

export function writeStages(stages: readonly StageText[]): string {
  return stages
    .map(({ count, operation, scheduling, fanOut, overhead }) =>
      [count, operation, scheduling, fanOut, overhead.replaceAll(" ", "")].map(plain).join("_").replace(/_+$/, ""),
    )
    .join("*");
}
