import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { BudgetItem } from "@/api/types";
import { tableOf } from "@/charts/spec";
import { budgetGroups, fieldsOf } from "@/entities/question/budgets";
import { questionText, readQuestion } from "@/entities/question/question";
import { largestText } from "@/entities/verdict/largest";
import { slaSearch } from "@/routes/search/sla";
import { show } from "@/test/render";
import { evaluation, matchItem } from "@/test/slaFixtures";
import { AnswerCard } from "./AnswerCard";
import type { SlaSearch } from "./address";
import { csvOf, sortItems } from "./matches";
import { readPasted } from "./pasted";
import { shareInterval } from "./shares";
import { readSize } from "./sizeQuestion";
import { timeSpec } from "./timeSpec";
import { dependenceText, endsText, headlineText, modelLines, reserveText, roomText, worstCaseText } from "./wording";

const plain = (text: string | null): string => (text ?? "nothing").replaceAll("\u00a0", " ");

describe("the answer in words", () => {
  it("never rounds a share over the objective, and intervals outwards", () => {
    expect(plain(endsText({ p_lower: 0.7787, p_upper: 1 }, 0.999))).toBe(
      "at least 77.9 %, at most 100 % of transactions",
    );
    expect(plain(endsText({ p_lower: 0.99899, p_upper: 0.99901 }, 0.999))).toBe(
      "at least 99.899 %, at most 99.90 % of transactions",
    );
    expect(endsText({ p_lower: null, p_upper: null }, 0.9)).toBeNull();
    const interval = (lower: number, upper: number) => plain(shareInterval(lower, upper));
    expect(interval(0.77870312, 1)).toBe("77.87–100 %");
    expect(interval(0.99934, 0.99967)).toBe("99.934–99.967 %");
    expect(interval(0.001234, 0.5)).toBe("0.1234–50.00 %");
    expect(interval(1 - 1e-9, 1)).toBe("99.99999–100 %");
    expect(interval(0, 1e-9)).toBe("0–0.00001 %");
  });

  it("leads with what was measured where the verdict rests on it", () => {
    const measured = {
      operation: "transaction",
      clock: "response",
      within_count: 3148,
      total_count: 3150,
      ratio: 0.99937,
      ratio_lower: 0.99771,
      ratio_upper: 0.99992,
      dependence_factor: 4,
      variance_inflation: null,
      is_asked: true,
      quantile_lower_ns: null,
      quantile_upper_ns: null,
    };
    const answer = evaluation({ evidence: "measured", models: { ...evaluation().models, measured } });
    expect(plain(headlineText(answer))).toMatch(/^99.77–99.9920 % as measured; by the model at least/);
    expect(modelLines(answer).map((line) => line.decides)).toEqual([false, false, true]);
    expect(plain(modelLines(answer)[2]!.words)).toBe(
      "3,148 of 3,150 in time; late transactions are more frequent than the model says: slow operations are clustered (dependence factor D = 4.0)",
    );
  });

  it("says how far the room reaches, and whether the reserve fits", () => {
    const room = (lower: number | null, upper: number | null) => ({ room_lower_ns: lower, room_upper_ns: upper });
    expect(plain(roomText(room(612_300_000, 639_200_000)))).toBe("610–640 ms");
    expect(plain(roomText(room(null, 639_200_000)))).toBe("≤ 640 ms");
    expect(plain(roomText(room(-5_000_000, 639_200_000)))).toBe("≤ 640 ms");
    expect(plain(roomText(room(-20_000_000, -10_000_000)))).toBe("none: 10–20 ms too late");
    expect(roomText(room(null, null))).toBeNull();
    expect(plain(reserveText(room(1, 2), 400_000_000))).toBe("the 400 ms for scoring fit; after that, this is left");
    expect(plain(reserveText(room(null, 2), 400_000_000))).toBe("whether the 400 ms for scoring fit is not certain");
    expect(plain(reserveText(room(-2, -1), 400_000_000))).toBe("the 400 ms for scoring do not fit");
    expect(reserveText(room(1, 2), 0)).toBeNull();
  });

  it("says the largest number that fits, proven and possible", () => {
    expect(largestText({ n_guaranteed: 402, n_possible: 410 })).toBe("402 proven, 410 possible");
    expect(largestText({ n_guaranteed: 402, n_possible: 402 })).toBe("402");
    expect(largestText({ n_guaranteed: null, n_possible: 410 })).toBe("at most 410");
    expect(largestText({ n_guaranteed: null, n_possible: null })).toBeNull();
    expect(largestText({ n_guaranteed: 0, n_possible: 3133 })).toBe("at most 3,133, none proven");
    expect(largestText({ n_guaranteed: 0, n_possible: null })).toBe("none proven, no upper limit");
    expect(largestText({ n_guaranteed: 0, n_possible: 0 })).toBe("none");
  });

  it("names the dependence factor in plain words", () => {
    expect(dependenceText(1.1)).toBe("the model agrees with what was measured (dependence factor D = 1.1)");
    expect(dependenceText(0.1)).toMatch(/rarer than the model says/);
    expect(dependenceText(5000)).toMatch(/D > 1,000/);
    expect(dependenceText(null)).toMatch(/too few/);
  });

  it("says how robust the answer is", () => {
    expect(plain(worstCaseText({ p_lower: 0.9995, p_upper: 1 }, 0.999))).toMatch(
      /^Robust, by the buckets.*≥ 99.95 % would be in time/,
    );
    expect(plain(worstCaseText({ p_lower: 0.5, p_upper: 1 }, 0.999))).toMatch(/only ≥ 50.0 % would be certain/);
    expect(worstCaseText({ p_lower: 0, p_upper: 1 }, 0.999)).toMatch(/nothing is guaranteed/);
    expect(worstCaseText({ p_lower: 1, p_upper: 1 }, 0.999)).toMatch(/all would be in time/);
    expect(worstCaseText(null, 0.999)).toBeNull();
  });
});

describe("the answer card", () => {
  it("says the word, the reason, what would decide it, and the models", () => {
    show(<AnswerCard evaluation={evaluation()} question="Do they fit?" />);
    const card = plain(screen.getByRole("article", { name: "Do they fit?" }).textContent);
    expect(card).toContain("INDETERMINATE");
    expect(card).toContain("the buckets are too coarse");
    // The reason names the share; said twice in two roundings it would contradict itself.
    expect(card).not.toContain("At least 77.9 %, at most 100 % of transactions.");
    expect(card).toContain("Would be decided by: a bucket edge at 600 ms");
    expect(card).toContain("≤ 590 ms · whether the 400 ms for scoring fit is not certain");
    expect(card).toContain("1 proven, 60,000 possible");
    expect(card).toContain("60,000 reads by response time over 30 s");
    expect(card).toContain("not here: no whole transactions of this kind were issued");
    expect(card).toContain("Without any assumption");
    expect(card).toContain("preview");
    expect(card).not.toContain("closed loop");
  });

  it("warns of a closed loop", () => {
    const { subject } = evaluation();
    show(
      <AnswerCard evaluation={evaluation({ subject: { ...subject, closed_loop: true } })} question="Do they fit?" />,
    );
    expect(screen.getByText(/no PASS can be proven/)).toBeTruthy();
  });
});

describe("the picture", () => {
  it("marks window, what the reserve leaves, and objective, and holds exact shares", () => {
    const spec = timeSpec(evaluation(), "auto")!;
    expect(spec.title).toBe("Time of a transaction: 250 reads one after another");
    expect(spec.uprights!.map((one) => plain(one.label))).toEqual(["window 1 s", "left for reads 600 ms"]);
    expect(spec.limits!.map((one) => plain(one.label))).toEqual(["objective 99.9 %"]);
    expect(spec.stretches).toEqual([]);
    const table = tableOf(spec, spec.series);
    expect(table.header).toEqual(["time_ns", "model_lower_ratio", "model_upper_ratio", "model_estimate_ratio"]);
    expect(table.rows.at(-1)).toEqual([1_000_000_000, 0.7787, 1, 0.99]);
  });

  it("keeps the bounds between its points: a step, not a slope", () => {
    const spec = timeSpec(evaluation(), "auto")!;
    const drawn = spec.drawn!.filter((row) => row.x === 10_000_000 || row.x === 600_000_000).map((row) => row["band"]);
    const [low, high] = [0, 1].map((end) => (spec.rows[0]!["band"] as readonly number[])[end]!);
    expect(low).toBe(0);
    expect(drawn[0]).toEqual([low, high]);
    expect(drawn[1]).toEqual([low, 4]);
    expect(drawn[2]).toEqual([low, 4]);
    expect(spec.rows).toHaveLength(3);
  });

  it("takes the axis that is asked for, and by itself a logarithm over more than a decade", () => {
    const kind = (scale: "auto" | "linear" | "log") => timeSpec(evaluation(), scale)!.x.kind;
    expect([kind("auto"), kind("linear"), kind("log")]).toEqual(["log", "linear", "log"]);
    const narrow = evaluation({
      cdf: [
        { t_ns: 500_000_000, lower: 0, estimate: 0.1, upper: 0.9 },
        { t_ns: 1_000_000_000, lower: 0.99, estimate: 0.99, upper: 1 },
      ],
    });
    expect(timeSpec(narrow, "auto")!.x.kind).toBe("linear");
  });

  it("is left out where there is nothing to draw", () => {
    expect(timeSpec(evaluation({ cdf: [] }), "auto")).toBeNull();
  });
});

describe("configurations", () => {
  const items = [
    matchItem("b", { p_lower: 0.5 }),
    matchItem("a", { p_lower: null }),
    matchItem("c", { p_lower: 0.9, verdict: "PASS", reason: null, reason_text: null, decided_by: null }),
  ];
  const labels = (sorted: typeof items) => sorted.map((item) => item.subject.label).join("");

  it("keep the order of the API until told otherwise; what is unknown stands last", () => {
    expect(labels(sortItems(items, undefined))).toBe("bac");
    expect(labels(sortItems(items, "name"))).toBe("abc");
    expect(labels(sortItems(items, "-share"))).toBe("cba");
    expect(labels(sortItems(items, "share"))).toBe("bca");
  });

  it("are exported with exact numbers and their reasons", () => {
    const { header, rows } = csvOf(items.slice(0, 1));
    const cell = (name: string) => rows[0]![header.indexOf(name)];
    expect([cell("configuration"), cell("p_lower"), cell("reason"), cell("decided_by")]).toEqual([
      "b",
      0.5,
      "resolution",
      "a bucket edge at 600 ms",
    ]);
    expect([cell("source"), cell("publication")]).toEqual(["run", null]);
  });
});

describe("known budgets", () => {
  const { document } = evaluation().budget;
  const item = (changes: object): BudgetItem => ({
    document: { ...document, ...changes } as BudgetItem["document"],
    built_in: true,
    applies_to: [],
    is_newest: true,
    created_at: null,
  });

  it("fill the sentence so that it asks the same", () => {
    const fields = fieldsOf(document)!;
    expect(slaSearch(fields)).toStrictEqual({
      reads: 250,
      sched: "sequential",
      window: "1 s",
      reserve: "400 ms",
      objective: 99.9,
    });
    expect(plain(questionText(readQuestion(slaSearch(fields)).question!))).toMatch(
      /99.9 % .* 250 reads one after another/,
    );
  });

  it("fill several stages, and are left alone where the sentence cannot say them", () => {
    const stage = { operation: "write", count: 10, fan_out: 5, scheduling: null, overhead_ns: 2_000_000 };
    const two = item({ plan: { stages: [{ ...stage, operation: "read", fan_out: 10 }, stage] } }).document;
    expect(slaSearch(fieldsOf(two)!)).toMatchObject({
      sched: "parallel",
      also: "10_write_pool_5_2ms",
      overhead: "2 ms",
    });
    const random = item({ plan: { stages: [{ ...stage, count: { weights: { "1": 1 } } }] } }).document;
    expect(fieldsOf(random)).toBeNull();
    expect(fieldsOf({ ...document, kind: "throughput", floors: [] } as never)).toBeNull();
  });

  it("are offered once each, in their newest version", () => {
    const groups = budgetGroups([
      item({ name: "a", title: "A" }),
      { ...item({ name: "a", title: "old" }), is_newest: false },
      item({ name: "b", title: "", kind: "rule_set" }),
    ]);
    expect(groups).toEqual([
      { group: "Transactions", items: [{ value: "a", label: "A" }] },
      { group: "Other rules", items: [{ value: "b", label: "b" }] },
    ]);
  });
});

describe("a distribution brought along", () => {
  it("is taken as it is; whether it makes sense is for the API to say", () => {
    const { pasted } = readPasted('{"layout": {"t": "pow2"}, "counts": [-1]}', "file.json");
    expect(pasted).toMatchObject({ name: "file.json", distribution: { counts: [-1] } });
  });

  it.each([
    ["", /nothing here yet/],
    ["{", /not JSON/],
    ["[1, 2]", /JSON object/],
    ["7", /JSON object/],
    [`"${"x".repeat(5 * 2 ** 20)}"`, /5.0\sMiB; at most 4\sMiB/],
  ])("%.12s is explained", (text, problem) => {
    expect(readPasted(text, "x")).toMatchObject({ pasted: null, problem: expect.stringMatching(problem) });
  });
});

describe("the size that is asked for", () => {
  it("has sensible defaults and leaves out what was not said", () => {
    expect(readSize({}).asked).toEqual({
      target_transactions_per_s: 4000,
      headroom_ratio: 0.7,
      tolerated_failures: 0,
      replication_factor: 1,
      writes_per_s: null,
      writes_per_s_per_node: null,
      data_bytes: null,
      usable_capacity_bytes: null,
      fill_ratio: null,
    });
    expect(
      readSize({ tps: "1.5k", headroom: 100, spare: 1, data: "2 TB", disk: "1 TB", fill: 80 }).asked,
    ).toMatchObject({
      target_transactions_per_s: 1500,
      headroom_ratio: 1,
      tolerated_failures: 1,
      data_bytes: 2e12,
      fill_ratio: 0.8,
    });
  });

  it("fills a node wholly unless told otherwise", () => {
    expect(readSize({ data: "2 TB", disk: "1 TB" }).asked?.fill_ratio).toBe(1);
  });

  it.each<[SlaSearch, object]>([
    [{ tps: "" }, { tps: "Write a rate per second." }],
    [{ tps: -4 }, { tps: "“-4” is not a number." }],
    [{ headroom: 170 }, { headroom: "A share is less than 100\u00a0%." }],
    [{ spare: 1.5 }, { spare: "“1.5” is not a whole number." }],
    [{ data: "2 TB" }, { disk: "Needed to count nodes for the data." }],
    [{ writes: 5 }, { nodewrites: "Needed to count nodes for the writes." }],
    [{ data: 2 }, { data: "2 of what? Add the unit: GB or TB." }],
  ])("%j is explained beside its field", (search, problems) => {
    expect(readSize(search)).toEqual({ asked: null, problems });
  });
});
