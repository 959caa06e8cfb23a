import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { PercentileCurve } from "@/api/types";
import { exceedanceVerdict, runDetail, transactionVerdict } from "@/test/fixtures";
import { show } from "@/test/render";
import { decidingRow, tightestRow } from "./ExceedanceCard";
import { headingOf, speedText, VerdictCards } from "./VerdictCards";

const text = (element: HTMLElement): string => (element.textContent ?? "").replaceAll("\u00a0", " ");

describe("verdict cards", () => {
  it("are named by their question and answer it in a word, with figures", () => {
    show(<VerdictCards run={runDetail({ verdicts: [exceedanceVerdict(), transactionVerdict()] })} />);
    const limits = screen.getByRole("article", { name: "Does it keep the ACT limits at 1x?" });
    expect(text(limits)).toContain("PASS");
    expect(text(limits)).toContain("2.5–2.9 % take 1 ms or longer; limit 5 %");
    expect(text(limits)).toContain("preview");
    expect(text(limits)).toContain("needs 23 h 59 min more to 24 h");

    const reads = screen.getByRole("article", { name: "250 reads in 1 s?" });
    expect(text(reads)).toContain("of 1 s, as measured");
    expect(text(reads)).toContain("402–410; asked 250");
    expect(text(reads)).toContain("the model agrees with what was measured (dependence factor D = 1.1)");
  });

  it("say why nothing is decided, and what would decide it", () => {
    const open = transactionVerdict({
      verdict: "INDETERMINATE",
      reason: "samples",
      reason_text: "60,000 reads show at most 99.87 %.",
      decided_by: "748,900 reads",
      provisional: true,
    });
    show(<VerdictCards run={runDetail({ verdicts: [open] })} />);
    const card = screen.getByRole("article");
    expect(text(card)).toContain("Undecided so far: too few operations");
    expect(text(card)).toContain("60,000 reads show at most 99.87 %.");
    expect(text(card)).toContain("To decide it: 748,900 reads");
  });

  it("lead to what the generator did where that is the reason, and only there", () => {
    const open = { verdict: "INDETERMINATE" as const, reason_text: "2 of 30 slices are unreliable" };
    const { unmount } = show(
      <VerdictCards run={runDetail({ verdicts: [transactionVerdict({ ...open, reason: "generator" })] })} />,
    );
    expect(screen.getByRole("link", { name: "Was the load applied?" }).getAttribute("href")).toBe("#load-generator");
    unmount();
    show(<VerdictCards run={runDetail({ verdicts: [transactionVerdict({ ...open, reason: "samples" })] })} />);
    expect(screen.queryByRole("link", { name: "Was the load applied?" })).toBeNull();
  });

  it("say unknown with its reason where a figure is missing", () => {
    const verdict = transactionVerdict();
    const finding = verdict.transaction!;
    show(
      <VerdictCards
        run={runDetail({
          verdicts: [
            {
              ...verdict,
              transaction: {
                ...finding,
                p_lower: null,
                p_upper: null,
                evidence: null,
                room_lower_ns: null,
                room_upper_ns: null,
                n_guaranteed: null,
                p_lower_confident: null,
                quantile_lower_ns: null,
                measured: null,
                cdf: [],
              },
            },
          ],
        })}
      />,
    );
    const card = screen.getByRole("article");
    expect(within(card).getByText(/^unknown: nothing was measured/)).toBeTruthy();
    expect(text(card)).toContain("not here: this run issued single reads");
  });

  it("say what the room rests on, and no more than an upper limit where that is all there is", () => {
    const verdict = transactionVerdict();
    const finding = verdict.transaction!;
    const card = (transaction: typeof finding): string => {
      const { unmount } = show(<VerdictCards run={runDetail({ verdicts: [{ ...verdict, transaction }] })} />);
      const words = text(screen.getByRole("article"));
      unmount();
      return words;
    };
    expect(card(finding)).toContain("610–640 ms of 1 s, as measured");
    expect(card({ ...finding, evidence: "model" })).toContain("610–640 ms of 1 s, by the model");
    expect(card({ ...finding, room_lower_ns: null })).toContain("at most 640 ms of 1 s");
  });

  it("of other kinds say their word, their criteria and their limits", () => {
    const limit = { kind: "throughput", operation: null, clock: null, quantity: "operations_per_s", limit: 1_000_000 };
    const other = transactionVerdict({
      kind: "rule_set",
      verdict: "FAIL",
      reason_text: "One of two criteria is broken.",
      transaction: null,
      rows: [{ ...limit, value: 9e5, value_lower: 9e5, value_upper: 9e5, verdict: "FAIL" }],
      criteria: [{ budget: { name: "rate", title: "Rate" }, verdict: "FAIL", reason: null, reason_text: "900k ops/s" }],
    });
    show(<VerdictCards run={runDetail({ verdicts: [other] })} />);
    const card = screen.getByRole("article", { name: "250 reads in 1 s?" });
    expect(text(card)).toContain("FAIL");
    expect(text(card)).toContain("One of two criteria is broken.");
    expect(within(card).getAllByRole("listitem").map(text)).toEqual(["FAIL Rate 900k ops/s"]);
    expect(within(card).getAllByRole("cell").map(text)).toEqual(["operations", "900k ops/s", "> 1.00M ops/s", "FAIL"]);
  });

  it("of a count that varies lead to their budget by its name", () => {
    const finding = transactionVerdict().transaction!;
    const stage = { operation: "read", count: { weights: { 10: 0.5, 250: 0.5 } }, fan_out: 1, overhead_ns: 0 };
    const staged = transactionVerdict({ transaction: { ...finding, scheduling: "plan", plan: { stages: [stage] } } });
    show(<VerdictCards run={runDetail({ verdicts: [staged] })} />);
    expect(screen.getByRole("link", { name: /^What if/ }).getAttribute("href")).toBe(
      `/sla?run=${runDetail().run_id}&budget=fraud-250-sequential`,
    );
    expect(text(screen.getByRole("article"))).toContain("asked 250, in several stages");
  });

  it("of a transaction lead to the same question with other numbers", () => {
    show(<VerdictCards run={runDetail({ verdicts: [transactionVerdict()] })} />);
    const link = screen.getByRole("link", { name: /^What if/ });
    expect(link.getAttribute("href")).toBe(
      `/sla?run=${runDetail().run_id}&reads=250&sched=sequential&window=1+s&reserve=0&objective=99.9`,
    );
  });

  it("of reads through a pool lead to the same fan-out", () => {
    const finding = transactionVerdict().transaction!;
    const stage = { operation: "read", count: 250, fan_out: 10, scheduling: "pool", overhead_ns: 0 };
    const pool = transactionVerdict({ transaction: { ...finding, scheduling: "pool", plan: { stages: [stage] } } });
    show(<VerdictCards run={runDetail({ verdicts: [pool] })} />);
    expect(screen.getByRole("link", { name: /^What if/ }).getAttribute("href")).toContain(
      "&reads=250&sched=pool&fan=10&window=1+s",
    );
  });

  it("before the first verdict say what is awaited, and after a failure that none will come", () => {
    const { unmount } = show(<VerdictCards run={runDetail()} />);
    expect(text(screen.getByRole("status"))).toContain("a few seconds after the first histograms");
    unmount();
    show(<VerdictCards run={runDetail({ state: "finished", outcome: "failed" })} />);
    expect(text(screen.getByRole("status"))).toContain("The run failed before there was enough to judge");
  });

  it("lead with the limit that is nearest to being broken", () => {
    const [row] = exceedanceVerdict().exceedance!.rows;
    const far = { ...row!, threshold_ns: 8_000_000, limit_ratio: 0.01, ratio_upper: 0.001 };
    expect(tightestRow([far, row!])).toBe(row);
    expect(tightestRow([])).toBeNull();
  });

  it("of a FAIL lead with the limit that was broken, however wide the bounds of another one are", () => {
    const [row] = exceedanceVerdict().exceedance!.rows;
    const broken = { ...row!, ratio_upper: 0.06, verdict: "FAIL" as const };
    const wide = {
      ...row!,
      threshold_ns: 8_000_000,
      limit_ratio: 0.01,
      ratio_upper: 0.5,
      verdict: "INDETERMINATE" as const,
    };
    expect(decidingRow("FAIL", [broken, wide])).toBe(broken);
    expect(decidingRow("INDETERMINATE", [row!, wide])).toBe(wide);
    expect(decidingRow("FAIL", [row!])).toBeNull(); // one hour broke a limit that the run as a whole meets
  });
});

describe("the heading of the verdicts", () => {
  const verdict = (word: string, title = word) => ({ verdict: word, budget: { name: title, title } }) as never;

  it("names the questions that fail, or counts those that pass", () => {
    const [pass, fail, open] = [verdict("PASS"), verdict("FAIL", "ACT performance test"), verdict("INDETERMINATE")];
    expect(headingOf([pass, fail, open])).toBe("1 of 3 questions fails: ACT performance test");
    expect(headingOf([fail, verdict("FAIL", "250 reads in 1 s")])).toBe(
      "2 of 2 questions fail: ACT performance test, 250 reads in 1 s",
    );
    expect(headingOf([pass, pass])).toBe("All 2 questions pass");
    expect(headingOf([pass, open])).toBe("1 of 2 questions pass, 1 undecided");
  });
});

describe("the speed of a run without a verdict", () => {
  const point = (upper_ns: number | null) => [{ quantile: 0.99, lower_ns: 1, upper_ns }];
  const curve = (operation: string, clock: "response" | "service", upper_ns: number | null): PercentileCurve => ({
    operation,
    clock,
    count: 1000,
    miss_count: 0,
    max_ns: null,
    printed: [],
    points: point(upper_ns),
  });
  const plain = (text: string | null) => text?.replaceAll("\u00a0", " ") ?? null;

  it("is named by operation, on the first clock of each", () => {
    const curves = [
      curve("get", "response", 1_200_000),
      curve("get", "service", 900_000),
      curve("set", "response", 1_410_000),
    ];
    expect(plain(speedText(curves))).toBe("99 of 100 gets end within 1.20 ms, 99 of 100 sets end within 1.41 ms.");
  });

  it("is left out where the slowest are beyond what was recorded", () => {
    expect(speedText([curve("get", "response", null)])).toBeNull();
    expect(speedText([])).toBeNull();
  });
});
