// Further stages of a transaction as URL text: `2_write*10_read_pool_5_2ms` means two sequential writes, then ten
// reads, at most five at a time, and 2 ms of overhead. Fields are stored as typed, so that an invalid field can be
// explained.

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

/** Replaces the two separators, which cannot be part of a field. */
const plain = (text: string): string => text.trim().replaceAll(/[_*\s]+/g, "-");

export function writeStages(stages: readonly StageText[]): string {
  return stages
    .map(({ count, operation, scheduling, fanOut, overhead }) =>
      [count, operation, scheduling, fanOut, overhead.replaceAll(" ", "")].map(plain).join("_").replace(/_+$/, ""),
    )
    .join("*");
}
