// What the tool printed of its latencies, beside the interval that the stored distribution supports.
import type { Percentiles } from "@/api/types";
import { formatLatencyInterval, formatQuantile } from "@/lib/format";
import { nanoseconds } from "@/lib/units";
import { ScrollRegion } from "@/ui/ScrollRegion";
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

function Supported({ figure }: { figure: Printed }) {
  if (figure.lower_ns === null) return <Unknown reason="nothing of it is known from the stored distribution" />;
  if (figure.upper_ns === null)
    return <>at least {formatLatencyInterval(nanoseconds(figure.lower_ns), nanoseconds(figure.lower_ns))}</>;
  return <>{formatLatencyInterval(nanoseconds(figure.lower_ns), nanoseconds(figure.upper_ns))}</>;
}

export function PrintedTable({ curves }: { curves: readonly Curve[] }) {
  const shown = curves.filter((curve) => curve.printed.length > 0);
  if (shown.length === 0) return null;
  return (
    <details className="panel" open>
      <summary>What the tool printed</summary>
      <p className="dim">
        Beside each printed number stands the interval that the stored data support. Misses count as the slowest.
      </p>
      <ScrollRegion label="Printed latencies" maxHeight={320}>
        <table className="data">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col">Statistic</th>
              <th scope="col" className="right">
                Printed
              </th>
              <th scope="col" className="right">
                Supported
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.flatMap((curve) =>
              curve.printed.map((figure, index) => (
                // A tool may print the same number twice; the order never changes.
                // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed
                <tr key={`${curve.operation} ${curve.clock} ${index}`}>
                  <td>
                    {operationName(curve.operation)} <span className="dim">{clockName(curve.clock)}</span>
                    {figure.part === null ? null : <span className="dim"> · {figure.part}</span>}
                  </td>
                  <td>{nameOf(figure)}</td>
                  <td className="right" title={figure.line === null ? undefined : `line ${figure.line} of the file`}>
                    {figure.printed}
                  </td>
                  <td className="right">
                    <Supported figure={figure} />
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </ScrollRegion>
    </details>
  );
}
