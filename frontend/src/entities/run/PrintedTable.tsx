// Renders the latencies that the tool printed, beside the interval that the stored distribution supports.
import type { Percentiles } from "@/api/types";
import { formatLatencyInterval, formatQuantile } from "@/lib/format";
import { type Columns, DataTable, RIGHT } from "@/ui/DataTable";
import { Unknown } from "@/ui/Value";
import { clockName, operationName } from "./words";

type Curve = Percentiles["curves"][number];
type Printed = Curve["printed"][number];

const STATISTICS: Readonly<Record<Printed["statistic"], string>> = {
  quantile: "percentile",
  mean: "mean",
  min: "smallest",
  max: "largest",
  deviation: "deviation",
};

const nameOf = (figure: Printed): string =>
  figure.quantile === null ? STATISTICS[figure.statistic] : formatQuantile(figure.quantile);

function SupportedValue({ figure }: { figure: Printed }) {
  if (figure.lower_ns === null) return <Unknown reason="nothing of it is known from the stored distribution" />;
  if (figure.upper_ns === null) return <>at least {formatLatencyInterval(figure.lower_ns, figure.lower_ns)}</>;
  return <>{formatLatencyInterval(figure.lower_ns, figure.upper_ns)}</>;
}

const COLUMNS: Columns<{ curve: Curve; figure: Printed }> = [
  {
    header: "Operation",
    accessorFn: ({ curve, figure }) => (
      <>
        {operationName(curve.operation)} <span className="dim">{clockName(curve.clock)}</span>
        {figure.part === null ? null : <span className="dim"> · {figure.part}</span>}
      </>
    ),
  },
  { header: "Statistic", accessorFn: ({ figure }) => nameOf(figure) },
  {
    header: "Printed",
    accessorFn: ({ figure }) => figure.printed,
    meta: {
      ...RIGHT,
      cell: ({ figure: { line } }) => ({ title: line === null ? undefined : `line ${line} of the file` }),
    },
  },
  { header: "Supported", accessorFn: ({ figure }) => <SupportedValue figure={figure} />, meta: RIGHT },
];

export function PrintedTable({ curves }: { curves: readonly Curve[] }) {
  const shown = curves.filter((curve) => curve.printed.length > 0);
  if (shown.length === 0) return null;
  return (
    <details className="panel" open>
      <summary>What the tool printed</summary>
      <p className="dim">
        Beside each printed number stands the interval that the stored data support. Misses count as the slowest.
      </p>
      <DataTable
        label="Printed latencies"
        plain
        maxHeight={320}
        columns={COLUMNS}
        rows={shown.flatMap((curve) => curve.printed.map((figure) => ({ curve, figure })))}
      />
    </details>
  );
}
