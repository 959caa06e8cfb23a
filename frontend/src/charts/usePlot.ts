// Loads the charting library on demand. It is half as large as the rest of a page's code, and answers, tables and
// heatmaps render without it.
import { useEffect, useState } from "react";

type Drawing = typeof import("./Plot").Plot;

let loaded: Drawing | null = null;

async function loadPlot(): Promise<Drawing> {
  const { Plot } = await import("./Plot");
  loaded = Plot;
  return Plot;
}

/** Returns the `Plot` component; `null` until it is loaded. */
export function usePlot(): Drawing | null {
  const [plot, setPlot] = useState(() => loaded);
  useEffect(() => {
    if (plot === null) void loadPlot().then((drawing) => setPlot(() => drawing));
  }, [plot]);
  return plot;
}
