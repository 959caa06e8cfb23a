import { describe, expect, it } from "vitest";
import { subjectsOf, textOf, unknownIn, withSubject } from "./subjects";

const run = (digit: number) => `run:0000000${digit}-0000-7000-8000-000000000000`;

describe("subjects of an address", () => {
  it("are kept in order, each once, and no more than six", () => {
    const many = [1, 2, 2, 3, 4, 5, 6, 7].map(run);
    expect(subjectsOf(many.join(","))).toStrictEqual([1, 2, 3, 4, 5, 6].map(run));
    expect(subjectsOf(`nonsense,${run(1)},run:1,publication:a#b/CD6-R`)).toStrictEqual([
      run(1),
      "publication:a#b/CD6-R",
    ]);
    expect(subjectsOf(`drive:samsung-pm983,campaign:${run(1).slice(4)},drive:`)).toHaveLength(2);
    expect(unknownIn(`nonsense,${run(1)},run:1`)).toStrictEqual(["nonsense", "run:1"]);
    expect(unknownIn(undefined)).toStrictEqual([]);
    expect(subjectsOf(undefined)).toStrictEqual([]);
    expect(textOf([])).toBeUndefined();
  });

  it("take one more in the place of the last when they are full", () => {
    const full = [1, 2, 3, 4, 5, 6].map(run);
    expect(withSubject(full, run(7))).toStrictEqual([...full.slice(0, 5), run(7)]);
    expect(withSubject([run(1), run(2)], run(1))).toStrictEqual([run(2), run(1)]);
  });
});
