import { describe, expect, it } from "vitest";
import { commonLabel, measureOf } from "@/entities/drive/measure";
import { drivesSearch } from "@/features/drives/address";
import { toCsv } from "@/lib/csv";
import { cell, leaderboard, leaderboardRow } from "@/test/driveFixtures";
import { SORT_KEYS, sortingOf, sortKeyOf } from "./address";
import { answerOf, fewDecided, passedLoadsAnswer } from "./answerText";
import { cellName, cellNotes, rowConditions, shareLines } from "./cellWords";
import { COLUMNS, DEFAULT_COLUMNS, shownColumns, writeColumns } from "./columns";
import { documentOf, shortCsv } from "./exports";
import { matrixColumns } from "./matrixColumns";
import { labelsOf, MOST_PICKED, pairsOf, pickOf, picksOf, pickToggled, slugOf, testsOf } from "./shortlist";

const plain = (text: string): string => text.replaceAll("\u00a0", " ");
const row = leaderboardRow("r1");
const reads = measureOf(leaderboard([row]));

describe("a cell", () => {
  it("is named by load, state and shares", () => {
    expect(plain(cellName(cell(6, "failed"), reads))).toBe("6x failed, over 1 ms: 1–2 %");
    expect(cellName(cell(12, "untested"), reads)).toBe("12x never tested");
    expect(cellName(cell(3, "bounded"), reads)).toBe("3x bounded");
  });

  it("shows every limit, also those that nothing is on record for", () => {
    const lines = shareLines(cell(6, "failed"), reads).map(({ name, share, exact, limit }) =>
      plain([name, share, exact, limit].join(" | ")),
    );
    expect(lines).toEqual(["over 1 ms | 1–2 % | 1 % to 2 % | < 5 %", "over 8 ms | not on record |  | < 1 %"]);
  });

  it("is about late transactions where the question is about transactions", () => {
    const document = { kind: "transaction", window_ns: 1e9, reserve_ns: 4e8, objective_ratio: 0.999 };
    const asked = leaderboard([row], { question: { kind: "budget", title: "250 reads", limits: [], document } });
    const late = cell(3, "undecided", { exceedances: [{ threshold_ns: 1e9, lower_ratio: 0, upper_ratio: 0.2 }] });
    expect(plain(cellName(late, measureOf(asked)))).toBe("3x undecided, late: ≤ 20 %");
    expect(shareLines(late, measureOf(asked)).map(({ name, limit }) => plain(`${name} ${limit}`))).toEqual([
      "late ≤ 0.1 %",
    ]);
    expect(plain(commonLabel(reads, [row]) ?? "")).toBe("≥ 1 ms at 3x");
    expect(commonLabel(measureOf(asked), [row])).toBe("late at 3x");
  });

  it("says why, on what, and from whom", () => {
    const open = cell(6, "undecided", { reason: "the interval holds the limit", disagree: true, test_ids: ["a", "b"] });
    expect(cellNotes(open, row)).toEqual([
      "The interval holds the limit.",
      "The test was judged as a whole: its hours are not on record.",
      "Tests of this load say different things.",
      "2 tests: tested by its vendor.",
    ]);
    expect(cellNotes(cell(12, "untested"), row)).toEqual([]);
  });
});

it("a row says its conditions in full where those around it may have others", () => {
  expect(plain(rowConditions(row, false))).toBe("400 GB");
  expect(plain(rowConditions(row, true))).toBe(
    "400 GB · over-provisioned (79 % usable) · response time (total) · ACT before 2.0",
  );
});

describe("columns", () => {
  it("say why a value is missing", () => {
    const price = COLUMNS.find((column) => column.key === "price_per_ktps");
    expect(price?.show(row, [])).toEqual({ unknown: "its price is not known: no source in the catalogue says it" });
    const none = leaderboardRow("r2", {
      price: {
        lower: 100,
        upper: 100,
        ...{ currency: "USD", per: null, region: null, terms: null, date: null, source: null, publication: null },
      },
    });
    none.rating.passed_load = null;
    expect(price?.show(none, [])).toEqual({ unknown: "no load is known that it passes" });
    for (const column of COLUMNS) {
      const shown = column.show(leaderboardRow("r3", { rank: null, interface: null, evidence: [] }), []);
      expect("unknown" in shown ? shown.unknown : shown.text).not.toBe("");
    }
  });

  it("stand in one order, and the usual ones leave the address alone", () => {
    expect(writeColumns(DEFAULT_COLUMNS)).toBeUndefined();
    expect(writeColumns(["rank", "rating"])).toBe("rating*rank");
    expect(shownColumns(drivesSearch({ columns: "rank*rating*nonsense" }))).toEqual(["rating", "rank"]);
    expect(shownColumns(drivesSearch({ columns: writeColumns([]) }))).toEqual([]);
    expect(shownColumns(drivesSearch({}))).toEqual(DEFAULT_COLUMNS);
  });

  it("spread the loads where they stand", () => {
    const context = { rows: [row], measure: reads, mixed: false, hrefOf: (slug: string) => slug, onPick: () => {} };
    const columns = matrixColumns({ ...context, chosen: ["rating", "loads", "dwpd", "rank"], loads: [1, 3] });
    expect(columns.map(({ id }) => id)).toEqual(["pick", "drive", "rating", "load 1", "load 3", "dwpd", "rank"]);
    expect(columns.filter((each) => each.enableSorting === false).map(({ id }) => id)).toEqual(["rank"]);
    expect(columns.filter((each) => each.sortDescFirst).map(({ id }) => id)).toEqual(["rating", "dwpd"]);
  });

  it("have one order for each sort key", () => {
    expect(sortingOf("rating")).toEqual([{ id: "rating", desc: true }]);
    expect(sortingOf("-rating")).toEqual([{ id: "rating", desc: false }]);
    expect(sortingOf("-dwpd")).toEqual([{ id: "dwpd", desc: true }]);
    expect(SORT_KEYS.map((key) => sortingOf(key).map(sortKeyOf))).toEqual(SORT_KEYS.map((key) => [key]));
  });
});

describe("files", () => {
  const answer = leaderboard([row, leaderboardRow("r2", { rank: null, interface: 'a "b", c' })]);

  it("as JSON are the answer without its paging", () => {
    const { next_cursor: _, ...whole } = answer;
    expect(JSON.parse(documentOf(answer))).toEqual(whole);
  });

  it("as JSON have the plain spaces of the API, not those of the page", () => {
    expect(documentOf({ ...answer, notes: ["5\u00a0% or more"] })).toContain('"5 % or more"');
  });
});

describe("the shortlist", () => {
  it("keeps rows with their drives, and no more than fit", () => {
    expect(pickOf(row)).toBe("intel-s3700.r1");
    expect(slugOf("intel-ssd-1.2.r1")).toBe("intel-ssd-1.2");
    const search = drivesSearch({ pick: "a.1*b.2*c.3*d.4*e.5*f.6*g.7" });
    expect(picksOf(search)).toHaveLength(MOST_PICKED);
    expect(pickToggled(drivesSearch({ pick: "a.1" }), "b.2")).toBe("a.1*b.2");
    expect(pickToggled(drivesSearch({ pick: "a.1" }), "a.1")).toBeUndefined();
  });

  it("is compared two by two, at the highest load that both have been tested at", () => {
    const other = leaderboardRow("r2", { cells: [cell(1, "passed"), cell(3, "failed", { test_ids: ["other-3"] })] });
    expect(pairsOf([row, other])).toMatchObject([{ load: 3, tests: ["test-3", "other-3"] }]);
    expect(pairsOf([row, other, row]).map((pair) => pair.load)).toEqual([3, 6, 3]);
    expect(testsOf(pairsOf([row, other, row]))).toEqual(["test-3", "other-3", "test-6"]);
  });

  it("is compared at the highest of each where none is common, and not at all without tests", () => {
    const other = leaderboardRow("r2", { cells: [cell(1, "passed"), cell(3, "bounded")] });
    expect(pairsOf([row, other])).toMatchObject([{ load: null, tests: ["test-6", "test-1"] }]);
    const untested = leaderboardRow("r3", { cells: [cell(1, "untested")] });
    expect(pairsOf([row, untested])).toMatchObject([{ load: null, tests: null }]);
    expect(pairsOf([row])).toEqual([]);
  });

  it("never asks about more tests than the API compares at once", () => {
    const loads = Array.from({ length: 30 }, (_, index) => index + 1);
    const rows = Array.from({ length: MOST_PICKED }, (_, at) =>
      leaderboardRow(`r${at}`, {
        cells: loads.map((load) => cell(load, "passed", { test_ids: load % (at + 2) === 0 ? [`${at}-${load}`] : [] })),
      }),
    );
    expect(testsOf(pairsOf(rows)).length).toBeLessThanOrEqual(20);
  });

  it("names rows so that they can be told apart", () => {
    const twin = leaderboardRow("r2", { capacity_bytes: 800e9 });
    const device = leaderboardRow("r3", { metric_class: "device" });
    const other = leaderboardRow("r4", { drive: { slug: "x", vendor: "X", name: "X" } });
    const names = [...labelsOf([row, twin, device, other]).values()].map(plain);
    expect(names).toEqual([
      "Intel S3700, 400 GB · over-provisioned (79 % usable) · response time (total) · ACT before 2.0",
      "Intel S3700, 800 GB",
      "Intel S3700, 400 GB · over-provisioned (79 % usable) · service time (device only) · ACT before 2.0",
      "X",
    ]);
  });
});

describe("the answer in a sentence", () => {
  const named = (name: string, best: number) =>
    leaderboardRow(name, {
      drive: { slug: name, vendor: name, name },
      rank: { best, worst: 4, among: 6 },
      capacity_bytes: null,
    });

  it("names all who may be first, never one of several", () => {
    const tied = answerOf([named("A", 1), named("B", 1), named("C", 2)]);
    expect(tied?.before).toBe("2 drives tie for first: the tests cannot separate them.");
    expect(tied?.reason).toBe("They are A and B.");
    expect(answerOf([named("A", 1), named("C", 2)])?.before).toBe("A comes first: passed at 3x, failed at 6x.");
    const many = ["A", "B", "C", "D", "E", "F"].map((name) => named(name, 1));
    expect(answerOf(many)?.reason).toContain("A, B, C, D and 2 others");
  });

  it("names no winner across groups of different conditions", () => {
    const held = (slug: string, passed_load: number | null) =>
      leaderboardRow(slug, {
        drive: { slug, vendor: "", name: slug },
        rating: { ...leaderboardRow(slug).rating, passed_load },
      });
    const answer = passedLoadsAnswer([held("a", 3), held("b", 275), held("c", null)]);
    expect(`${answer?.key}${answer?.after}`).toBe("2 of 3 drives kept it in their tests, at loads from 3x to 275x.");
    expect(answer?.reason).toContain("only inside a group");
    expect(passedLoadsAnswer([held("a", null)])).toBeNull();
  });

  it("claims nothing where nothing was passed or decided", () => {
    expect(answerOf([])).toBeNull();
    expect(answerOf([leaderboardRow("x", { rank: null })])).toBeNull();
    const failed = leaderboardRow("x", {
      rating: {
        passed_load: null,
        failed_load: 3,
        passed_strength: null,
        failed_strength: "observed",
        never_tested_above: false,
        violations: [],
      },
    });
    expect(answerOf([failed])?.before).toContain("None of these is known to pass");
  });
});

describe("a list of drives", () => {
  it("says where hardly any test decides", () => {
    const undecided = { ...row, rating: { ...row.rating, passed_load: null, failed_load: null } };
    const failed = { ...undecided, rating: { ...undecided.rating, failed_load: 6 } };
    expect(fewDecided([])).toBeNull();
    expect(fewDecided([undecided])).toBe("No test here decides it.");
    expect(fewDecided([failed, ...Array.from({ length: 9 }, () => undecided)])).toBe("Only 1 of 10 rows are decided.");
    expect(fewDecided([failed, undecided])).toBeNull();
  });
});

describe("the short table for a colleague", () => {
  it("has ten columns, and the question in each row", () => {
    const row = leaderboardRow("a", { dwpd: null, tested_year: null, published_year: 2019 });
    const short = shortCsv({ rows: [row], question: "20 reads.", limits: [] });
    const csv = toCsv(short.header, short.rows);
    const [header = "", line = ""] = csv.trim().split("\r\n");
    expect(header.split(",")).toEqual([
      "question",
      ...["drive", "capacity", "holds", "fails_at", "share_slow", "price", "dwpd", "year", "tested_by"],
    ]);
    expect(line).toMatch(/^20 reads\.,/);
    expect(line).toContain("not stated,by 2019,");
    expect(shortCsv({ rows: [], question: "Is it fast?", limits: [] })).toEqual({
      header: header.split(","),
      rows: [],
    });
  });
});
