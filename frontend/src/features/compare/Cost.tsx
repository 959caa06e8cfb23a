// Cost and power per load inside the SLA: chart and table of the drives that no other beats in both.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type LeaderboardFilter, leaderboardQuery } from "@/api/leaderboard";
import type { LeaderboardRow } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import { type AxisSpec, axisFromZero, type ChartSpec } from "@/charts/spec";
import {
  costText,
  type Ends,
  moneyUnit,
  type PriceLike,
  priceAge,
  priceMeaning,
  priceText,
} from "@/entities/drive/cost";
import { driveName, formatCapacity, loadText } from "@/entities/drive/ratings";
import { fullSearch, type ReaderQuestionSearch } from "@/entities/question/address";
import { FEW_READS, FEW_READS_TEXT } from "@/entities/question/question";
import { readReaderQuestion } from "@/entities/question/readerQuestion";
import { formatCount } from "@/lib/format";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";
import { DriveLink } from "@/ui/links";
import { Section } from "@/ui/Section";
import { QueryView } from "@/ui/states";
import { Unknown } from "@/ui/Value";
import classes from "./ComparePage.module.css";

const NOTHING: LeaderboardFilter = {};
const ACT_LIMITS = "1ms_5*8ms_1*64ms_0.1";

export function Cost({ view }: { view: ReaderQuestionSearch }) {
  const ownQuestion = readReaderQuestion(view).question;
  const perTransaction = ownQuestion?.kind === "transaction";
  const question = { ...(ownQuestion?.leaderboard ?? NOTHING), sort: "price_per_ktps" } as const;
  const everywhere = useInfiniteQuery(leaderboardQuery({ ...question, equal: false }));
  const all = everywhere.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const answer = useInfiniteQuery({
    ...leaderboardQuery({ ...question, ...commonConditions(all, perTransaction) }),
    enabled: everywhere.data !== undefined,
  });
  const points = pointsOf(answer.data?.pages.flatMap(({ rows }) => rows) ?? [], perTransaction);
  const failed = [everywhere, answer].find(({ error }) => error !== null);
  const conditionsText = answer.data?.pages[0]?.conditions?.text;
  if (answer.data === undefined) return <QueryView query={failed ?? answer} what="the costs" lines={4} height={96} />;
  const unit = perTransaction ? "1,000 transactions/s" : "1,000 operations/s";
  return (
    <>
      <header className="stack-12">
        <p className="muted wrap-anywhere">What does my SLA cost, in money and in power?</p>
        <h1 className={`answer-title ${classes["headline"]}`}>{costSentence(points, unit, pricedCount(all))}</h1>
        <p className="measure muted">
          Of each drive the highest load that passes{ownQuestion === null ? "" : `: ${ownQuestion.text}`}. All were
          tested under the same conditions{conditionsText === undefined ? "" : `: ${conditionsText}`}. Power is what
          your price list states, else the vendor.
        </p>
        <p>
          Prices are your own, else the newest that a document states: <Link to="/prices">all prices</Link>
        </p>
        {points.length === 0 && perTransaction ? (
          <p>
            Published tests print shares of slow reads, which seldom decide a transaction of many reads. <FewReads /> ·{" "}
            <Link to="/compare" search={fullSearch({ template: "cost" as const, limits: ACT_LIMITS })}>
              Show the cost by the limits of ACT
            </Link>
          </p>
        ) : ownQuestion === null ? (
          <p>
            For the cost of a transaction, ask about one: <FewReads />
          </p>
        ) : null}
      </header>
      {points.length === 0 ? null : <CostDetails points={points} unit={unit} />}
    </>
  );
}

const FewReads = () => (
  <Link to="/compare" search={fullSearch({ template: "cost" as const, ...FEW_READS })}>
    {FEW_READS_TEXT}
  </Link>
);

const columnsOf = (cost: string, watts: string): Columns<Point> => [
  { header: "Drive", accessorFn: ({ slug, name }) => <DriveLink slug={slug}>{name}</DriveLink>, meta: ROW_HEADER },
  { header: "Holds", accessorFn: ({ holds }) => loadText(holds), meta: RIGHT },
  { header: cost, accessorFn: (point) => costText(point.cost, point.price), meta: RIGHT },
  {
    header: watts,
    accessorFn: (point) => point.watts?.toPrecision(3) ?? <Unknown reason="its power is not known" />,
    meta: RIGHT,
  },
  {
    header: "Beaten in both",
    accessorFn: ({ unbeaten }) => (unbeaten === null ? "" : unbeaten ? "by none" : "yes"),
  },
  {
    header: "Price",
    accessorFn: ({ price }) => (
      <span title={priceMeaning(price)}>{[priceText(price), priceAge(price)].filter(Boolean).join(", ")}</span>
    ),
  },
];

function CostDetails({ points, unit }: { points: readonly Point[]; unit: string }) {
  const currency = currencyOf(points);
  const powered = points.filter(hasWatts);
  return (
    <Section title="Cost and power" isTitleHidden className="stack-12">
      {powered.length === 0 ? null : <ChartFigure spec={costSpec(powered, unit)} height={280} />}
      <DataTable
        label="Cost and power by drive"
        plain="cards"
        columns={columnsOf(`${currency} for ${unit}`, `W for ${unit}`)}
        rows={points}
      />
    </Section>
  );
}

const axisOf = (label: string, values: readonly number[]): AxisSpec =>
  axisFromZero(label, Math.max(...values) * 1.05, (value) => formatCount(value));

const currencyOf = (points: readonly Point[]): string => (points[0] === undefined ? "" : moneyUnit(points[0].price));

function costSpec(points: readonly PointWithWatts[], unit: string): ChartSpec {
  const currency = currencyOf(points);
  const rows = points.map((point, index) => ({
    x: point.cost.upper,
    index,
    [point.unbeaten ? "best" : "other"]: point.watts,
  }));
  const nameOf = (row: { readonly [key: string]: unknown }): string => points[Number(row["index"])]?.name ?? "";
  const series = (key: string, label: string, color: string) => ({
    key,
    label,
    mark: "dots" as const,
    color,
    read: (row: { readonly [key: string]: unknown }) => {
      const value = row[key];
      return typeof value === "number" ? `${nameOf(row)}, ${value.toPrecision(3)}\u00a0W` : null;
    },
    columns: [
      {
        header: `${label} drive`,
        value: (row: { readonly [key: string]: unknown }) => (typeof row[key] === "number" ? nameOf(row) : null),
      },
      {
        header: `${label}\u00a0W`,
        value: (row: { readonly [key: string]: unknown }) => (typeof row[key] === "number" ? Number(row[key]) : null),
      },
    ],
  });
  return {
    title: `Money and power for ${unit}`,
    note: "Lower left is better. Best trade-off (Pareto): no other drive is at least as good in both.",
    x: axisOf(
      `${currency} for ${unit}`,
      points.map(({ cost }) => cost.upper),
    ),
    y: axisOf(
      `W for ${unit}`,
      points.map(({ watts }) => watts),
    ),
    rows,
    series: [series("best", "best trade-off", "--series-1"), series("other", "another drive is better", "--series-3")],
    readX: (row) => `${row.x.toPrecision(3)} ${currency}`,
    xColumn: { header: `${currency} for ${unit}`, value: (row) => row.x },
  };
}

export type Point = {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly price: PriceLike;
  readonly cost: Ends;
  /** Power in watts; null if unknown. */
  readonly watts: number | null;
  readonly holds: number;
  /** Whether no other drive is at least as good in cost and power and better in one; null if the power is unknown. */
  readonly unbeaten: boolean | null;
};

type CostPoint = Omit<Point, "unbeaten">;

function placed(row: LeaderboardRow, perTransaction: boolean): CostPoint | null {
  const cost = perTransaction ? row.price_per_thousand_transactions : row.price_per_ktps;
  const watts = perTransaction ? row.watts_per_thousand_transactions : row.watts_per_ktps;
  const { price, rating, drive, capacity_bytes } = row;
  if (cost === null || price === null || rating.passed_load === null) return null;
  const name = [driveName(drive), capacity_bytes === null ? "" : formatCapacity(capacity_bytes)].join(" ").trim();
  return { id: row.row_id, name, slug: drive.slug, price, cost, watts, holds: rating.passed_load };
}

type WithWatts = { readonly watts: number };
type PointWithWatts = Point & WithWatts;

export const hasWatts = <P extends CostPoint>(point: P): point is P & WithWatts => point.watts !== null;

const dominates = (point: CostPoint & WithWatts, other: CostPoint & WithWatts): boolean =>
  point.cost.upper <= other.cost.lower &&
  point.watts <= other.watts &&
  (point.cost.upper < other.cost.lower || point.watts < other.watts);

type WithPrice = { readonly price: PriceLike };

/** Returns the items with the most frequent key, counted over own prices if there are any. */
function mostCommon<P extends WithPrice>(all: readonly P[], keyOf: (priced: P) => string): P[] {
  const own = all.filter(({ price }) => price.publication === null);
  const counts = new Map<string, number>();
  for (const key of (own.length === 0 ? all : own).map(keyOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const [most] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  return all.filter((priced) => keyOf(priced) === most);
}

/** Returns drives with a cost in the most frequent currency and unit of use, cheapest first. */
export function pointsOf(rows: readonly LeaderboardRow[], perTransaction: boolean): Point[] {
  const all = rows.flatMap((row) => placed(row, perTransaction) ?? []);
  const same = mostCommon(all, ({ price }) => moneyUnit(price));
  const powered = same.filter(hasWatts);
  return same
    .map((point) => ({
      ...point,
      unbeaten: hasWatts(point) ? !powered.some((other) => dominates(other, point)) : null,
    }))
    .sort((a, b) => a.cost.upper - b.cost.upper || (a.watts ?? 0) - (b.watts ?? 0));
}

type Conditions = Pick<LeaderboardFilter, "metric" | "op" | "generation">;

/** Returns the conditions under which most drives have a cost: costs are comparable only under equal conditions. */
export function commonConditions(rows: readonly LeaderboardRow[], perTransaction: boolean): Conditions {
  const priced = rows.flatMap((row) => {
    const point = placed(row, perTransaction);
    return point === null ? [] : [{ row, price: point.price }];
  });
  const [common] = mostCommon(priced, ({ row: { metric_class, over_provisioning, generation } }) =>
    [metric_class, over_provisioning.class, generation].join(" "),
  );
  if (common === undefined) return {};
  const { metric_class, generation, over_provisioning } = common.row;
  return { metric: [metric_class], op: [over_provisioning.class], generation: [generation] };
}

/** Returns the number of rows with a price, including those without a passed load. */
const pricedCount = (rows: readonly LeaderboardRow[]): number => rows.filter(({ price }) => price !== null).length;

export function costSentence(points: readonly Point[], unit: string, priced: number): string {
  if (points.length === 0)
    return priced === 0
      ? `What ${unit} cost is not known: no drive here has a price.`
      : `What ${unit} cost is not shown: no test proves that a drive with a price holds a load inside this SLA.`;
  const best = points.filter((point) => point.unbeaten === true);
  const [only] = best;
  if (only === undefined) return cheapestSentence(points, unit);
  const powered = points.filter(hasWatts).length;
  return best.length === 1
    ? `${only.name} needs the least money and the least power for ${unit}, of ${powered} with a price.`
    : `${best.length} of ${powered} drives with a price are not beaten in both money and power for ${unit}.`;
}

/** Returns the answer by price alone, for drives of unknown power; overlapping intervals are ties. */
function cheapestSentence(points: readonly Point[], unit: string): string {
  const least = Math.min(...points.map(({ cost }) => cost.upper));
  const cheapest = points.filter(({ cost }) => cost.lower <= least);
  const [only] = cheapest;
  return cheapest.length === 1 && only !== undefined
    ? `${only.name} costs least for ${unit}, of ${points.length} with a price. Their power is not known.`
    : `${cheapest.length} of ${points.length} drives with a price tie for the least money for ${unit}.`;
}
