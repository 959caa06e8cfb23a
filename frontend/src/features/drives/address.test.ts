import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLimits, readLimitTexts } from "@/entities/question/limits";
import { drivesSearch } from "@/features/drives/address";
import { listOf, toggled, valuesOf, writeList } from "./address";
import { chipsOf, choosesConditions, countText, NO_FILTERS } from "./filters";
import { PRESETS, presetOf } from "./JudgementBasis";
import { basisOf, NO_BASIS, readQuestion, transactionText } from "./question";

/** Returns the query of the table view; the grouped view asks for all conditions in addition. */
const asked = (raw: Record<string, unknown>) => readQuestion(drivesSearch({ view: "table", ...raw })).query;
const plain = (text: string): string => text.replaceAll("\u00a0", " ");

describe("the address", () => {
  it("keeps filters as they were written and leaves out what is usual", () => {
    expect(drivesSearch({ vendor: "Intel*Samsung", metric: "wrong", sort: "rating", equal: "", q: 1 })).toStrictEqual({
      vendor: "Intel*Samsung",
      metric: "wrong",
    });
    expect(drivesSearch({ sort: "sideways", compare: "yes", equal: "yes" })).toStrictEqual({});
    expect(drivesSearch({ sort: "-dwpd", equal: false, compare: "open" })).toStrictEqual({
      sort: "-dwpd",
      equal: "no",
      compare: "open",
    });
  });

  it("reads lists in the form of the API too", () => {
    expect(valuesOf(drivesSearch({ vendor: ["Intel", "Samsung", "Intel"] }), "vendor")).toEqual(["Intel", "Samsung"]);
  });

  it("reads a generation whose plus was taken for a blank", () => {
    expect(valuesOf(drivesSearch({ generation: "6 " }), "generation")).toEqual(["6+"]);
    expect(valuesOf(drivesSearch({ generation: "2-5*6+" }), "generation")).toEqual(["2-5", "6+"]);
  });

  it("is the same address after being read once", () => {
    const raw = fc.record(
      {
        vendor: fc.oneof(fc.string(), fc.array(fc.string()), fc.integer()),
        limits: fc.string(),
        reads: fc.oneof(fc.string(), fc.integer()),
        search: fc.string(),
        pick: fc.string(),
        sort: fc.constantFrom("rating", "-dwpd", "other"),
        equal: fc.constantFrom("no", false, true, "yes"),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(raw, (one) => {
        const once = drivesSearch(one);
        expect(drivesSearch(once)).toStrictEqual(once);
      }),
    );
  });

  it("lists lose nothing by being written and read", () => {
    const value = fc
      .stringMatching(/^[A-Za-z0-9.+ -]{1,12}$/)
      .map((text) => text.trim())
      .filter((text) => text !== "");
    fc.assert(
      fc.property(fc.uniqueArray(value, { minLength: 1 }), (values) => {
        expect(listOf(writeList(values))).toEqual(values);
      }),
    );
    expect(writeList([])).toBeUndefined();
    expect(toggled(["a", "b"], "a")).toEqual(["b"]);
    expect(toggled(["b"], "a")).toEqual(["b", "a"]);
  });
});

describe("the question", () => {
  it("is asked of all conditions while drives stand in groups", () => {
    expect(readQuestion(drivesSearch({})).query).toEqual({ equal: false });
    expect(readQuestion(drivesSearch({ sort: "-dwpd" })).query).toEqual({ sort: "-dwpd" });
  });

  it("is the rule set's unless something else is said", () => {
    expect(asked({})).toEqual({});
    expect(asked({ rules: "act-limits" })).toEqual({ rule_set: "act-limits" });
  });

  it("passes filters on, values that nothing is known by too: the API names them", () => {
    expect(
      asked({
        vendor: "Intel*Samsung",
        metric: "wrong",
        capacity_min: "400 GB",
        capacity_max: "2TB",
        price_max: "1,500",
        search: "S3700",
        scope: "mine",
        equal: "no",
        sort: "-dwpd",
      }),
    ).toEqual({
      vendor: ["Intel", "Samsung"],
      metric: ["wrong"],
      capacity_min_bytes: 400e9,
      capacity_max_bytes: 2e12,
      price_max: 1500,
      search: "S3700",
      scope: "mine",
      equal: false,
      sort: "-dwpd",
    });
  });

  it("of own limits is in nanoseconds and ratios", () => {
    expect(asked({ limits: "1ms_5*8ms_1" })).toEqual({ limits: "1000000:0.05,8000000:0.01" });
    expect(asked({ limits: "250us_0.1" })).toEqual({ limits: "250000:0.001" });
  });

  it("of a transaction has every part, said or not", () => {
    expect(asked({ reads: 250 })).toEqual({
      reads: 250,
      scheduling: "sequential",
      fan_out: 1,
      window_ns: 1_000_000_000,
      reserve_ns: 0,
      objective_ratio: 0.999,
    });
    expect(asked({ reads: 100, sched: "pool", fan: 5, window: "2s", reserve: 0, objective: 95 })).toEqual({
      reads: 100,
      scheduling: "pool",
      fan_out: 5,
      window_ns: 2_000_000_000,
      reserve_ns: 0,
      objective_ratio: 0.95,
    });
  });

  it("does not exist while a field cannot be read, and says which", () => {
    const state = (raw: Record<string, unknown>) => readQuestion(drivesSearch(raw));
    expect(state({ capacity_min: "big" })).toMatchObject({ query: null });
    expect(state({ capacity_min: "big" }).problems.capacity_min).toContain("“big” is not a size");
    expect(state({ capacity_min: "2TB", capacity_max: "1TB" }).problems.capacity_max).toContain("less than");
    expect(state({ window: "600" }).problems.window).toContain("600 of what?");
    expect(state({ window: "1s", reserve: "1s" }).problems.reserve).toContain("Nothing is left");
    expect(state({ reads: 10, sched: "pool", fan: 20 }).problems.fan).toContain("More at a time");
    expect(state({ limits: "" })).toMatchObject({ query: null, basis: "limits" });
    const limits = "1ms_5*1ms_x";
    expect(state({ limits }).query).toBeNull();
    expect(readLimits(readLimitTexts(limits)).problems[1]).toMatchObject({
      threshold: "There is a limit at this time already.",
      percent: expect.stringContaining("“x” is not a share"),
    });
  });

  it("reads as a sentence", () => {
    const { transaction } = readQuestion(drivesSearch({ reads: 250 }));
    expect(transaction === null ? null : plain(transactionText(transaction))).toBe(
      "250 reads one after another within 1 s, for 99.9 % of transactions",
    );
  });
});

describe("presets", () => {
  it("are questions that can be asked, each another one, and are found again in the address", () => {
    const all = PRESETS;
    const questions = all.map(({ change }) => JSON.stringify(asked(change as Record<string, unknown>)));
    expect(new Set(questions).size).toBe(all.length);
    expect(questions).not.toContain("null");
    for (const preset of all) {
      const search = drivesSearch({ vendor: "Intel", ...preset.change });
      expect(presetOf(search)?.value).toBe(preset.value);
    }
    expect(presetOf(drivesSearch({ reads: 251 }))).toBeUndefined();
  });

  it("replace one another whole", () => {
    for (const preset of PRESETS) {
      const before = { rules: "act-limits", budget: "b", limits: "1ms_5", sched: "pool", fan: 3 };
      const search = drivesSearch({ ...before, ...NO_BASIS, ...preset.change });
      expect(presetOf(search)?.value).toBe(preset.value);
    }
    expect(basisOf(drivesSearch({ ...NO_BASIS }))).toBe("rules");
  });
});

describe("filters at work", () => {
  it("are named in words, each with what takes it away", () => {
    const search = drivesSearch({
      vendor: "Intel*Samsung",
      evidence: "vendor",
      capacity_min: "400 GB",
      search: "s37",
      scope: "mine",
    });
    const chips = chipsOf(search);
    expect(chips.map((chip) => chip.text)).toEqual([
      "Vendor: Intel",
      "Vendor: Samsung",
      "Evidence: tested by its vendor",
      "Capacity: 400 GB or more",
      "Named “s37”",
      "Shown: my own",
    ]);
    expect(chips[0]?.without).toEqual({ vendor: "Samsung" });
    const without = Object.assign({}, search, ...chips.map((chip) => chip.without), { vendor: undefined });
    expect(chipsOf(drivesSearch(without))).toEqual([]);
    expect(chipsOf(drivesSearch({ ...search, ...NO_FILTERS }))).toEqual([]);
  });

  it("leave the class of conditions to its own line, but only as long as conditions are equal", () => {
    const search = drivesSearch({ metric: "device", op: "none", generation: "6+" });
    expect(choosesConditions(search)).toBe(true);
    expect(chipsOf(search)).toEqual([]);
    expect(chipsOf({ ...search, equal: "no" }).length).toBe(3);
    expect(chipsOf(drivesSearch({ metric: "device" })).length).toBe(1);
  });

  it("say what they left", () => {
    expect(countText(37, 85)).toBe("37 of 85 rows");
    expect(countText(85, 85)).toBe("85 rows");
    expect(countText(1, 1)).toBe("1 row");
    expect(countText(1000, 3000)).toBe("1,000 of 3,000 rows");
  });
});
