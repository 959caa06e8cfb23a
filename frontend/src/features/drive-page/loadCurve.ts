// Chart of the share of slow reads over load. A dot with its interval marks a tested load. Between two tested loads,
// bounds follow from the assumption that more load is never easier, drawn as steps.
import type { DriveLoadCurve, DriveRow } from "@/api/drivePage";
import { logDomain, logTicks } from "@/charts/scales";
import { type AxisSpec, type Bounds, bandSeries, type ChartSpec, type Row } from "@/charts/spec";
import { LOAD_MEANING, loadText, shareRangeText } from "@/entities/drive/ratings";
import { formatExactLatency, formatExactPercent } from "@/lib/format";
import { conditionWords, splitConditions } from "./words";

const COLORS = ["--series-1", "--series-2", "--series-5", "--series-6", "--series-3", "--series-4"] as const;

/** Half the width of the bar of a tested load, as a factor of the load. */
const HALF_BAR = 1.025;
/** Ratio of upper bound to lower end of the axis for an interval that begins at zero. */
const FLOOR_OF_ZERO = 10;

type Point = DriveLoadCurve["points"][number];

/** Returns the share at which a tested load is drawn: the middle of its bounds, or the lower one if nothing bounds it above. */
const dotOf = ({ lower_ratio: lower, upper_ratio: upper }: Point): number => (upper >= 1 ? lower : (lower + upper) / 2);

const tested = (point: Point): boolean => point.test_ids.length > 0;

type Segment = { readonly from: number; readonly to: number; readonly bounds: Bounds | null };

/** Returns the drawn intervals, ascending: a bar per tested load, and monotonicity bounds between neighbours. */
export function segments(points: readonly Point[]): Segment[] {
  const sorted = points.filter(tested).sort((a, b) => a.load - b.load);
  return sorted.flatMap((point, index): Segment[] => {
    const bar: Segment = {
      from: point.load / HALF_BAR,
      to: point.load * HALF_BAR,
      bounds: [point.lower_ratio, point.upper_ratio],
    };
    const next = sorted[index + 1];
    if (next === undefined) return [bar];
    // If the higher load did better, monotonicity is violated and nothing is drawn between the two.
    const bounds: Bounds | null = point.lower_ratio <= next.upper_ratio ? [point.lower_ratio, next.upper_ratio] : null;
    return [bar, { from: bar.to, to: next.load / HALF_BAR, bounds }];
  });
}

const boundsAt = (segments: readonly Segment[], load: number): Bounds | null =>
  segments.find((stretch) => load > stretch.from && load < stretch.to)?.bounds ?? null;

export function loadCurveSpec(
  drive: string,
  thresholdNs: number,
  curves: readonly DriveLoadCurve[],
  rows: readonly DriveRow[],
): ChartSpec | null {
  const shown = rows.flatMap((row) => {
    const curve = curves.find((candidate) => candidate.row_id === row.row_id && candidate.threshold_ns === thresholdNs);
    return curve?.points.some(tested) ? [{ row, curve, key: row.row_id, parts: segments(curve.points) }] : [];
  });
  if (shown.length === 0) return null;
  const limit = shown.find(({ curve }) => curve.limit_ratio !== null)?.curve.limit_ratio ?? null;
  const points = shown.flatMap(({ curve }) => curve.points.filter(tested));
  const y = shareAxis(points, limit);
  const floor = y.domain[0];
  const loads = [...new Set(points.map((point) => point.load))].sort((a, b) => a - b);
  const { own } = splitConditions(shown.map(({ row }) => row));
  const first = firstShown(shown);
  const band = ([lower, upper]: Bounds): Bounds => [Math.max(lower, floor), Math.max(upper, floor)];

  const tableRows = loads.map((load): Row => {
    const row: Record<string, number | Bounds | null> = {};
    for (const { key, curve } of shown) {
      const point = curve.points.find((candidate) => candidate.load === load && tested(candidate));
      if (point === undefined) continue;
      row[key] = band([point.lower_ratio, point.upper_ratio]);
      row[`${key} dot`] = Math.max(floor, dotOf(point));
      row[`${key} exact`] = [point.lower_ratio, point.upper_ratio];
    }
    return { x: load, ...row };
  });

  return {
    title: `${drive}: share over ${formatExactLatency(thresholdNs)} by load`,
    note: `Dots are tested loads. The band at a dot is what rounding or too few samples leave; between dots nothing was measured, and the band is what is left if more load is never easier. ${LOAD_MEANING}.`,
    x: loadAxis(loads),
    y,
    rows: tableRows,
    drawn: drawnRows(tableRows, shown, band),
    series: shown.map(({ row, key }, index) => {
      const name = own(row) || conditionWords(row);
      return bandSeries(
        {
          key,
          label: name,
          dots: `${key} dot`,
          hiddenAtFirst: shown.length > MOST_AT_FIRST && !first.includes(key),
          color: COLORS[index % COLORS.length] ?? COLORS[0],
        },
        [`${name}, lower_ratio`, `${name}, upper_ratio`],
        (lower, upper) =>
          shareRangeText(
            { threshold_ns: thresholdNs, lower_ratio: lower, upper_ratio: upper },
            limit === null ? [] : [{ threshold_ns: thresholdNs, limit_ratio: limit }],
          ),
        `${key} exact`,
      );
    }),
    limits:
      limit === null
        ? []
        : [
            {
              y: limit,
              label: `limit ${formatExactPercent(limit)} over ${formatExactLatency(thresholdNs)}`,
            },
          ],
    readX: (row) => `at ${loadText(row.x)}`,
    xColumn: { header: "load_multiple", value: (row) => row.x },
  };
}

const MOST_AT_FIRST = 3;

type Curve = { readonly row: DriveRow; readonly curve: DriveLoadCurve; readonly key: string };

/** Returns the curves shown at first, which are those with the conditions of most tested loads; more would overlap. */
function firstShown(shown: readonly Curve[]): string[] {
  const setUp = ({ row }: Curve): string =>
    [row.capacity_bytes, row.over_provisioning.class, row.over_provisioning.usable_ratio, row.generation].join(" ");
  const most = [...shown].sort(
    (a, b) => b.curve.points.filter(tested).length - a.curve.points.filter(tested).length,
  )[0];
  return shown.filter((curve) => most !== undefined && setUp(curve) === setUp(most)).map(({ key }) => key);
}

type VisibleSeries = { readonly key: string; readonly parts: readonly Segment[] };

/** Returns rows at the common positions of all series: bounds on both sides of each break, and dots at each load. */
function drawnRows(rows: readonly Row[], shown: readonly VisibleSeries[], band: (bounds: Bounds) => Bounds): Row[] {
  const breaks = [...new Set(shown.flatMap(({ parts }) => parts.flatMap(({ from, to }) => [from, to])))].sort(
    (a, b) => a - b,
  );
  const drawn: Row[] = [];
  for (const [index, from] of breaks.entries()) {
    const to = breaks[index + 1];
    if (to === undefined) break;
    const middle = Math.sqrt(from * to);
    const bands = Object.fromEntries(
      shown.map(({ key, parts }): [string, Bounds | null] => {
        const bounds = boundsAt(parts, middle);
        return [key, bounds === null ? null : band(bounds)];
      }),
    );
    drawn.push({ x: from, ...bands });
    for (const row of rows) {
      if (row.x <= from || row.x >= to) continue;
      const dots = Object.fromEntries(shown.map(({ key }) => [`${key} dot`, row[`${key} dot`] ?? null]));
      drawn.push({ x: row.x, ...bands, ...dots });
    }
    drawn.push({ x: to, ...bands });
  }
  return drawn;
}

function loadAxis(loads: readonly number[]): AxisSpec {
  const least = loads[0] ?? 1;
  const most = loads.at(-1) ?? least;
  // A single load is in the middle of a narrow axis.
  const margin = least === most ? 1.5 : Math.max(1.15, (most / least) ** 0.06);
  return {
    label: "load, multiple of 1x",
    kind: "log",
    domain: [least / margin, most * margin],
    ticks: loads,
    format: loadText,
  };
}

function shareAxis(points: readonly Point[], limit: number | null): AxisSpec {
  const zeros = points.filter((point) => point.lower_ratio <= 0 && point.upper_ratio > 0);
  const values = points.flatMap((point) => [point.lower_ratio, point.upper_ratio]).concat(limit ?? []);
  const floors = zeros.map((point) => point.upper_ratio / FLOOR_OF_ZERO);
  const domain = logDomain([...values, ...floors]) ?? [1e-5, 1];
  return {
    label: "share of reads",
    kind: "log",
    domain: [domain[0], Math.min(1, domain[1])],
    ticks: logTicks(domain).filter((tick) => tick <= 1),
    format: (value) => formatExactPercent(value),
  };
}
