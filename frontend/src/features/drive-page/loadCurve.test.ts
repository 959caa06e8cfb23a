import { describe, expect, it } from "vitest";
import type { DriveLoadCurve, DriveRow } from "@/api/drivePage";
import { tableOf } from "@/charts/spec";
import { leaderboardRow } from "@/test/driveFixtures";
import { loadCurveSpec, segments } from "./loadCurve";

type Point = DriveLoadCurve["points"][number];

const point = (load: number, lower: number, upper: number, tested = true): Point => ({
  load,
  lower_ratio: lower,
  upper_ratio: upper,
  state: tested ? "passed" : "bounded",
  test_ids: tested ? [`test at ${load}`] : [],
});

const row = (id: string, metric: DriveRow["metric_class"], usable: number | null = 0.8): DriveRow =>
  leaderboardRow(id, {
    over_provisioning: { class: usable === null ? "none" : "over_provisioned", usable_ratio: usable, as_printed: null },
    metric_class: metric,
  });

const curve = (id: string, points: Point[]): DriveLoadCurve => ({
  row_id: id,
  threshold_ns: 1_000_000,
  limit_ratio: 0.05,
  points,
});

describe("between tested loads", () => {
  it("only monotony bounds the share", () => {
    const found = segments([point(6, 0.0535, 0.0545), point(3, 0.0155, 0.0165), point(4, 0.01, 0.06, false)]);
    expect(found.map(({ bounds }) => bounds)).toStrictEqual([
      [0.0155, 0.0165],
      [0.0155, 0.0545],
      [0.0535, 0.0545],
    ]);
    expect(found[1]?.from).toBeGreaterThan(3);
    expect(found[1]?.to).toBeLessThan(6);
  });

  it("nothing is drawn where more load did better", () => {
    expect(segments([point(3, 0.001, 0.0015), point(6, 0, 0.0005)]).map(({ bounds }) => bounds)).toStrictEqual([
      [0.001, 0.0015],
      null,
      [0, 0.0005],
    ]);
  });
});

describe("the load curve", () => {
  const spec = loadCurveSpec(
    "Intel S3700",
    1_000_000,
    [
      curve("a", [point(1, 0.00555, 0.00565), point(2, 0.005, 0.017, false), point(3, 0.0155, 0.0165)]),
      curve("b", [point(3, 0, 0.0005)]),
    ],
    [row("a", "total"), row("b", "device")],
  );

  it("has a row for each tested load, with what is known exactly", () => {
    expect(spec?.rows.map(({ x }) => x)).toStrictEqual([1, 3]);
    const { header, rows } = tableOf(spec ?? fail(), spec?.series ?? []);
    expect(header[0]).toBe("load_multiple");
    expect(rows).toStrictEqual([
      [1, 0.00555, 0.00565, null, null],
      [3, 0.0155, 0.0165, 0, 0.0005],
    ]);
  });

  it("keeps what may be nothing on its axis, and says so when read", () => {
    const [low, high] = spec?.y.domain ?? [0, 0];
    expect(spec?.y.kind).toBe("log");
    expect(low).toBeGreaterThan(0);
    expect(high).toBeGreaterThanOrEqual(0.05);
    const device = spec?.series[1];
    const last = spec?.rows[1];
    expect(last === undefined ? null : device?.read(last)?.replaceAll("\u00a0", " ")).toBe("≤ 0.05 %");
    for (const drawn of spec?.drawn ?? []) {
      const band = drawn["b"];
      if (Array.isArray(band)) expect(band[0]).toBeGreaterThanOrEqual(low);
    }
  });

  it("draws dots at tested loads alone, and the limit of the threshold", () => {
    const dots = (spec?.drawn ?? []).filter((one) => typeof one["a dot"] === "number");
    expect(dots.map(({ x }) => x)).toStrictEqual([1, 3]);
    expect(spec?.limits?.map(({ y, label }) => [y, label.replaceAll("\u00a0", " ")])).toStrictEqual([
      [0.05, "limit 5 % over 1 ms"],
    ]);
    expect(spec?.series.map(({ label }) => label)).toHaveLength(2);
  });

  it("draws the dot of a load without an upper bound at its lower one, not half-way to 100 %", () => {
    const open = loadCurveSpec("Intel S3700", 1_000_000, [curve("a", [point(1, 0.0047, 1)])], [row("a", "total")]);
    expect(open?.rows.map((drawn) => drawn["a dot"])).toStrictEqual([0.0047]);
  });

  it("shows of many conditions those with the most loads first, by every kind of time", () => {
    const many = loadCurveSpec(
      "Intel S3700",
      1_000_000,
      [
        curve("a", [point(1, 0.01, 0.02), point(3, 0.02, 0.03)]),
        curve("b", [point(1, 0.01, 0.02)]),
        curve("c", [point(1, 0.01, 0.02)]),
        curve("d", [point(1, 0.01, 0.02)]),
      ],
      [row("a", "total"), row("b", "device"), row("c", "total", null), row("d", "device", null)],
    );
    expect(many?.series.map(({ key, hiddenAtFirst }) => [key, hiddenAtFirst])).toStrictEqual([
      ["a", false],
      ["b", false],
      ["c", true],
      ["d", true],
    ]);
  });

  it("is not there where nothing was tested", () => {
    expect(loadCurveSpec("X", 1_000_000, [curve("a", [point(2, 0, 1, false)])], [row("a", "total")])).toBeNull();
    expect(loadCurveSpec("X", 8_000_000, [curve("a", [point(2, 0, 1)])], [row("a", "total")])).toBeNull();
  });
});

function fail(): never {
  throw new Error("there is no curve");
}
