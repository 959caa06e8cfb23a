import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { BudgetItem } from "@/api/types";
import { tableOf } from "@/charts/spec";
import { budgetGroups, fieldsOf } from "@/entities/question/budgets";
import { questionText, readQuestion } from "@/entities/question/question";
import { EvaluationAnswer } from "@/entities/verdict/EvaluationAnswer";
import { dependenceText } from "@/entities/verdict/words";
import { slaSearch } from "@/features/sla/address";
import { RUN_ID } from "@/test/fixtures";
import { show } from "@/test/render";
import { evaluation, matchItem } from "@/test/slaFixtures";
import type { SlaSearch } from "./address";
import { Evidence } from "./Evidence";
import { Margins } from "./Margins";
import { csvOf, groupsOf } from "./matches";
import { readPasted } from "./pastedDistribution";
import { PerNode } from "./Sizing";
import { readSize } from "./sizeQuestion";
import { timeSpec } from "./timeSpec";
import { modelLines, worstCaseText } from "./wording";

const plain = (text: string | null): string => (text ?? "nothing").replaceAll("\u00a0", " ");

it.each([199.999999, 200])("a node is in time as often as the answer says, and not by a rounded rate: %d", (rate) => {
  const answer = {
    ...{ nodes: 29, parts: [], assumptions: [], reads_per_s_per_node: 2_000, transactions_per_s_per_node: 200 },
    ...{ goodput_transactions_per_s: rate, verdict: "PASS", strength: "observed" },
  } as unknown as Parameters<typeof PerNode>[0]["answer"];
  const { container } = show(<PerNode answer={answer} />);
  expect(plain(container.textContent)).toContain("200 transactions/s, 99.9999 % or more of them in time.");
});

describe("the answer in words", () => {
  it("marks what the verdict rests on", () => {
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
    expect(modelLines(answer).map((line) => line.decides)).toEqual([false, false, true]);
    expect(plain(modelLines(answer)[2]!.words)).toBe(
      "3,148 of 3,150 in time; late transactions are more frequent than the model says: slow operations are clustered (dependence factor D = 4.0)",
    );
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
    expect(plain(worstCaseText({ p_lower: 0.5, p_upper: 1 }, 0.999))).toMatch(/only ≥ 50 % would be certain/);
    expect(worstCaseText({ p_lower: 0, p_upper: 1 }, 0.999)).toMatch(/nothing is guaranteed/);
    expect(worstCaseText({ p_lower: 1, p_upper: 1 }, 0.999)).toMatch(/all would be in time/);
    expect(worstCaseText(null, 0.999)).toBeNull();
  });
});

describe("the answer", () => {
  it("says the verdict, the sentence, both scopes and the cheapest way", () => {
    const observed = evaluation({
      verdict: "PASS",
      strength: "observed",
      words: "PASS in this run",
      reason: null,
      unproven: "samples",
      reason_text: "99.95 % of transactions keep 600 ms; proves 98 %",
      decided_by: "10 min at this load",
      headline: { text: "x", lower: 0.9995, upper: 0.9997, asked: 0.999, unit: "ratio", basis: "model" },
      observed: { verdict: "PASS", lower: 0.9995, upper: 0.9997 },
      proven: { verdict: "INDETERMINATE", lower: 0.98, upper: 1 },
      room_lower_ns: 120_000_000,
      room_upper_ns: 561_000_000,
    });
    show(<EvaluationAnswer evaluation={observed} name="Do they fit?" />);
    const text = plain(screen.getByRole("region", { name: "Do they fit?" }).textContent);
    expect(text).toContain("PASS in this run30 s, 60,000 reads");
    expect(text).toContain("250 reads end within 480 ms, with at least 120 ms to spare.");
    expect(text).toContain("To prove it for the next run: 10 min at this load.");
    expect(text).toContain("This run kept it99.95–99.97 %");
    expect(text).toContain("The next run is not proven98 % or more, 95 % confidence");
    expect(text).not.toContain("INDETERMINATE");
  });

  it("says what would decide it where it is undecided", () => {
    show(<EvaluationAnswer evaluation={evaluation()} name="Do they fit?" />);
    const text = plain(screen.getByRole("region", { name: "Do they fit?" }).textContent);
    expect(text).toContain("Undecided: buckets too coarse");
    expect(text).toContain("To decide it: a bucket edge at 600 ms.");
  });

  it("warns of a closed loop in the line of the verdict", () => {
    const { subject } = evaluation();
    show(
      <EvaluationAnswer evaluation={evaluation({ subject: { ...subject, closed_loop: true } })} name="Do they fit?" />,
    );
    expect(screen.getByText(/^closed loop: requests that would have waited/)).toBeTruthy();
  });

  it("rests on figures that fold away", () => {
    show(<Evidence evaluation={evaluation()} />);
    const text = plain(document.body.textContent);
    expect(text).toContain("60,000 reads by response time over 30 s");
    expect(text).toContain("not here: no whole transactions of this kind were issued");
    expect(text).toContain("Without any assumption");
  });

  it("stretches as far as this run kept it, and never to where a search stopped", () => {
    const kept = { room_lower_ns: 120_000_000, room_upper_ns: 561_000_000 };
    const { unmount } = show(
      <Margins evaluation={evaluation({ ...kept, n_guaranteed: 310, n_possible: 3000, n_text: "310–3,000" })} />,
    );
    expect(plain(document.body.textContent)).toContain(
      "Largest transaction in 600 ms310 reads250 asked; 310–3,000 of them fit.",
    );
    expect(plain(document.body.textContent)).toContain("Tightest deadline for 250 reads480 ms");
    unmount();
    const unlimited = { n_guaranteed: null, n_possible: null, n_text: "no limit found" };
    show(<Margins evaluation={evaluation({ ...kept, ...unlimited })} />);
    expect(document.body.textContent).not.toContain("Largest transaction");
  });

  it.each([
    ["model", "99.9999 %"],
    ["measured", "100 %"],
  ] as const)("keeps all transactions only by counting them: %s", (evidence, share) => {
    const { observed } = evaluation();
    show(<Margins evaluation={evaluation({ evidence, observed: { ...observed, lower: 1, upper: 1 } })} />);
    expect(plain(document.body.textContent)).toMatch(new RegExp(`Strictest share in 600 ms${share}`));
  });
});

describe("the picture", () => {
  it("marks window, what the reserve leaves, and objective, and holds exact shares", () => {
    const spec = timeSpec(evaluation(), "auto")!;
    expect(plain(spec.title)).toBe("99.9 % of transactions (250 reads one after another) take at least 10 ms");
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
    matchItem("coarse"),
    matchItem("late", { verdict: "FAIL", strength: "observed", reason: null }),
    matchItem("coarse too"),
    matchItem("short", { reason: "samples", decided_by: "100 reads more" }),
    matchItem("kept", { verdict: "PASS", strength: "observed", reason: null }),
    matchItem("shown", { verdict: "PASS", strength: "proven", reason: null }),
    matchItem("refuted", { verdict: "FAIL", strength: "proven", reason: null }),
  ];
  const labels = (some: readonly (typeof items)[number][]) => some.map((item) => item.subject.label);

  it("stand in groups by verdict and strength, undecided ones by what would decide them", () => {
    const { proven, observed, tooSlow, undecided } = groupsOf(items);
    expect(labels(proven)).toEqual(["shown"]);
    expect(labels(observed)).toEqual(["kept"]);
    expect(labels(tooSlow)).toEqual(["late", "refuted"]);
    expect(undecided.map(({ why, way, items: some }) => [why, way, labels(some)])).toEqual([
      ["buckets too coarse", "a bucket edge at 600 ms", ["coarse", "coarse too"]],
      ["too few operations", "more operations", ["short"]],
    ]);
  });

  it("are exported with exact numbers and their reasons", () => {
    const { header, rows } = csvOf(items.slice(0, 1), {}, "Do they?");
    expect(header.filter((name) => name.startsWith("price"))).toEqual([]);
    const cell = (name: string) => rows[0]![header.indexOf(name)];
    expect([cell("question"), cell("configuration"), cell("observed_lower")]).toEqual(["Do they?", "coarse", 0.7787]);
    expect([cell("reason"), cell("decided_by")]).toEqual(["resolution", "a bucket edge at 600 ms"]);
    expect([cell("source"), cell("publication")]).toEqual(["run", null]);
  });

  it("have columns of costs where one of them has a cost", () => {
    const of = { region: null, terms: null, publication: null, currency: "USD", per: "hour" as const };
    const cost = {
      price: { ...of, lower: 7.2, upper: 7.2, date: "2026-07-16", source: "a document" },
      price_per_ktps: { lower: 0.4, upper: 0.4 },
      price_per_thousand_transactions: { lower: 1.8, upper: 1.8 },
      price_per_million_transactions: { lower: 0.5, upper: 0.5 },
    };
    const { header, rows } = csvOf(items.slice(0, 1), { [RUN_ID]: cost }, "Do they?");
    const cell = (name: string) => rows[0]![header.indexOf(name)];
    expect([cell("price_upper"), cell("price_per"), cell("price_date")]).toEqual([7.2, "hour", "2026-07-16"]);
    expect(cell("price_per_million_transactions_upper")).toBe(0.5);
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
    expect(readSize({}).request).toEqual({
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
      readSize({ tps: "1.5k", headroom: 100, spare: 1, data: "2 TB", disk: "1 TB", fill: 80 }).request,
    ).toMatchObject({
      target_transactions_per_s: 1500,
      headroom_ratio: 1,
      tolerated_failures: 1,
      data_bytes: 2e12,
      fill_ratio: 0.8,
    });
  });

  it("fills a node wholly unless told otherwise", () => {
    expect(readSize({ data: "2 TB", disk: "1 TB" }).request?.fill_ratio).toBe(1);
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
    expect(readSize(search)).toEqual({ request: null, problems });
  });
});
