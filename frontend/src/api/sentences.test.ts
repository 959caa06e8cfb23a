import { expect, it } from "vitest";
import { readable } from "./sentences";

it("keeps numbers and their units together in sentences, and leaves names alone", () => {
  const given = {
    answer: "44 % more, 0.43 × at p99",
    subjects: [{ title: "Test of 4 s", notes: ["1.20M ops/s at 8 ms", "none"], figures: [1, 2] }],
    headline: { text: "over 64 ms in 24 h", asked: 4 },
    budget: { name: "b", version: 1, title: "250 reads in 1 s", question: "Within 1 s?" },
    document: { kind: "percentile", title: "7 ms", question: "Under 7 ms?" },
    missing: [null, { why: "needs 24 h" }],
  };
  expect(readable(given)).toStrictEqual({
    answer: "44\u00a0% more, 0.43\u00a0× at p99",
    subjects: [{ title: "Test of 4 s", notes: ["1.20M\u00a0ops/s at 8\u00a0ms", "none"], figures: [1, 2] }],
    headline: { text: "over 64\u00a0ms in 24\u00a0h", asked: 4 },
    budget: { name: "b", version: 1, title: "250 reads in 1\u00a0s", question: "Within 1\u00a0s?" },
    document: { kind: "percentile", title: "7 ms", question: "Under 7 ms?" },
    missing: [null, { why: "needs 24\u00a0h" }],
  });
});
