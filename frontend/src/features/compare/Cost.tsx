// Cost and power per load inside the SLA: chart and table of the drives that no other beats in both.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type LeaderboardFilter, leaderboardQuery } from "@/api/leaderboard";
import type { LeaderboardRow } from "@/api/types";
import { ChartFigure } from "@/charts/ChartFigure";
import { type AxisSpec, axisFromZero, type ChartSpec, numberSeries, type Row, type SeriesSpec } from "@/charts/spec";
import { costText, moneyUnit, type PriceLike, priceAge, priceMeaning, priceText } from "@/entities/drive/cost";
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
import { TemplateHead } from "./Templates";

const ACT_LIMITS = "1ms_5*8ms_1*64ms_0.1";

export function Cost({ view }: { view: ReaderQuestionSearch }) {
  const ownQuestion = readReaderQuestion(view).question;
  const perTransaction = ownQuestion?.kind === "transaction";
  const question = { ...ownQuestion?.leaderboard, sort: "price_per_ktps" } as const;
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
      <TemplateHead
        question="What does my SLA cost, in money and in power?"
        answer={costSentence(points, unit, all.filter(({ price }) => price !== null).length)}
      >
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
      </TemplateHead>
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
  return (
    <Section title="Cost and power" isTitleHidden className="stack-12">
      {points.every(({ watts }) => watts === null) ? null : <ChartFigure spec={costSpec(points, unit)} height={280} />}
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

function costSpec(all: readonly Point[], unit: string): ChartSpec {
  const currency = currencyOf(all);
  const points = all.filter(({ watts }) => watts !== null);
  const rows = points.map(
    ({ cost, watts, unbeaten }, index): Row => ({ x: cost.upper, index, [unbeaten ? "best" : "other"]: watts }),
  );
  const series = (key: string, label: string, color: string): SeriesSpec => {
    const nameOf = (row: Row): string | null => (row[key] == null ? null : (points[Number(row["index"])]?.name ?? ""));
    const figure = (value: number): string => `${value.toPrecision(3)}\u00a0W`;
    const watts = numberSeries({ key, label, mark: "dots", color }, `${label}\u00a0W`, figure);
    return {
      ...watts,
      read: (row) => (row[key] == null ? null : `${nameOf(row)}, ${watts.read(row)}`),
      columns: [{ header: `${label} drive`, value: nameOf }, ...watts.columns],
    };
  };
  return {
    title: `Money and power for ${unit}`,
    note: "Lower left is better. Best trade-off (Pareto): no other drive is at least as good in both.",
    x: axisOf(
      `${currency} for ${unit}`,
      points.map(({ cost }) => cost.upper),
    ),
    y: axisOf(
      `W for ${unit}`,
      points.map(({ watts }) => watts ?? 0),
    ),
    rows,
    series: [series("best", "best trade-off", "--series-1"), series("other", "another drive is better", "--series-3")],
    readX: (row) => `${row.x.toPrecision(3)} ${currency}`,
    xColumn: { header: `${currency} for ${unit}`, value: (row) => row.x },
  };
}

type CostPoint = NonNullable<ReturnType<typeof placed>>;
/** `unbeaten`: no other drive is at least as good in cost and power and better in one; null if the power is unknown. */
type Point = CostPoint & { readonly unbeaten: boolean | null };

/** Returns a drive with its cost and its power in watts, null if unknown; null without a cost. */
function placed(row: LeaderboardRow, perTransaction: boolean) {
  const cost = perTransaction ? row.price_per_thousand_transactions : row.price_per_ktps;
  const watts = perTransaction ? row.watts_per_thousand_transactions : row.watts_per_ktps;
  const { price, rating, drive, capacity_bytes } = row;
  if (cost === null || price === null || rating.passed_load === null) return null;
  const name = [driveName(drive), capacity_bytes === null ? "" : formatCapacity(capacity_bytes)].join(" ").trim();
  return { name, slug: drive.slug, price, cost, watts, holds: rating.passed_load };
}

const dominates = (point: CostPoint, other: CostPoint): boolean =>
  point.watts !== null &&
  other.watts !== null &&
  point.cost.upper <= other.cost.lower &&
  point.watts <= other.watts &&
  (point.cost.upper < other.cost.lower || point.watts < other.watts);

/** Returns the items with the most frequent key, counted over own prices if there are any. */
function mostCommon<P extends { readonly price: PriceLike }>(all: readonly P[], keyOf: (priced: P) => string): P[] {
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
  return same
    .map((point) => ({
      ...point,
      unbeaten: point.watts === null ? null : !same.some((other) => dominates(other, point)),
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

/** Returns the answer; `priced`: number of rows with a price, including those without a passed load. */
export function costSentence(points: readonly Point[], unit: string, priced: number): string {
  if (points.length === 0)
    return priced === 0
      ? `What ${unit} cost is not known: no drive here has a price.`
      : `What ${unit} cost is not shown: no test proves that a drive with a price holds a load inside this SLA.`;
  const best = points.filter((point) => point.unbeaten === true);
  const [only] = best;
  if (only === undefined) return cheapestSentence(points, unit);
  const powered = points.filter(({ watts }) => watts !== null).length;
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
