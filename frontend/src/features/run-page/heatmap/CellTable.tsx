// The heatmap as a table: a row for each column of the picture.
import type { Heatmap } from "@/api/types";
import { momentText, peaksOf, rangeText } from "@/entities/run/heatmap/cells";
import { formatInteger } from "@/lib/format";
import { ScrollRegion } from "@/ui/ScrollRegion";

const MOST_HEIGHT = 320;

export function CellTable({ map }: { map: Heatmap }) {
  return (
    <ScrollRegion label="Latencies over time, as a table" maxHeight={MOST_HEIGHT}>
      <table className="data">
        <thead>
          <tr>
            <th scope="col">Begins at</th>
            <th scope="col" className="right">
              Operations
            </th>
            <th scope="col" className="right">
              Misses
            </th>
            <th scope="col">Most of them</th>
            <th scope="col">Slowest</th>
          </tr>
        </thead>
        <tbody>
          {map.columns.map((column) => {
            const peaks = peaksOf(map, column);
            return (
              <tr key={column.start_ns}>
                <th scope="row">{momentText(column.start_ns)}</th>
                <td className="right">{formatInteger(column.count)}</td>
                <td className="right">{formatInteger(column.miss_count)}</td>
                <td>{peaks === null ? "none completed" : rangeText(peaks.usual)}</td>
                <td>{peaks === null ? "" : rangeText(peaks.slowest)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
