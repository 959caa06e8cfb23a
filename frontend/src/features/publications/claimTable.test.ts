import { describe, expect, it } from "vitest";
import { printedText } from "@/lib/printed";
import { claimCsv } from "./claimCsv";
import { type ClaimLike, claimName, loadText, type RowLike, tableView } from "./claimTable";

const plain = (text: string | null | undefined): string | null | undefined => text?.replaceAll("\u00a0", " ");

const claim = (key: string, change: Partial<ClaimLike>): ClaimLike => ({
  key,
  quantity: "exceedance",
  statistic: null,
  threshold_ns: null,
  operation: "READ",
  workload: null,
  metric_class: null,
  config: null,
  load: null,
  conditions: {},
  printed: {
    ...{ as_printed: "1", unit_as_printed: "", value: 0.01, lower: 0.005, upper: 0.015, unit: "ratio" },
    comparison: "=",
  },
  position: 0,
  row: "",
  table: "t",
  subject: "Intel 320",
  item_slug: "intel-320",
  ...change,
});

const row = (name: string, claims: ClaimLike[], change: Partial<RowLike> = {}): RowLike => ({
  row: name,
  label: null,
  subject: "Intel 320",
  item_slug: "intel-320",
  test_date_as_printed: null,
  claims,
  ...change,
});

const table = (...rows: RowLike[]) => ({ id: "t", title: "T", title_as_printed: null, note: null, rows });

const act = (name: string, load: number, op: boolean) =>
  row(
    name,
    [1_000_000, 8_000_000].flatMap((threshold) =>
      (["total", "device"] as const).map((metric) =>
        claim(`${name}/${threshold}/${metric}`, {
          threshold_ns: threshold,
          metric_class: metric,
          load: {
            multiple: load,
            reads_per_s: null,
            writes_per_s: null,
            operations_per_s: null,
            as_printed: `${load}x`,
          },
          conditions: {
            capacity_bytes: 160e9,
            capacity_as_printed: "160G",
            over_provisioned: op,
            over_provisioned_as_printed: op ? "YES" : "NO",
            over_provisioning_ratio: op ? 0.2 : 0,
            record_bytes: 1536,
          },
        }),
      ),
    ),
    { test_date_as_printed: "11/2/2011" },
  );

describe("a table of shares", () => {
  const view = tableView(table(act("r1", 1, false), act("r2", 3, true)));

  it("has a column for each threshold and kind of time", () => {
    expect(view.layout).toBe("matrix");
    expect(view.columns.map(({ name, detail }) => [plain(name), detail])).toStrictEqual([
      ["over 1 ms", "total"],
      ["over 1 ms", "device only"],
      ["over 8 ms", "total"],
      ["over 8 ms", "device only"],
    ]);
  });

  it("says beside each row what differs, and once what all share", () => {
    const [first, second] = [act("r1", 1, false), act("r2", 3, true)];
    expect(view.sides.map((side) => [side.name, side.of(first), plain(side.of(second))])).toStrictEqual([
      ["Load", "1x", "3x"],
      ["Over-provisioned", "no", "yes, 20 %"],
      ["Tested", "11/2/2011", "11/2/2011"],
    ]);
    expect(view.shared.map(({ name, text }) => [name, plain(text)])).toStrictEqual([
      ["Capacity", "160 GB"],
      ["Record size", "1,536 B"],
    ]);
  });
});

describe("a table of configurations", () => {
  const pair = (name: string, statistic: string, operation: string) =>
    row(
      name,
      [
        claim(`${name}/new`, { quantity: "latency", statistic, operation, config: "new", subject: "CD8P-R" }),
        claim(`${name}/old`, { quantity: "latency", statistic, operation, config: "old", subject: "CD6-R" }),
        claim(`${name}/gain`, { quantity: "gain", statistic, operation, subject: "CD8P-R against CD6-R" }),
      ],
      { label: name, subject: "CD8P-R · CD6-R" },
    );
  const rows = [pair("Read Latency", "mean", "READ"), pair("Update Latency: 95th", "p95", "READ-MODIFY-WRITE")];
  const view = tableView(table(...rows));

  it("has one column each, headed by what it is about", () => {
    expect(view.columns.map(({ name, detail, subject }) => [name, detail, subject])).toStrictEqual([
      ["latency", "new", "CD8P-R"],
      ["latency", "old", "CD6-R"],
      ["gain claimed", null, "CD8P-R against CD6-R"],
    ]);
    expect(view.subject(rows[0] ?? row("", []))).toBeNull();
  });

  it("says how a row is read where its label says something else", () => {
    expect(rows.map(view.reading)).toStrictEqual(["READ, mean", "READ-MODIFY-WRITE, p95"]);
  });
});

describe("what a text says", () => {
  const rows = [
    row("c1", [claim("c1", { quantity: "share_below", threshold_ns: 7_000_000, statistic: null })], { label: "reads" }),
    row("c2", [claim("c2", { quantity: "throughput", operation: "ALL" }), claim("c2b", { quantity: "speed_factor" })]),
    row("c3", [claim("c3", { quantity: "power" })]),
  ];

  it("is a list, each number with its own words", () => {
    expect(tableView(table(...rows)).layout).toBe("list");
    expect(rows.flatMap((one) => one.claims).map((one) => plain(claimName(one)))).toStrictEqual([
      "under 7 ms, read",
      "throughput",
      "speed factor, read",
      "power, read",
    ]);
  });

  it("tells two numbers of one quantity apart", () => {
    const goal = row("r", [
      claim("a", { quantity: "throughput", statistic: "goal" }),
      claim("b", { quantity: "throughput", statistic: null }),
    ]);
    const view = tableView(table(goal));
    expect(view.columns).toHaveLength(2);
    expect(view.columns.map((column) => view.cell(goal, column).map(({ key }) => key))).toStrictEqual([["a"], ["b"]]);
  });
});

describe("loads and files", () => {
  it("give the multiple beside what was printed", () => {
    const load = {
      multiple: 145,
      reads_per_s: 290_000,
      writes_per_s: 145_000,
      operations_per_s: null,
      as_printed: "435,000",
    };
    expect(loadText(load)).toBe("145x (435,000)");
    expect(loadText({ ...load, as_printed: null })).toBe("145x");
    expect(plain(loadText({ ...load, multiple: null, as_printed: null }))).toBe("290,000 reads/s + 145,000 writes/s");
    expect(loadText(null)).toBeNull();
  });

  it("export every number with both ends, its unit, the characters of the document and all conditions", () => {
    const { header, rows } = claimCsv(table(act("r1", 1, false)));
    expect(rows).toHaveLength(4);
    const first = Object.fromEntries(header.map((name, index) => [name, rows[0]?.[index]]));
    expect(first).toMatchObject({
      row: "r1",
      threshold_ns: 1_000_000,
      metric_class: "total",
      as_printed: "1",
      comparison: "equal",
      value: 0.01,
      lower: 0.005,
      upper: 0.015,
      unit: "ratio",
      load_multiple: 1,
      capacity_as_printed: "160G",
      over_provisioned: "false",
    });
    expect(printedText(claim("x", {}).printed).replaceAll("\u00a0", " ")).toBe("1 %");
  });
});
