import { describe, expect, it } from "vitest";
import { certainCounts, type Stage } from "./plans";
import { type StageFields, transactionsOf } from "./question";

const stage = (fields: Partial<StageFields> = {}): StageFields => ({
  operation: "read",
  count: "250",
  scheduling: "sequential",
  fanOut: "16",
  ...fields,
});
const read = (...stages: readonly StageFields[]) => transactionsOf({ stages, window: "70ms", share: "99.9%" });

describe("questions about transactions", () => {
  it("have stages of several operations, each scheduled by itself", () => {
    expect(read(stage({ scheduling: "waves" }), stage({ operation: "set", count: "3" }))).toEqual({
      kind: "transactions",
      plan: [
        { operation: "read", count: 250, fan_out: 16, scheduling: "waves", overhead_ns: 0 },
        { operation: "set", count: 3, fan_out: 1, scheduling: "sequential", overhead_ns: 0 },
      ],
      window_ns: 70_000_000,
      objective: 0.999,
    });
  });

  it("have random numbers of operations with their shares", () => {
    const question = read(stage({ count: "250: 10%, 100: 90 %" }));
    expect(question).toMatchObject({
      plan: [
        {
          count: [
            [100, 0.9],
            [250, 0.1],
          ],
        },
      ],
    });
  });

  it.each([
    ["250: 10%, 100: 80%", "add up to"],
    ["250: 50%, 250: 50%", "Write a random number"],
    ["250: ten", "Write a random number"],
    ["0", "1 to 1,048,576"],
  ])("refuse %s operations", (count, reason) => {
    expect(read(stage({ count }))).toContain(reason);
  });

  it("refuse a random number for a pool", () => {
    expect(read(stage({ count: "1: 50%, 2: 50%", scheduling: "pool" }))).toContain("A pool needs");
  });
});

describe("combinations of random counts", () => {
  const random = (...counts: number[]): Stage => ({
    operation: "read",
    count: counts.map((count) => [count, 1 / counts.length]),
    fan_out: 1,
    scheduling: "sequential",
    overhead_ns: 0,
  });

  it("have the products of the chances", () => {
    const combinations = certainCounts([random(1, 2), random(3, 4)]);
    expect(combinations?.map(([plan, weight]) => [...plan.map(({ count }) => count), weight])).toEqual([
      [1, 3, 0.25],
      [1, 4, 0.25],
      [2, 3, 0.25],
      [2, 4, 0.25],
    ]);
  });

  it("are not added up beyond 256", () => {
    const many = random(...Array.from({ length: 17 }, (_, at) => at + 1));
    expect(certainCounts([many, many])).toBeUndefined();
  });
});
