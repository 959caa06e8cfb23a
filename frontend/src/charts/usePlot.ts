// What draws charts is half as large as all else that a page loads. A page with charts stands without it, and it comes as soon as the first of
// them is there: answers, tables and heatmaps wait for nothing that they do not need.
import { useEffect, useState } from "react";

type Drawing = typeof import("./Plot").Plot;

let loaded: Drawing | null = null;

async function loadPlot(): Promise<Drawing> {
  const { Plot } = await import("./Plot");
  loaded = Plot;
  return Plot;
}

/** What draws a chart; null until it has come. */
export function usePlot(): Drawing | null {
  const [plot, setPlot] = useState(() => loaded);
  useEffect(() => {
    if (plot === null) void loadPlot().then((drawing) => setPlot(() => drawing));
  }, [plot]);
  return plot;
}
