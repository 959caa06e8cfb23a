import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  documentOf,
  planText,
  questionText,
  readQuestion,
  readStages,
  writeStages,
} from "@/entities/question/question";
import { slaSearch } from "@/features/sla/address";
import { plainOf } from "@/lib/search";
import type { SlaSearch } from "./address";

const plain = (text: string): string => text.replaceAll("\u00a0", " ");
const question = (search: SlaSearch) => {
  const { question: found, problems } = readQuestion(search);
  if (found === null) throw new Error(JSON.stringify(problems));
  return found;
};

describe("the address of the page", () => {
  it("keeps what it says, numbers as numbers", () => {
    const given = {
      reads: 250,
      fan: 10,
      sched: "pool",
      window: "1s",
      reserve: "400ms",
      objective: 99.9,
      run: "019b76da-a800-7d41-9c3e-5f0a1b2c3d4e",
      op: "read",
      clock: "response",
      tps: 4000,
    };
    expect(slaSearch(given)).toStrictEqual(given);
  });

  it("keeps what it cannot read, and drops only ways of showing that it does not know", () => {
    expect(
      slaSearch({ reads: "many", window: true, reserve: null, objective: [1], scale: "cubic", show: "all", sort: "x" }),
    ).toStrictEqual({ reads: "many", window: "true", reserve: "null", objective: "[1]" });
  });

  it("keeps an emptied field empty, and drops what is empty without a default", () => {
    expect(slaSearch({ reads: "  ", op: "x".repeat(300), run: "" })).toStrictEqual({ reads: "", op: "x".repeat(100) });
    expect(readQuestion({ reads: "" }).problems.reads).toBe("Write how many.");
  });

  it("is the same after a second reading", () => {
    fc.assert(
      fc.property(
        fc.record({ reads: fc.string(), window: fc.string(), objective: fc.oneof(fc.float(), fc.string()) }),
        (raw) => {
          const once = slaSearch(raw);
          expect(slaSearch(once)).toStrictEqual(once);
        },
      ),
    );
  });

  it("writes numbers without quotes and leaves other text alone", () => {
    expect([plainOf("250"), plainOf("99.9"), plainOf("0250"), plainOf("1e3"), plainOf("1s")]).toEqual([
      250,
      99.9,
      "0250",
      "1e3",
      "1s",
    ]);
  });
});

describe("further stages in the address", () => {
  const write = { count: "2", operation: "write", scheduling: "", fanOut: "", overhead: "" };
  const reads = { count: "10", operation: "large-block-read", scheduling: "pool", fanOut: "5", overhead: "2ms" };

  it("are short, and read back as they were", () => {
    expect(writeStages([write, reads])).toBe("2_write*10_large-block-read_pool_5_2ms");
    expect(readStages(writeStages([write, reads]))).toEqual([write, reads]);
    expect(readStages("")).toEqual([]);
    expect(writeStages([{ ...write, overhead: "2 ms" }])).toBe("2_write___2ms");
  });

  it("keep what cannot be read", () => {
    expect(readStages("many_read_sideways")[0]).toMatchObject({ count: "many", scheduling: "sideways" });
    const state = readQuestion({ also: "many_read_sideways*2_" });
    expect(state.question).toBeNull();
    expect(state.stageProblems[0]).toMatchObject({
      count: "“many” is not a whole number.",
      scheduling: "“sideways” is not known here: sequential, pool, waves, parallel.",
    });
    expect(state.stageProblems[1]).toMatchObject({ operation: "Write the operation, such as read." });
  });
});

describe("the question", () => {
  it("of a bare address is the card-fraud check", () => {
    const asked = question({});
    expect(plain(questionText(asked))).toBe("Do 99.9 % of transactions finish 250 reads one after another within 1 s?");
    expect(documentOf(asked)).toMatchObject({
      kind: "transaction",
      plan: { stages: [{ operation: "read", count: 250, fan_out: 1, scheduling: "sequential", overhead_ns: 0 }] },
      window_ns: 1e9,
      reserve_ns: 0,
      objective_ratio: 0.999,
    });
  });

  it("takes several at a time as a pool unless told otherwise", () => {
    expect(question({ fan: 10 }).stages[0]).toMatchObject({ scheduling: "pool", fanOut: 10 });
    expect(question({ fan: 10, sched: "waves" }).stages[0]).toMatchObject({ scheduling: "waves", fanOut: 10 });
    expect(question({ sched: "parallel" }).stages[0]).toMatchObject({ scheduling: "parallel", fanOut: 250 });
    expect(question({ fan: 1 }).stages[0]).toMatchObject({ scheduling: "sequential", fanOut: 1 });
    expect(planText(question({ fan: 10, also: "2_write" }).stages)).toBe(
      "250 reads 10 at a time, then 2 writes one after another",
    );
  });

  it.each<[SlaSearch, object]>([
    [{ reads: "many" }, { reads: "“many” is not a whole number." }],
    [{ reads: 0 }, { reads: "At least 1." }],
    [{ reads: 2.5 }, { reads: "“2.5” is not a whole number." }],
    [{ reads: 5, fan: 10 }, { fan: "More at a time than there are: 5." }],
    [{ sched: "sideways" }, { sched: "“sideways” is not known here: sequential, pool, waves, parallel." }],
    [{ window: 0, reserve: 0 }, { window: "The window must be longer than nothing." }],
    [{ window: 600 }, { window: "600 of what? Add the unit: s, ms or us." }],
    [{ window: "400ms", reserve: "400ms" }, { reserve: "Nothing is left for the reads: the window is 400 ms." }],
    [{ overhead: "700ms", reserve: "400ms" }, { overhead: "Reserve and overhead use up the window of 1 s." }],
    [{ objective: 100 }, { objective: "No measurement can show 100 %. Choose a share below it, such as 99.9 %." }],
    [{ objective: "NaN" }, { objective: "“NaN” is not a share. Write per cent, such as 99.9 %." }],
  ])("%j is explained beside its field, and nothing is asked", (search, problems) => {
    const state = readQuestion(search);
    expect(state.question).toBeNull();
    expect(JSON.parse(plain(JSON.stringify(state.problems)))).toEqual(problems);
  });

  it("keeps every digit of an objective", () => {
    expect(plain(questionText(question({ objective: 99.99999999999 })))).toMatch(
      /^Do 99.99999999999 % of transactions/,
    );
  });

  it("wonders about an objective that is legal but hardly meant", () => {
    const state = readQuestion({ objective: 0.999 });
    expect(state.question?.objective).toBe(0.00999);
    expect(state.hints.objective).toMatch(/For 99.9 % write 99.9/);
  });
});
