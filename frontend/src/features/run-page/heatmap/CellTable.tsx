// Heatmap as a table, with one row per column of the picture.
import type { Heatmap } from "@/api/types";
import { momentText, peaksOf, rangeText } from "@/entities/run/heatmap/cells";
import { formatInteger } from "@/lib/format";
import { type Columns, DataTable, RIGHT, ROW_HEADER } from "@/ui/DataTable";

const MOST_HEIGHT = 320;

export function CellTable({ map }: { map: Heatmap }) {
  const columns: Columns<Heatmap["columns"][number]> = [
    { header: "Begins at", accessorFn: ({ start_ns }) => momentText(start_ns), meta: ROW_HEADER },
    { header: "Operations", accessorFn: ({ count }) => formatInteger(count), meta: RIGHT },
    { header: "Misses", accessorFn: ({ miss_count }) => formatInteger(miss_count), meta: RIGHT },
    {
      header: "Most of them",
      accessorFn: (column) => {
        const peaks = peaksOf(map, column);
        return peaks === null ? "none completed" : rangeText(peaks.usual);
      },
    },
    {
      header: "Slowest",
      accessorFn: (column) => {
        const peaks = peaksOf(map, column);
        return peaks === null ? "" : rangeText(peaks.slowest);
      },
    },
  ];
  return (
    <DataTable
      label="Latencies over time, as a table"
      plain
      maxHeight={MOST_HEIGHT}
      columns={columns}
      rows={map.columns}
    />
  );
}
