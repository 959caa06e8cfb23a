import { describe, expect, it } from "vitest";
import { sentence, unbroken } from "./format";

describe("a clause as a sentence", () => {
  it.each([
    ["the buckets allow less", "The buckets allow less"],
    ["3 % of 100 reads took 1 ms", "3 % of 100 reads took 1 ms"],
    ["pgl.5494 ends in the middle", "pgl.5494 ends in the middle"],
    ["logs/a_b: not read", "logs/a_b: not read"],
    ["no distribution", "No distribution"],
  ])("%s is %s", (clause, written) => {
    expect(sentence(clause)).toBe(written);
  });

  it("keeps numbers by their units, and shows no marks of code", () => {
    expect(unbroken("neither `read` within 1 ms")).toBe("neither read within 1\u00a0ms");
  });
});
